// The rules of a zoning district for the size of a house. The rules are data: src/intelligence/site/envelope.ts reads them.

import type { Confidence } from '../facts.ts'
import type { SizeReview } from './city-facts.ts'

export interface District {
  /** City slug. */
  city: string
  /** The district as the city writes it, then other spellings. */
  codes: readonly string[]
  /** Defaults to true: most districts in the tables are single-family. */
  singleFamily?: boolean
  /** False if too little is known to compute how much may be built. Then `unmodelledReason` says what is missing. */
  modelled: boolean
  unmodelledReason?: string
  minLotSqft?: number
  maxLotSqft?: number
  frontageFt?: number
  floorArea: FloorAreaRule
  /** Share of the lot that buildings may cover (Nantucket). */
  groundCoverPct?: number
  coverage?: CoverageRule
  setbacksFt?: Setbacks
  heightFt?: number
  /** Set only if the code states it; otherwise it follows from the height. */
  storeys?: number
  /** The rule counts net area: rights of way, easements and very steep land are excluded. */
  netLot?: boolean
  /** A garage counts toward floor area or coverage, so less of the envelope is living space. */
  garageCounts?: boolean
  /** Size above which a board decides: the city's dated fact, the same in all its districts. Not a limit. */
  sizeReview?: SizeReview
  /** How well each rule is known: high = official text, medium = secondary source, low = unverified. */
  confidence: Partial<Record<DistrictRule, Confidence>>
  source: string
  asOf: string
  notes?: readonly string[]
}

type DistrictRule = 'floorArea' | 'groundCover' | 'coverage' | 'setbacks' | 'height'

export type FloorAreaRule =
  /** The city regulates no floor area. */
  | { kind: 'none' }
  /** The city regulates it; the rule is not known here. */
  | { kind: 'unknown' }
  | { kind: 'ratio'; ratio: number; capSqft?: number }
  /** The last tier whose `fromSqft` the lot reaches: baseSqft + rate·(lot − overSqft). Below the first: not known. */
  | { kind: 'tiers'; tiers: readonly FloorAreaTier[]; capSqft?: number }
  /** The ratio changes linearly between two lot sizes (Mountain View). */
  | { kind: 'slidingRatio'; fromSqft: number; fromRatio: number; toSqft: number; toRatio: number }
  /** ratio·lot + a base that depends on garage and corner (Burlingame). */
  | { kind: 'garageAndCorner'; ratio: number; baseSqft: Record<GarageAndCorner, number>; capSqft?: number }
  /** Ratio by average slope, known at a few points (Belmont). */
  | {
      kind: 'slopeRatio'
      points: readonly { slopePct: number; ratio: number; confidence: Confidence }[]
      capSqft?: number
    }
  /** Fixed size by slope on smaller lots, one size on larger (Belmont HRO-2). */
  | {
      kind: 'slopeFixed'
      belowLotSqft: number
      points: readonly { slopePct: number; sqft: number }[]
      elseSqft: number
    }
  /** Only the main house is capped; the total is not known (Woodside). */
  | { kind: 'mainHouseCap'; sqft: number }
  | LotUnitFactorRule

interface FloorAreaTier {
  fromSqft: number
  baseSqft: number
  rate: number
  overSqft: number
}

type GarageAndCorner = 'interiorAttached' | 'interiorDetached' | 'cornerAttached' | 'cornerDetached'

/** Los Altos Hills: floor area and development area per unit of slope-adjusted acreage, with floors. */
export interface LotUnitFactorRule {
  kind: 'lotUnitFactor'
  perUnitSqft: number
  fallPerSlopePct: number
  fallFromSlopePct: number
  fallToSlopePct: number
  floorSqft: number
  /** At or below this factor a conditional permit sets (factor ÷ smallUnit)·floorSqft. */
  smallUnit: number
  smallApprovableSqft: number
  /** Share of net acreage lost per percent of slope above `fallFromSlopePct`. */
  unitSlopeRate: number
  development: {
    perUnitSqft: number
    fallPerSlopePct: number
    floorSqft: number
    smallExtraSqft: number
    smallApprovableSqft: number
  }
}

export interface CoverageRule {
  oneStoreyPct?: number
  twoStoreyPct?: number
  /** A one-story house may cover as much as its floor-area limit (Palo Alto). */
  oneStoreyIsFloorArea?: boolean
}

export interface Setbacks {
  front: number
  side: SideRule
  rear: number | { pctOfDepth: number; minFt: number; maxFt: number }
  streetSide?: number
  /** Set if the second story has larger setbacks. */
  upper?: { front?: number; side?: number; rear?: number }
}

export type SideRule =
  | number
  | { pctOfWidth: number; minFt: number; maxFt: number }
  | { byWidth: readonly { overFt?: number; fromFt?: number; ft: number }[] }
