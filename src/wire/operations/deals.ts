import { Type } from 'typebox'
import { dateTime, list, literals, numbersByName, object, optional, text } from '../../common/shape.ts'
import { tableOf } from '../../common/typed.ts'
import { ownValuesOptions } from '../../criteria/own-assumptions.ts'
import { factShapes } from '../../domain/fact-shapes.ts'
import { factTable } from '../../domain/fact-table.ts'
import { listingStatuses } from '../../domain/facts.ts'
import { Decision } from '../../domain/findings/decision.ts'
import { schemeKinds } from '../../domain/findings/scheme-kinds.ts'
import { dealStages, type OwnFactName, ownFactNames } from '../deals.ts'
import { singleOf } from '../pagination.ts'
import { asOf, place } from './examples.ts'
import { ownNote, resource } from './resource.ts'

const yearRange = [1600, 2100] as const
const ownFact = (name: OwnFactName) => {
  const { label, unit, range = yearRange, type } = factTable[name]
  const [minimum, maximum] = range
  const about = { minimum, maximum, description: `Your ${label}${unit ? `, ${unit}` : ''}` }
  return optional(type === 'number' ? Type.Number(about) : Type.Integer(about))
}

/** Of the price that the owner of a deal has in mind. */
export const priceLimits = { minimum: 1, maximum: 1e9 }

const content = {
  stage: optional.literals(dealStages, 'How far it is; defaults to looking'),
  scheme: optional.literals(schemeKinds, 'What you plan to do with it'),
  price: optional.number('The price you have in mind, dollars', { ...priceLimits, examples: [2_400_000] }),
  assumptions: optional(
    numbersByName('Your own assumptions for this deal: names of GET /v1/assumptions and numbers', ownValuesOptions),
  ),
  note: ownNote('Your note, which is also that of the saved home; control characters are removed'),
  facts: optional(
    Type.Object(tableOf(ownFactNames, ownFact) as { [Name in OwnFactName]: ReturnType<typeof ownFact> }, {
      description:
        'Your corrections of the facts of the home. Your answers about it are computed with them; nobody else sees them',
      examples: [{ livingSqft: 1_650 }],
    }),
  ),
}

export const DealChange = object('DealChange', {
  what: literals(['price', 'status', 'value', 'bestUse', 'room', 'worthUpTo'], 'What changed'),
  text: text('The change in words'),
  from: optional.text('The use or status before'),
  to: optional.text('The use or status now'),
  fromUsd: optional.number('Dollars before'),
  toUsd: optional.number('Dollars now'),
})

const DealNow = object(
  'DealNow',
  'The home today. In a list, decision is that of a home for sale, at the assumptions of the market; in a single deal it is computed with your assumptions and facts',
  {
    price: optional.number('List price, dollars'),
    status: optional.literals(listingStatuses, 'Listing status; absent for a home that is not listed'),
    decision: optional(Decision),
    changedSince: list(
      DealChange,
      'What changed since it was saved, at the assumptions of the market and the recorded facts',
    ),
  },
)

const Deal = object('Deal', {
  id: text('Id of the deal'),
  propertyId: text('Property identifier'),
  watchId: text('The saved home; deleting it deletes the deal'),
  address: optional.text('Street address'),
  city: optional.text('City'),
  stage: literals(dealStages, 'How far it is'),
  scheme: optional.literals(schemeKinds, 'What you plan to do with it'),
  price: optional.number('The price you have in mind, dollars'),
  assumptions: optional(numbersByName('Your own assumptions by name')),
  note: optional.text('Your note'),
  facts: optional(
    object(
      'OwnFacts',
      tableOf(ownFactNames, (name) => factShapes[name]),
    ),
  ),
  now: DealNow,
  createdAt: dateTime('When it was made'),
  updatedAt: dateTime('When it was last changed'),
})

const exampleContent = {
  stage: 'offered' as const,
  scheme: 'new_house' as const,
  price: 2_400_000,
  note: 'Ask about the easement',
  facts: { livingSqft: 1_650 },
}
const deals = resource({
  tag: 'Deals',
  path: '/v1/deals',
  one: 'deal',
  many: 'deals',
  id: 'Id of the deal',
  row: Deal,
  example: {
    id: 'deal_4Kp2',
    propertyId: place.id,
    watchId: 'wat_3Fd9',
    address: place.address,
    city: place.city,
    ...exampleContent,
    now: {
      price: 2_550_000,
      status: 'active',
      decision: {
        scheme: 'new_house',
        text: 'Works at $2.41M or less as a new house, 4% below the expected price.',
        worthUpTo: 2_414_000,
        room: { usd: -96_000, against: 'expected' },
        approval: 'ministerial',
        conditions: [],
        confidence: 'medium',
        asOf: '2026-11-15',
      },
      changedSince: [
        {
          what: 'price',
          text: 'Price cut from $2,700,000 to $2,550,000 (−5.6%)',
          fromUsd: 2_700_000,
          toUsd: 2_550_000,
        },
      ],
    },
    createdAt: asOf,
    updatedAt: asOf,
  },
})
const { id, single, singleExample } = deals

export const createDeal = deals.create({
  title: 'Save a deal',
  summary: 'Saves a home that you may buy, with its stage and your own numbers and facts.',
  description:
    'Creating a deal also saves the home if it is not saved yet. Saving a home creates a deal in the stage `looking`. If that deal has no content except a note, this operation updates it; otherwise it returns 400 with the id of the existing deal. A free key may have 5 deals beyond looking, a Pro key 500; keys of one mailbox share them.',
  input: {
    propertyId: text('Property identifier, from a list or a lookup', { minLength: 1, maxLength: 64 }),
    ...content,
  },
  output: singleOf(Deal),
  example: { input: { propertyId: place.id, ...exampleContent }, output: singleExample },
  errors: [404],
})

export const listDeals = deals.list({ title: 'Your deals', summary: 'The deals of this key, oldest first.' })

export const getDeal = deals.get({
  title: 'One deal',
  summary: 'One deal of this key, with the decision at your own assumptions and facts.',
})

export const updateDeal = deals.update({
  title: 'Change a deal',
  summary: 'Replaces everything about a deal but its home; what is left out gets its default.',
  input: { id, ...content },
  output: single,
  example: { input: { id: 'deal_4Kp2', ...exampleContent }, output: singleExample },
})

export const deleteDeal = deals.remove({
  title: 'Delete a deal',
  summary: 'Deletes a deal. Its saved home stays.',
})
