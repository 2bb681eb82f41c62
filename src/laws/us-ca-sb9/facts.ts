import type { ParcelFacts } from '../../domain/facts.ts'
import type { City } from '../../domain/packs/markets.ts'
import type { District } from '../../domain/packs/zoning.ts'
import type { LotSplitPlan } from './lot-split.ts'

/** The facts that the SB 9 rules test. */
export type Sb9Facts = Pick<
  ParcelFacts,
  | 'propertyType'
  | 'livingSqft'
  | 'yearBuilt'
  | 'units'
  | 'assessedImprovementUsd'
  | 'lotSqft'
  | 'lotWidthFt'
  | 'lotDepthFt'
  | 'cornerLot'
  | 'zoning'
  | 'overlays'
  | 'buildings'
> & {
  /** Two letters, of the market. */
  state?: string
  city?: Pick<City, 'name' | 'state' | 'incorporated' | 'urbanized' | 'charter' | 'coastal'>
  district?: Pick<District, 'codes' | 'singleFamily'>
  plan?: LotSplitPlan
}
