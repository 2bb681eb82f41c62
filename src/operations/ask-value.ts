// Asks the value model of a market while a request waits: what would the home be worth with other facts?

import type { HomeFacts, ParcelFacts } from '../domain/facts.ts'
import { type ValueOrReason, valueOrReason } from '../intelligence/valuation/value-home.ts'
import { valueModel } from '../store/assessments/valuations.ts'
import type { Db } from '../store/engine/database.ts'

/**
 * The value of a home with some of its facts changed, in the condition usual for its age or rated, on the day its market was valued.
 * Undefined where the market has no model.
 */
export const askValue = async (
  db: Db,
  home: ParcelFacts,
  changed: Partial<HomeFacts> = {},
): Promise<ValueOrReason | undefined> => {
  const asked = await valueModel(db, home.market)
  return asked && valueOrReason(asked.model, { ...home, propertyId: home.id, ...changed }, asked.on)
}
