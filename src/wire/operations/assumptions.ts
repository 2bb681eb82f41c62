import { Type } from 'typebox'
import {
  dateTime,
  flag,
  literals,
  number,
  numbersByCity,
  numbersByName,
  object,
  optional,
  text,
} from '../../common/shape.ts'
import { ownValuesOptions, retiredList } from '../../criteria/own-assumptions.ts'
import { confidences } from '../../domain/facts.ts'
import { describe } from '../operation.ts'
import { listOf } from '../pagination.ts'
import { asOf, examplePlace, listExample } from './examples.ts'
import { market } from './paging.ts'
import { resource } from './resource.ts'

const AssumptionItem = object('Assumption', {
  name: text('Name, as assumptions and assumption sets take it'),
  label: text('The assumption in words'),
  unit: text('Unit'),
  value: number('Value of the market'),
  min: number('Lowest value you may enter'),
  max: number('Highest value you may enter'),
  usualMin: number('What is usual, from'),
  usualMax: number('What is usual, to'),
  byCity: optional(numbersByName('City slug to value, where it differs')),
  isDefault: flag('True where the market has no value of its own'),
  reason: text('Why this number'),
  source: text('Where it comes from'),
  confidence: literals(confidences, 'Confidence'),
})

export const listAssumptions = describe({
  name: 'list_assumptions',
  title: 'Assumptions',
  tag: 'Assumptions',
  path: '/v1/assumptions',
  shared: true,
  summary: 'Every assumption behind returns, with the value of the market, its bounds, reason and source.',
  input: Type.Object({ market }),
  output: listOf(AssumptionItem),
  example: {
    input: { market: examplePlace.market },
    output: listExample(
      {
        name: 'costPerSqft',
        label: 'construction cost',
        unit: 'usd/sqft',
        value: 600,
        min: 0,
        max: 10_000,
        usualMin: 350,
        usualMax: 1_000,
        isDefault: false,
        reason: 'Speculative house of good quality',
        source: 'Builders’ guides of 2026',
        confidence: 'medium' as const,
      },
      {},
    ),
  },
})

const name = text('Name of the set', { minLength: 1, maxLength: 80, examples: ['My builder'] })
const values = numbersByName('Names of GET /v1/assumptions and your numbers', ownValuesOptions)
const byCity = optional(
  numbersByCity('City slug to names and numbers, used in place of values in that city. A PUT without it removes it', {
    examples: [{ 'springfield-il': { costPerSqft: 700 } }],
    'x-checked-by-operation': 'an object of city slugs, names and numbers',
  }),
)
const setMarket = optional.text('The only market it is for; without it, every market', {
  format: 'market',
  maxLength: 60,
})

const AssumptionSet = object('AssumptionSet', {
  id: text('Pass as assumptionSet'),
  name: text('Name of the set'),
  market: optional.text('The only market it is for'),
  values: numbersByName('Your numbers by name'),
  byCity: optional(numbersByCity('City slug to names and numbers, used in place of values in that city')),
  retired: optional(retiredList),
  createdAt: dateTime('When it was made'),
  updatedAt: dateTime('When it was last changed'),
})

const exampleSet = {
  id: 'as_3Fd9',
  name: 'My builder',
  values: { costPerSqft: 650, months: 30 },
  createdAt: asOf,
  updatedAt: asOf,
}
const sets = resource({
  tag: 'Assumptions',
  path: '/v1/assumption-sets',
  one: 'assumption_set',
  many: 'assumption_sets',
  id: 'Id of the set',
  row: AssumptionSet,
  example: exampleSet,
})
const exampleInput = { name: exampleSet.name, values: exampleSet.values }

export const listAssumptionSets = sets.list({
  title: 'Your assumption sets',
  summary: 'The assumption sets of this key.',
})

export const createAssumptionSet = sets.create({
  title: 'Save an assumption set',
  summary: 'Saves your own numbers; pass the id as assumptionSet to compute returns with them.',
  description: 'A free key may have 1 set, a Pro key 20.',
  input: { name, market: setMarket, values, byCity },
  output: sets.single,
  example: { input: exampleInput, output: sets.singleExample },
})

export const getAssumptionSet = sets.get({
  title: 'One assumption set',
  summary: 'One assumption set of this key.',
})

export const updateAssumptionSet = sets.update({
  title: 'Change an assumption set',
  summary: 'Replaces the name, market and numbers of a set.',
  input: { id: sets.id, name, market: setMarket, values, byCity },
  output: sets.single,
  example: { input: { id: exampleSet.id, ...exampleInput }, output: sets.singleExample },
})

export const deleteAssumptionSet = sets.remove({ title: 'Delete an assumption set', summary: 'Deletes a set.' })
