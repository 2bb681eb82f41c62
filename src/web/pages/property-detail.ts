import type { Static } from 'typebox'
import type { PropertyDetail } from '../../contract/resources.ts'

/** One property as the API serves it: what every section of its page is made of. */
export type Detail = Static<typeof PropertyDetail>
