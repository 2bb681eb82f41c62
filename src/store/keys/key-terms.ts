// The terms of a key that decide what it may receive.
import { limitsOf, windowStart } from '../../wire/plans.ts'
import { sql } from '../engine/database.ts'
import type { ApiKeyTable } from '../engine/schema.ts'

/** Of the key `k`. */
export type KeyTerms = Pick<ApiKeyTable, 'plan' | 'promotionUntil'> & { keyCreatedAt: Date }
export const keyTerms = sql`k.plan, k.promotion_until, k.created_at as key_created_at`

/** The first day of the key's history window, if it has one. */
export const windowOf = ({ plan, keyCreatedAt, promotionUntil }: KeyTerms, now: Date): string | undefined =>
  windowStart(limitsOf({ plan, createdAt: keyCreatedAt, promotionUntil }, now), now)
