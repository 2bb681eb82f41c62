// The format of packs/<id>/zoning/<city>.json. What each rule means is documented on its interface in zoning.ts.
import { type Static, Type } from 'typebox'
import { list, literals, optional } from '../../common/shape.ts'
import { confidences } from '../facts.ts'
import type { District } from './zoning.ts'

const closed = { additionalProperties: false } as const
const positive = Type.Number({ minimum: 0 })
const kind = <const K extends string>(name: K) => ({ kind: Type.Literal(name) })
const rule = <T extends Type.TProperties>(properties: T) => Type.Object(properties, closed)
const confidence = literals(confidences)
const garages = rule({
  interiorAttached: Type.Number(),
  interiorDetached: Type.Number(),
  cornerAttached: Type.Number(),
  cornerDetached: Type.Number(),
})

const FloorArea = Type.Union([
  rule(kind('none')),
  rule(kind('unknown')),
  rule({ ...kind('ratio'), ratio: positive, capSqft: optional(positive) }),
  rule({
    ...kind('tiers'),
    tiers: list(rule({ fromSqft: positive, baseSqft: positive, rate: Type.Number(), overSqft: positive })),
    capSqft: optional(positive),
  }),
  rule({ ...kind('slidingRatio'), fromSqft: positive, fromRatio: positive, toSqft: positive, toRatio: positive }),
  rule({ ...kind('garageAndCorner'), ratio: positive, baseSqft: garages, capSqft: optional(positive) }),
  rule({
    ...kind('slopeRatio'),
    points: list(rule({ slopePct: positive, ratio: positive, confidence })),
    capSqft: optional(positive),
  }),
  rule({
    ...kind('slopeFixed'),
    belowLotSqft: positive,
    points: list(rule({ slopePct: positive, sqft: positive })),
    elseSqft: positive,
  }),
  rule({ ...kind('mainHouseCap'), sqft: positive }),
  rule({
    ...kind('lotUnitFactor'),
    perUnitSqft: positive,
    fallPerSlopePct: positive,
    fallFromSlopePct: positive,
    fallToSlopePct: positive,
    floorSqft: positive,
    smallUnit: positive,
    smallApprovableSqft: positive,
    unitSlopeRate: positive,
    development: rule({
      perUnitSqft: positive,
      fallPerSlopePct: positive,
      floorSqft: positive,
      smallExtraSqft: positive,
      smallApprovableSqft: positive,
    }),
  }),
])

const Side = Type.Union([
  positive,
  rule({ pctOfWidth: positive, minFt: positive, maxFt: positive }),
  rule({ byWidth: list(rule({ overFt: optional(positive), fromFt: optional(positive), ft: positive })) }),
])

const Setbacks = rule({
  front: positive,
  side: Side,
  rear: Type.Union([positive, rule({ pctOfDepth: positive, minFt: positive, maxFt: positive })]),
  streetSide: optional(positive),
  upper: optional(rule({ front: optional(positive), side: optional(positive), rear: optional(positive) })),
})

const DistrictEntry = rule({
  codes: list(Type.String({ minLength: 1 }), { minItems: 1 }),
  singleFamily: optional(Type.Boolean()),
  modelled: Type.Boolean(),
  unmodelledReason: optional(Type.String()),
  minLotSqft: optional(positive),
  maxLotSqft: optional(positive),
  frontageFt: optional(positive),
  floorArea: FloorArea,
  groundCoverPct: optional(Type.Number({ minimum: 0, maximum: 100 })),
  coverage: optional(
    rule({
      oneStoreyPct: optional(positive),
      twoStoreyPct: optional(positive),
      oneStoreyIsFloorArea: optional(Type.Boolean()),
    }),
  ),
  setbacksFt: optional(Setbacks),
  heightFt: optional(positive),
  storeys: optional(positive),
  netLot: optional(Type.Boolean()),
  garageCounts: optional(Type.Boolean()),
  confidence: rule({
    floorArea: optional(confidence),
    groundCover: optional(confidence),
    coverage: optional(confidence),
    setbacks: optional(confidence),
    height: optional(confidence),
  }),
  source: Type.String({ minLength: 1 }),
  asOf: Type.String({ minLength: 4 }),
  notes: optional(list(Type.String())),
})

export const ZoningFile = Type.Object(
  {
    $schema: optional(Type.String()),
    city: Type.String({ minLength: 1, description: 'City slug, as in cities.json' }),
    districts: list(DistrictEntry, { minItems: 1 }),
  },
  closed,
)
export type ZoningFile = Static<typeof ZoningFile>

/** Fails to compile when the schema and the interface differ. */
export const districtsIn = (file: ZoningFile): readonly District[] =>
  file.districts.map((district) => ({ ...district, city: file.city }))
