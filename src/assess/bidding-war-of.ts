// The bidding-war odds of a listing, from what the assessment already knows.

import type { Finding } from '../contract/facts.ts'
import type { ConditionFinding } from '../intelligence/condition.ts'
import type { Valuation } from '../intelligence/valuation/value-home.ts'
import type { SubjectListing } from '../store/subjects.ts'
import type { CityHeat } from './heat-board.ts'
import type { MarketView } from './market-view.ts'
import type { SubjectFacts } from './subject-facts.ts'

export const biddingWarOf = (
  _facts: SubjectFacts,
  _listing: SubjectListing,
  _known: { value: Valuation | undefined; heat: CityHeat; condition: ConditionFinding },
  _view: MarketView,
): Finding | undefined => undefined
