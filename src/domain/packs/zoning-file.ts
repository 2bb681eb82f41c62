// The format of packs/<id>/zoning/<city>.json. What each rule means is documented on its interface in zoning.ts.
import { type Static, Type } from 'typebox'
import { closedObject, list, literals, optional, text } from '../../common/shape.ts'
import { confidences } from '../facts.ts'
import type { District } from './zoning.ts'

const positive = Type.Number({ minimum: 0 })
const kind = <const K extends string>(name: K) => ({ kind: Type.Literal(name) })
const confidence = literals(confidences)
const garages = closedObject({
  interiorAttached: Type.Number(),
  interiorDetached: Type.Number(),
  cornerAttached: Type.Number(),
  cornerDetached: Type.Number(),
})

const FloorArea = Type.Union([
  closedObject(kind('none')),
  closedObject(kind('unknown')),
  closedObject({ ...kind('ratio'), ratio: positive, capSqft: optional(positive) }),
  closedObject({
    ...kind('tiers'),
    tiers: list(closedObject({ fromSqft: positive, baseSqft: positive, rate: Type.Number(), overSqft: positive })),
    capSqft: optional(positive),
  }),
  closedObject({
    ...kind('slidingRatio'),
    fromSqft: positive,
    fromRatio: positive,
    toSqft: positive,
    toRatio: positive,
  }),
  closedObject({ ...kind('garageAndCorner'), ratio: positive, baseSqft: garages, capSqft: optional(positive) }),
  closedObject({
    ...kind('slopeRatio'),
    points: list(closedObject({ slopePct: positive, ratio: positive, confidence })),
    capSqft: optional(positive),
  }),
  closedObject({
    ...kind('slopeFixed'),
    belowLotSqft: positive,
    points: list(closedObject({ slopePct: positive, sqft: positive })),
    elseSqft: positive,
  }),
  closedObject({ ...kind('mainHouseCap'), sqft: positive }),
  closedObject({
    ...kind('lotUnitFactor'),
    perUnitSqft: positive,
    fallPerSlopePct: positive,
    fallFromSlopePct: positive,
    fallToSlopePct: positive,
    floorSqft: positive,
    smallUnit: positive,
    smallApprovableSqft: positive,
    unitSlopeRate: positive,
    development: closedObject({
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
  closedObject({ pctOfWidth: positive, minFt: positive, maxFt: positive }),
  closedObject({
    byWidth: list(closedObject({ overFt: optional(positive), fromFt: optional(positive), ft: positive })),
  }),
])

const Setbacks = closedObject({
  front: positive,
  side: Side,
  rear: Type.Union([positive, closedObject({ pctOfDepth: positive, minFt: positive, maxFt: positive })]),
  streetSide: optional(positive),
  upper: optional(closedObject({ front: optional(positive), side: optional(positive), rear: optional(positive) })),
})

const DistrictEntry = closedObject({
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
    closedObject({
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
  confidence: closedObject({
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

export const ZoningFile = closedObject({
  $schema: optional(Type.String()),
  city: text('City slug, as in cities.json', { minLength: 1 }),
  districts: list(DistrictEntry, { minItems: 1 }),
})
export type ZoningFile = Static<typeof ZoningFile>

/** Fails to compile when the schema and the interface differ. */
export const districtsIn = (file: ZoningFile): readonly District[] =>
  file.districts.map((district) => ({ ...district, city: file.city }))
