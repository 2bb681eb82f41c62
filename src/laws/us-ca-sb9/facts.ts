import type { ParcelFacts } from '../../domain/facts.ts'
import type { City, Market } from '../../domain/packs/markets.ts'
import type { District } from '../../domain/packs/zoning.ts'
import type { LotSplitPlan } from './lot-split.ts'

/** The facts that the SB 9 rules test. */
export type Sb9Facts = Pick<
  ParcelFacts,
  'propertyType' | 'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'cornerLot' | 'zoning' | 'overlays' | 'lat' | 'lng'
> & {
  /** Two letters, of the market. */
  state?: string
  city?: Pick<City, 'name' | 'state' | 'incorporated' | 'urbanized' | 'charter' | 'coastal' | 'population'>
  transitStops?: Market['transitStops']
  district?: Pick<District, 'codes' | 'singleFamily'>
  plan?: LotSplitPlan
}
