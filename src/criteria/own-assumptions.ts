// A caller's own numbers in place of the assumptions of a market: which names exist, their bounds, and how they are read.
import type { Static } from 'typebox'
import { badRequest } from '../common/errors.ts'
import { list, number, numbersByName, object, optional, text } from '../common/shape.ts'
import { didYouMean } from '../common/suggest.ts'
import { keysOf, tableOf } from '../common/typed.ts'
import {
  type AssumptionName,
  type Assumptions,
  assumptionsFor,
  assumptionTable,
  type FinalName,
  type FlipAssumptionName,
  flipAssumptionTable,
  retiredAssumptions,
} from '../domain/assumptions/assumptions.ts'
import { cityIn, type MarketPack } from '../domain/packs/pack.ts'
import type { SearchRow } from './conditions.ts'

/** Settings of the method: they decide which figures are served and how they are adjusted, not what a project costs. */
const methodSettings: ReadonlySet<string> = new Set([
  'minComps',
  'shrinkWeightHigh',
  'shrinkWeightMedium',
  'shrinkWeightLow',
] satisfies AssumptionName[])

export type OwnName = AssumptionName | FinalName | FlipAssumptionName
export type OwnValues = Readonly<Partial<Record<OwnName, number>>>
/** A caller's own numbers: those for every city, and `byCity` in place of them in single ones. `ownIn` gives those of a city. */
export type OwnNumbers = OwnValues & { readonly byCity?: Readonly<Record<string, OwnValues>> }

export const ownIn = ({ byCity, ...values }: OwnNumbers, citySlug: string): OwnValues =>
  byCity?.[citySlug] ? { ...values, ...byCity[citySlug] } : values

/** `later` replaces `earlier`, also where that has numbers for a city. */
export const withNumbers = (earlier: OwnNumbers, later: OwnNumbers): OwnNumbers => {
  const { byCity: before = {}, ...values } = earlier
  const { byCity: after = {}, ...replaced } = later
  const slugs = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const byCity = Object.fromEntries(slugs.map((slug) => [slug, { ...before[slug], ...replaced, ...after[slug] }]))
  return { ...values, ...replaced, ...(slugs.length > 0 ? { byCity } : {}) }
}

export const ownNames: readonly OwnName[] = [...keysOf(assumptionTable), ...keysOf(flipAssumptionTable)].filter(
  (name) => !methodSettings.has(name),
)

const ownTable = { ...flipAssumptionTable, ...assumptionTable }

export const assumptionOf = (name: OwnName) => ownTable[name]

export const isOwnName = (name: string): name is OwnName => ownNames.some((each) => each === name)

/** Of other kinds of projects: a target that the caller gives for new houses replaces those that he does not give. */
const otherTargets = [
  'targetRenovatePct',
  'targetUnitPct',
  'targetTwoUnitsPct',
  'targetSplitPct',
  'targetSmallLotsPct',
  'targetTransitPct',
  'targetDividePct',
] as const satisfies readonly AssumptionName[]

const boundsByName: Partial<Record<OwnName, readonly [number, number]>> = {
  months: [1, 120],
  ...tableOf(['targetRoiPct', ...otherTargets], () => [-50, 200] as const),
  costChangePct: [-90, 300],
  finishPct: [-50, 200],
  basementCostPct: [0, 300],
  costSizeExponent: [0, 1],
  buildMonthsPer1000Sqft: [0, 20],
  // The new house must be larger than the old one.
  buildSizeMultiple: [1.1, 20],
  costFactor: [0.1, 10],
  ownerWillLive: [0, 1],
  offMarketPremiumPct: [0, 200],
  // Divisors.
  aduNetCapRatePct: [0.5, 50],
  targetHoldYieldPct: [0.1, 100],
  aduCostPerSqft: [1, 10_000],
  aduConversionCostPerSqft: [1, 10_000],
}
const boundsByUnit: Readonly<Record<string, readonly [number, number]>> = {
  '%': [0, 100],
  usd: [0, 1e9],
  sqft: [0, 100_000],
  months: [0, 120],
}

/** What a caller may enter. The range of the table is what is usual. */
export const boundsOf = (name: OwnName): readonly [number, number] => {
  const { unit } = assumptionOf(name)
  return boundsByName[name] ?? boundsByUnit[unit.startsWith('%') ? '%' : unit] ?? [0, 10_000]
}

/** `targetReturnPct` is another name of `targetRoiPct`. */
export const oneTarget = <T extends { targetRoiPct?: number; targetReturnPct?: number }>(
  given: T,
): Omit<T, 'targetReturnPct'> => {
  const { targetReturnPct, ...rest } = given
  if (targetReturnPct === undefined) return rest
  if (rest.targetRoiPct !== undefined && rest.targetRoiPct !== targetReturnPct)
    throw badRequest(
      `targetReturnPct and targetRoiPct are two names of one value: ${targetReturnPct} and ${rest.targetRoiPct} differ. Give one of them.`,
    )
  return { ...rest, targetRoiPct: targetReturnPct }
}

/** Checks names and bounds. `field` is the name of the input, for error messages. A retired name is left out: see `retiredIn`. */
export const readOwnValues = (given: Readonly<Record<string, unknown>>, field: string): OwnValues => {
  if (Array.isArray(given)) throw badRequest(`${field} must be an object, for example {"costPerSqft": 650}.`)
  const read: Record<string, number> = {}
  for (const [name, value] of Object.entries(oneTarget(given))) {
    if (Object.hasOwn(retiredAssumptions, name)) continue
    if (!isOwnName(name))
      throw badRequest(
        `${field}.${name.slice(0, 60)} is not an assumption.${didYouMean(name, [...ownNames, 'targetReturnPct'])} GET /v1/assumptions lists the names.`,
      )
    const [least, most] = boundsOf(name)
    if (typeof value !== 'number' || !(value >= least && value <= most))
      throw badRequest(
        `${field}.${name} must be a number from ${least} to ${most} (${assumptionOf(name).unit}), for example ${assumptionOf(name).value}.`,
      )
    read[name] = value
  }
  return read
}

/** The names of earlier versions among these, with what replaces them. */
export const retiredIn = (given: Readonly<Record<string, unknown>>): { name: string; text: string }[] =>
  Object.entries(retiredAssumptions).flatMap(([name, text]) => (Object.hasOwn(given, name) ? [{ name, text }] : []))

/** A stored set. A name that this version does not have any more is left out, and so is a city. */
export const readStoredNumbers = (
  values: Readonly<Record<string, number>>,
  byCity: Readonly<Record<string, Readonly<Record<string, number>>>> | null = null,
): OwnNumbers => ({
  ...readStoredValues(values),
  ...(byCity && { byCity: tableOf(Object.keys(byCity), (slug) => readStoredValues(byCity[slug]!)) }),
})

const readStoredValues = (values: Readonly<Record<string, number>>): OwnValues =>
  Object.assign(
    {},
    ...Object.entries(values).map(([name, value]) => {
      try {
        return readOwnValues({ [name]: value }, 'values')
      } catch {
        return {}
      }
    }),
  )

/** Makes the function that gives a searchable row its returns at own assumptions. `permitTimes`: the market's model of that name. */
export type OwnRows = (values: OwnNumbers, permitTimes: object | undefined) => (row: SearchRow) => SearchRow

/**
 * The assumptions of a city with the caller's own. A selling cost that the caller gives is the whole cost of the sale, as in
 * `proforma.assumptions`: it replaces the market's transfer tax, and a tax that the caller gives too is added.
 */
export const assumptionsWith = (numbers: OwnNumbers, pack: MarketPack | undefined, city: string): Assumptions => {
  const values = ownIn(numbers, cityIn(pack, city)?.slug ?? '')
  return {
    ...withCostChange(assumptionsFor(pack, city), values.costChangePct ?? 0),
    ...(values.sellingCostPct === undefined ? {} : { transferTaxPct: 0, highTransferTaxPct: 0 }),
    ...(values.targetRoiPct === undefined ? {} : tableOf(otherTargets, () => values.targetRoiPct!)),
    ...values,
  }
}

/** What `costChangePct` changes. Costs of units follow the base cost. */
const marketCosts = ['baseCostPerSqft', 'demoBaseUsd', 'demoPerSqftUsd'] as const satisfies readonly AssumptionName[]

const withCostChange = (assumptions: Assumptions, pct: number): Assumptions =>
  pct === 0 ? assumptions : { ...assumptions, ...tableOf(marketCosts, (name) => assumptions[name] * (1 + pct / 100)) }

export const retiredList = list(
  object('RetiredAssumption', { name: text('Name of an earlier version'), text: text('What replaces it') }),
  'Names of an earlier version that were given; they have no effect',
)

export const AssumptionsUsed = object(
  'AssumptionsUsed',
  'Your own assumptions behind the returns of this answer. Scores, ranks and the default order do not use them',
  {
    id: optional.text('The assumption set; absent when the values were given in the request'),
    name: optional.text('Name of the set'),
    retired: optional(retiredList),
    atMarket: optional.texts('In lists: the fields, criteria and sort keys that still use the market’s assumptions'),
    changed: list(
      object('OwnAssumption', {
        name: text('Name of the assumption'),
        value: number('The value used'),
        city: optional.text('Slug of the only city that it is used in'),
      }),
      'The assumptions that replace those of the market',
    ),
  },
)
export type AssumptionsUsed = Static<typeof AssumptionsUsed>

/** In the answers of operations that take own assumptions. */
export const assumptionsUsed = { assumptions: optional(AssumptionsUsed) }

/** Names and bounds are checked by `readOwnValues`, which suggests corrections. */
export const ownValuesOptions = {
  examples: [{ costPerSqft: 650, months: 30 }],
  'x-checked-by-operation': 'an object of names and numbers',
}

export const assumptionSet = optional.text('Id of one of your assumption sets, used for returns', {
  maxLength: 64,
  examples: ['as_3Fd9'],
})

/** The inputs of operations that compute returns. */
export const ownInputs = {
  assumptionSet,
  assumptions: optional(
    numbersByName(
      'Your own assumptions for returns: names of GET /v1/assumptions and numbers. They replace those of assumptionSet. In a query: JSON',
      ownValuesOptions,
    ),
  ),
}
