// The rules of a zoning district for the size of a house, as packs/<id>/zoning/<city>.json states them. They are data:
// src/intelligence/site/envelope.ts reads them.
import { type Static, Type } from 'typebox'
import { closedObject, list, literals, optional, text } from '../../common/shape.ts'
import { confidences } from '../facts.ts'
import type { SizeReview } from './city-facts.ts'

const positive = Type.Number({ minimum: 0 })
const kind = <const K extends string>(name: K) => ({ kind: Type.Literal(name) })
const confidence = literals(confidences)
const garages = closedObject({
  interiorAttached: Type.Number(),
  interiorDetached: Type.Number(),
  cornerAttached: Type.Number(),
  cornerDetached: Type.Number(),
})

/** Los Altos Hills: floor area and development area per unit of slope-adjusted acreage, with floors. */
const LotUnitFactor = closedObject({
  ...kind('lotUnitFactor'),
  perUnitSqft: positive,
  fallPerSlopePct: positive,
  fallFromSlopePct: positive,
  fallToSlopePct: positive,
  floorSqft: positive,
  /** At or below this factor a conditional permit sets (factor ÷ smallUnit)·floorSqft. */
  smallUnit: positive,
  smallApprovableSqft: positive,
  /** Share of net acreage lost per percent of slope above `fallFromSlopePct`. */
  unitSlopeRate: positive,
  development: closedObject({
    perUnitSqft: positive,
    fallPerSlopePct: positive,
    floorSqft: positive,
    smallExtraSqft: positive,
    smallApprovableSqft: positive,
  }),
})
export type LotUnitFactorRule = Static<typeof LotUnitFactor>

const FloorArea = Type.Union([
  /** The city regulates no floor area. */
  closedObject(kind('none')),
  /** The city regulates it; the rule is not known here. */
  closedObject(kind('unknown')),
  closedObject({ ...kind('ratio'), ratio: positive, capSqft: optional(positive) }),
  /** The last tier whose `fromSqft` the lot reaches: baseSqft + rate·(lot − overSqft). Below the first: not known. */
  closedObject({
    ...kind('tiers'),
    tiers: list(closedObject({ fromSqft: positive, baseSqft: positive, rate: Type.Number(), overSqft: positive })),
    capSqft: optional(positive),
  }),
  /** The ratio changes linearly between two lot sizes (Mountain View). */
  closedObject({
    ...kind('slidingRatio'),
    fromSqft: positive,
    fromRatio: positive,
    toSqft: positive,
    toRatio: positive,
  }),
  /** ratio·lot + a base that depends on garage and corner (Burlingame). */
  closedObject({ ...kind('garageAndCorner'), ratio: positive, baseSqft: garages, capSqft: optional(positive) }),
  /** Ratio by average slope, known at a few points (Belmont). */
  closedObject({
    ...kind('slopeRatio'),
    points: list(closedObject({ slopePct: positive, ratio: positive, confidence })),
    capSqft: optional(positive),
  }),
  /** Fixed size by slope on smaller lots, one size on larger (Belmont HRO-2). */
  closedObject({
    ...kind('slopeFixed'),
    belowLotSqft: positive,
    points: list(closedObject({ slopePct: positive, sqft: positive })),
    elseSqft: positive,
  }),
  /** Only the main house is capped; the total is not known (Woodside). */
  closedObject({ ...kind('mainHouseCap'), sqft: positive }),
  LotUnitFactor,
])
export type FloorAreaRule = Static<typeof FloorArea>

const Side = Type.Union([
  positive,
  closedObject({ pctOfWidth: positive, minFt: positive, maxFt: positive }),
  closedObject({
    byWidth: list(closedObject({ overFt: optional(positive), fromFt: optional(positive), ft: positive })),
  }),
])
export type SideRule = Static<typeof Side>

const SetbackRules = closedObject({
  front: positive,
  side: Side,
  rear: Type.Union([positive, closedObject({ pctOfDepth: positive, minFt: positive, maxFt: positive })]),
  streetSide: optional(positive),
  /** Set if the second story has larger setbacks. */
  upper: optional(closedObject({ front: optional(positive), side: optional(positive), rear: optional(positive) })),
})
export type Setbacks = Static<typeof SetbackRules>

const Coverage = closedObject({
  oneStoreyPct: optional(positive),
  twoStoreyPct: optional(positive),
  /** A one-story house may cover as much as its floor-area limit (Palo Alto). */
  oneStoreyIsFloorArea: optional(Type.Boolean()),
})
export type CoverageRule = Static<typeof Coverage>

const DistrictEntry = closedObject({
  /** The district as the city writes it, then other spellings. */
  codes: list(Type.String({ minLength: 1 }), { minItems: 1 }),
  /** Defaults to true: most districts in the tables are single-family. */
  singleFamily: optional(Type.Boolean()),
  /** False if too little is known to compute how much may be built. Then `unmodelledReason` says what is missing. */
  modelled: Type.Boolean(),
  unmodelledReason: optional(Type.String()),
  minLotSqft: optional(positive),
  maxLotSqft: optional(positive),
  frontageFt: optional(positive),
  floorArea: FloorArea,
  /** Share of the lot that buildings may cover (Nantucket). */
  groundCoverPct: optional(Type.Number({ minimum: 0, maximum: 100 })),
  coverage: optional(Coverage),
  setbacksFt: optional(SetbackRules),
  heightFt: optional(positive),
  /** Set only if the code states it; otherwise it follows from the height. */
  storeys: optional(positive),
  /** The rule counts net area: rights of way, easements and very steep land are excluded. */
  netLot: optional(Type.Boolean()),
  /** A garage counts toward floor area or coverage, so less of the envelope is living space. */
  garageCounts: optional(Type.Boolean()),
  /** How well each rule is known: high = official text, medium = secondary source, low = unverified. */
  confidence: closedObject({
    floorArea: optional(confidence),
    groundCover: optional(confidence),
    coverage: optional(confidence),
    setbacks: optional(confidence),
    height: optional(confidence),
  }),
  source: Type.String({ minLength: 1 }),
  asOf: Type.String({ minLength: 4 }),
  notes: optional.list(Type.String()),
})

export interface District extends Static<typeof DistrictEntry> {
  /** City slug. */
  city: string
  /** Size above which a board decides: the city's dated fact, the same in all its districts. Not a limit. */
  sizeReview?: SizeReview
}

export const ZoningFile = closedObject({
  $schema: optional(Type.String()),
  city: text('City slug, as in cities.json', { minLength: 1 }),
  districts: list(DistrictEntry, { minItems: 1 }),
})
