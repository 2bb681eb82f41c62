// A scenario: the numbers of the pro forma that a visitor changed. They are in the URL, so that a scenario can be shared, printed and
// compared: terms of one home named as in the what-if operation, and assumptions named as in GET /v1/assumptions.

import { keysOf, tableOf } from '../../common/typed.ts'
import {
  assumptionOf,
  boundsOf,
  type OwnName,
  type OwnNumbers,
  type OwnValues,
  ownNames,
  withNumbers,
} from '../../criteria/own-assumptions.ts'
import { assumptionText } from '../../domain/assumptions/assumption.ts'
import {
  assumptionsFor,
  type FlipAssumptionName,
  flipAssumptionFor,
  flipAssumptionTable,
  isFinalName,
} from '../../domain/assumptions/assumptions.ts'
import type { ProformaAnswer } from '../../domain/findings/proforma.ts'
import { packOf } from '../../domain/packs/use-packs.ts'
import type { InputOf } from '../../wire/operation.ts'
import { runProforma } from '../../wire/operations/properties.ts'
import { inputFieldsOf } from '../contract-fields.ts'
import { capitalized } from '../formats.ts'
import type { HtmlValue } from '../html.ts'
import { dollarsFrom, type Query, readerOf } from '../query.ts'

interface Term {
  label: string
  unit: string
  /** The value in use, from the answer. */
  valueIn(answer: ProformaAnswer): number | undefined
  slider?: Slider
  /** Lowest value a person can mean; the operation accepts less. */
  least?: number
}

/** The slider beside a field: a share of the value around it, or a range. */
export type Slider = { around: number; step: number } | { from: number; to: number; step: number }

/** What describes one home, and not the way of building. */
const terms = {
  price: {
    label: 'purchase price',
    unit: 'usd',
    valueIn: ({ lines }) => lines.find(({ name }) => name === 'purchase')?.usd,
    slider: { around: 0.4, step: 5_000 },
    least: 10_000,
  },
  buildSqft: {
    label: 'house size',
    unit: 'sqft',
    valueIn: ({ proforma }) => proforma.buildSqft,
    slider: { around: 0.5, step: 10 },
  },
  arvPerSqft: {
    label: 'resale price',
    unit: 'usd/sqft',
    valueIn: ({ proforma }) => proforma.arvPerSqft,
    slider: { around: 0.4, step: 5 },
  },
  softCosts: {
    label: 'design, permits and fees',
    unit: 'usd',
    valueIn: ({ proforma }) => proforma.assumptions.softCosts,
  },
  demoCost: { label: 'demolition', unit: 'usd', valueIn: ({ proforma }) => proforma.assumptions.demoCost },
} as const satisfies Partial<Record<keyof InputOf<typeof runProforma>, Term>>

export type TermName = keyof typeof terms
export type ScenarioName = TermName | OwnName
export type Scenario = Partial<Record<ScenarioName, number>>

export const termNames = keysOf(terms)
const scenarioNames: readonly ScenarioName[] = [...termNames, ...ownNames]

const isTerm = (name: ScenarioName): name is TermName => name in terms
const termOf = (name: ScenarioName): Term | undefined => (isTerm(name) ? terms[name] : undefined)

const sliders: Partial<Record<ScenarioName, Slider>> = {
  targetRoiPct: { from: 0, to: 40, step: 1 },
  costPerSqft: { around: 0.5, step: 5 },
  months: { from: 6, to: 48, step: 1 },
  ratePct: { from: 0, to: 18, step: 0.25 },
}

export const sliderOf = (name: ScenarioName): Slider | undefined => termOf(name)?.slider ?? sliders[name]

/** The assumptions that move returns most. */
export const mainAssumptions: readonly OwnName[] = [
  'targetRoiPct',
  'costPerSqft',
  'months',
  'ratePct',
  'contingencyPct',
  'sellingCostPct',
]

const isFlipAssumption = (name: OwnName): name is FlipAssumptionName => name in flipAssumptionTable

const building =
  /^(cost|baseCost|sizeCost|large|finish|one|three|slope|steep|basement|soft|impact|demo|contingency|design|build|extraBuild|saleMonths)/

const groupOf = (name: OwnName): string => {
  if (isFlipAssumption(name)) return 'Renovation and resale'
  if (name.includes('Spread')) return 'Low and high case'
  if (/^(loan|rate|points|propertyTax|insurance)/.test(name)) return 'Financing and holding'
  if (/^(acquisition|selling|transferTax|highTransferTax|target)/.test(name)) return 'Buying and selling'
  return building.test(name) ? 'Building' : 'Other'
}

/** All assumptions that are not among the main ones, by group. */
export const otherAssumptions: ReadonlyMap<string, readonly OwnName[]> = Map.groupBy(
  ownNames.filter((name) => !mainAssumptions.includes(name)),
  groupOf,
)

const wordsOf = (name: ScenarioName): { label: string; unit: string } =>
  isTerm(name) ? terms[name] : assumptionOf(name)

/** "Construction cost, $ per sq ft". */
export const labelOf = (name: ScenarioName): string => {
  const { label, unit } = wordsOf(name)
  return `${capitalized(label)}, ${unit.replace('usd/sqft', '$ per sq ft').replace('usd', '$').replace(/^sqft/, 'sq ft')}`
}

/** "construction cost $650 per sq ft; project duration 30 months". */
export const changedText = (scenario: Scenario): string =>
  scenarioNames
    .flatMap((name) =>
      scenario[name] === undefined ? [] : [assumptionText({ ...wordsOf(name), value: scenario[name] })],
    )
    .join('; ')

export const marketValues = (market: string, city = ''): OwnValues => {
  const pack = packOf(market)
  const values = assumptionsFor(pack, city)
  // Cost and duration differ from home to home: they are in the answer of each.
  const ofMarket = ownNames.filter((name) => !isFinalName(name))
  return tableOf(ofMarket, (name) => (isFlipAssumption(name) ? flipAssumptionFor(pack, name) : values[name]!))
}

/** The value of a home that a field replaces. */
export const valueIn = (name: ScenarioName, answer: ProformaAnswer, usual: OwnValues): number | undefined =>
  name === 'costPerSqft' || name === 'months'
    ? answer.proforma.assumptions[name]
    : isTerm(name)
      ? terms[name].valueIn(answer)
      : usual[name]

const limits = new Map(inputFieldsOf(runProforma).map(({ name, schema }) => [name, schema]))

const rangeOf = (name: ScenarioName): readonly [number, number] => {
  if (!isTerm(name)) return boundsOf(name)
  const term: Term = terms[name]
  const { minimum = 0, maximum = 0 } = limits.get(name) ?? {}
  return [term.least ?? minimum, maximum]
}

export const isAccepted = (name: ScenarioName, value: number): boolean => {
  const [least, most] = rangeOf(name)
  return value >= least && value <= most
}

/** `suffix` names the home in the URL of a comparison. A value that cannot be used is reported and ignored. */
export const readScenario = (query: Query, problems: HtmlValue[], suffix = '', names = scenarioNames): Scenario => {
  const reader = readerOf(query, problems)
  const read = (name: ScenarioName) => {
    const { label, unit } = wordsOf(name)
    const [least, most] = rangeOf(name).map((each) => each.toLocaleString('en-US'))
    const value = numberFrom(query[name + suffix], unit)
    const what =
      unit === 'usd' ? 'dollars' : unit === 'months' ? unit : unit.startsWith('%') ? 'a percentage' : 'a number'
    const accepted = `must be ${what} from ${least} to ${most}${unit === 'usd' ? ', for example 2,900,000 or $2.9M' : ''}`
    const isUsed = value !== undefined && isAccepted(name, value)
    return reader.read(name + suffix, capitalized(label), accepted, isUsed ? value : undefined)
  }
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = read(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The assumptions in the URL of a page about many homes. */
export const readOwn = (query: Query, problems: HtmlValue[]): OwnValues => readScenario(query, problems, '', ownNames)

/** Numbers as people type them: $2.9M, 2,385, 9.5%. */
const numberFrom = (given: unknown, unit: string): number | undefined => {
  const text = typeof given === 'string' ? given.trim() : ''
  if (unit === 'usd') return dollarsFrom(text)
  const digits = text.replace(/[$,%\s]/g, '')
  const value = digits === '' ? Number.NaN : Number(digits)
  return Number.isFinite(value) ? value : undefined
}

export const isChanged = (scenario: Scenario): boolean => Object.keys(scenario).length > 0

/** The assumptions of a scenario, without what describes one home. */
export const ownValuesIn = (scenario: Scenario): OwnValues =>
  Object.fromEntries(ownNames.flatMap((name) => (scenario[name] === undefined ? [] : [[name, scenario[name]]])))

/** A scenario as inputs of operations, over the visitor's set. Without either, the answer is that of the market. */
export const assumptionsIn = (scenario: Scenario, set: OwnNumbers = {}): { assumptions?: Record<string, number> } => {
  const changed = withNumbers(set, ownValuesIn(scenario))
  // The operations also take `byCity`, which the published type of the input leaves out.
  return Object.keys(changed).length > 0 ? { assumptions: changed as Record<string, number> } : {}
}
export const termsIn = (scenario: Scenario): Partial<Record<TermName, number>> =>
  Object.fromEntries(termNames.flatMap((name) => (scenario[name] === undefined ? [] : [[name, scenario[name]]])))

/** As parameters of the URL; in a comparison, what describes a home is named after it. */
export const scenarioParams = (scenario: Scenario, id?: string): Record<string, number> =>
  Object.fromEntries(
    scenarioNames.flatMap((name) => {
      const value = scenario[name]
      return value === undefined ? [] : [[id !== undefined && termOf(name) ? `${name}.${id}` : name, value]]
    }),
  )
