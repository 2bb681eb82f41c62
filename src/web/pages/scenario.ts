// A scenario: the assumptions of the pro forma that a visitor changed. They are in the URL, named as the parameters of the what-if
// operation, so that a scenario can be shared, printed and compared.
import type { InputOf } from '../../contract/operation.ts'
import { runProforma } from '../../contract/operations/properties.ts'
import type { ProformaAnswer } from '../../contract/proforma.ts'
import { inputFieldsOf } from '../contract-fields.ts'
import { dollarsFrom, type Query, reportInvalid } from '../query.ts'

export const unitWords = {
  dollars: '$',
  'dollars per sq ft': '$ per sq ft',
  'square feet': 'sq ft',
  months: 'months',
  percent: '%',
} as const

type Unit = keyof typeof unitWords

interface Field {
  label: string
  unit: Unit
  /** The value in use, from the answer. */
  valueIn(answer: ProformaAnswer): number | undefined
  /** Whether it describes one home and not the way of building. */
  ofHome?: boolean
  /** The slider beside the field: a share of the value around it, or a range. */
  slider?: { around: number; step: number } | { from: number; to: number; step: number }
  /** Lowest value a person can mean; the operation accepts less. */
  least?: number
}

export type ScenarioName = keyof typeof scenarioFields
export type Scenario = Partial<Record<ScenarioName, number>>

/** In the order of the form. The fields without a slider are behind "More assumptions". */
export const scenarioFields = {
  price: {
    label: 'Purchase price',
    unit: 'dollars',
    valueIn: ({ lines }) => lines.find(({ name }) => name === 'purchase')?.usd,
    ofHome: true,
    slider: { around: 0.4, step: 5_000 },
    least: 10_000,
  },
  targetRoiPct: {
    label: 'Target return',
    unit: 'percent',
    valueIn: ({ maximumOffer }) => maximumOffer?.targetRoiPct,
    slider: { from: 0, to: 40, step: 1 },
  },
  buildSqft: {
    label: 'House size',
    unit: 'square feet',
    valueIn: ({ proforma }) => proforma.buildSqft,
    ofHome: true,
    slider: { around: 0.5, step: 10 },
  },
  arvPerSqft: {
    label: 'Resale price',
    unit: 'dollars per sq ft',
    valueIn: ({ proforma }) => proforma.arvPerSqft,
    ofHome: true,
    slider: { around: 0.4, step: 5 },
  },
  costPerSqft: {
    label: 'Construction cost',
    unit: 'dollars per sq ft',
    valueIn: ({ proforma }) => proforma.assumptions.costPerSqft,
    slider: { around: 0.5, step: 5 },
  },
  months: {
    label: 'Project duration',
    unit: 'months',
    valueIn: ({ proforma }) => proforma.assumptions.months,
    slider: { from: 6, to: 48, step: 1 },
  },
  ratePct: {
    label: 'Loan interest rate',
    unit: 'percent',
    valueIn: ({ proforma }) => proforma.assumptions.ratePct,
    slider: { from: 0, to: 18, step: 0.25 },
  },
  softCosts: {
    label: 'Design, permits and fees',
    unit: 'dollars',
    valueIn: ({ proforma }) => proforma.assumptions.softCosts,
    ofHome: true,
  },
  demoCost: {
    label: 'Demolition',
    unit: 'dollars',
    valueIn: ({ proforma }) => proforma.assumptions.demoCost,
    ofHome: true,
  },
  contingencyPct: {
    label: 'Contingency',
    unit: 'percent',
    valueIn: ({ proforma }) => proforma.assumptions.contingencyPct,
  },
  sellingCostPct: {
    label: 'Selling cost and transfer tax',
    unit: 'percent',
    valueIn: ({ proforma }) => proforma.assumptions.sellingCostPct,
  },
} as const satisfies Partial<Record<keyof InputOf<typeof runProforma>, Field>>

export const scenarioNames = Object.keys(scenarioFields) as ScenarioName[]

export const fieldOf = (name: ScenarioName): Field => scenarioFields[name]

const limits = new Map(inputFieldsOf(runProforma).map(({ name, schema }) => [name, schema]))

/** Whether the what-if operation accepts the value. */
export const isAccepted = (name: ScenarioName, value: number): boolean => {
  const { minimum = value, maximum = value } = limits.get(name) ?? {}
  return value >= minimum && value <= maximum
}

/** `suffix` names the home in the URL of a comparison. A value that cannot be used is reported and ignored. */
export const readScenario = (query: Query, problems: string[], suffix = ''): Scenario => {
  const read = (name: ScenarioName) => {
    const { label, unit, least } = fieldOf(name)
    const { minimum = 0, maximum = 0 } = limits.get(name) ?? {}
    const from = least ?? minimum
    const value = numberFrom(query[name + suffix], unit)
    const accepted = `must be ${unit} from ${from.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}${unit === 'dollars' ? ', for example 2,900,000 or $2.9M' : ''}`
    const isUsed = value !== undefined && value >= from && isAccepted(name, value)
    return reportInvalid(problems, query, { name: name + suffix, label, accepted }, isUsed ? value : undefined)
  }
  return Object.fromEntries(
    scenarioNames.flatMap((name) => {
      const value = read(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Numbers as people type them: $2.9M, 2,385, 9.5%. */
const numberFrom = (given: unknown, unit: Unit): number | undefined => {
  const text = typeof given === 'string' ? given.trim() : ''
  if (unit === 'dollars') return dollarsFrom(text)
  const digits = text.replace(/[$,%\s]/g, '')
  const value = digits === '' ? Number.NaN : Number(digits)
  return Number.isFinite(value) ? value : undefined
}

export const isChanged = (scenario: Scenario): boolean => Object.keys(scenario).length > 0

/** As parameters of the URL; in a comparison, what describes a home is named after it. */
export const scenarioParams = (scenario: Scenario, id?: string): Record<string, number> =>
  Object.fromEntries(
    scenarioNames.flatMap((name) => {
      const value = scenario[name]
      return value === undefined ? [] : [[id !== undefined && fieldOf(name).ofHome ? `${name}.${id}` : name, value]]
    }),
  )
