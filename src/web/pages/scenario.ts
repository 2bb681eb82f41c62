// A scenario of the pro forma: the assumptions that a visitor changed, kept in the URL so that it can be shared.
import type { InputOf } from '../../contract/operation.ts'
import { runProforma } from '../../contract/operations/properties.ts'
import { inputFieldsOf } from '../contract-fields.ts'
import { dollarsIn, numberIn, type Query, reportInvalid } from '../query.ts'

/** Named as the parameters of the what-if operation. */
export type Scenario = Pick<
  InputOf<typeof runProforma>,
  'price' | 'costPerSqft' | 'buildSqft' | 'arvPerSqft' | 'months' | 'ratePct'
>

export const readScenario = (query: Query, problems: string[]): Scenario => {
  const limits = new Map(inputFieldsOf(runProforma).map(({ name, schema }) => [name, schema]))
  const read = (name: keyof Scenario, label: string, unit: string) => {
    const { minimum = 0, maximum = 0 } = limits.get(name) ?? {}
    const given = unit === 'dollars' ? dollarsIn(query, name) : numberIn(query, name, minimum, maximum)
    const value = given !== undefined && given >= minimum && given <= maximum ? given : undefined
    const accepted = `must be a number of ${unit} from ${minimum.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}`
    return reportInvalid(problems, query, { name, label, accepted }, value)
  }
  const scenario: Scenario = {
    price: read('price', 'Purchase price', 'dollars'),
    costPerSqft: read('costPerSqft', 'Construction cost', 'dollars'),
    buildSqft: read('buildSqft', 'House size', 'square feet'),
    arvPerSqft: read('arvPerSqft', 'Resale price per sq ft', 'dollars'),
    months: read('months', 'Project duration', 'months'),
    ratePct: read('ratePct', 'Loan interest rate', 'percent'),
  }
  return Object.fromEntries(Object.entries(scenario).filter(([, value]) => value !== undefined))
}

export const isChanged = (scenario: Scenario): boolean => Object.keys(scenario).length > 0
