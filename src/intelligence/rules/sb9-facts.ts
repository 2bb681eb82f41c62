import type { ParcelFacts } from '../../contract/facts.ts'
import type { City } from '../../contract/markets.ts'
import type { District } from '../../contract/zoning.ts'
import type { LotSplitPlan } from '../lot-split.ts'

/** What the rules of SB 9 look at. */
export type Sb9Facts = Pick<
  ParcelFacts,
  'market' | 'propertyType' | 'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'cornerLot' | 'zoning' | 'overlays'
> & {
  city?: Pick<City, 'name' | 'state' | 'incorporated' | 'urbanized' | 'charter' | 'coastal'>
  district?: Pick<District, 'codes' | 'singleFamily'>
  plan?: LotSplitPlan
}
