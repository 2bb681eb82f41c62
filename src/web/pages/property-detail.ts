import type { PropertyDetail } from '../../contract/property.ts'

/** One property as the API serves it: what every section of its page is made of. */
export type Detail = PropertyDetail
