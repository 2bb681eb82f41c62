// The vocabulary of deals.
import type { Static } from 'typebox'
import { literals, number, object, optional } from '../common/shape.ts'

import type { FactName } from '../domain/fact-table.ts'
import type { ListingStatus } from '../domain/facts.ts'
import type { SchemeKind } from '../domain/findings/scheme-kinds.ts'

export const dealStages = ['looking', 'offered', 'under_contract', 'building', 'sold', 'dropped'] as const
export type DealStage = (typeof dealStages)[number]

/** The facts of a home that an owner of a deal may correct. */
export const ownFactNames = [
  'livingSqft',
  'lotSqft',
  'beds',
  'baths',
  'yearBuilt',
  'condition',
] as const satisfies readonly FactName[]
export type OwnFactName = (typeof ownFactNames)[number]
export type OwnFacts = Partial<Record<OwnFactName, number>>

/** What is compared later: of a home as the key could see it on that day, at the market's assumptions. */
export interface DealSnapshot {
  on: string
  price?: number
  status?: ListingStatus
  value?: number
  /** Of a home for sale. */
  scheme?: SchemeKind
  worthUpTo?: number
  roomUsd?: number
}

/** A noticeable change of the decision. */
export interface DealMove {
  at: string
  from: DealSnapshot
  to: DealSnapshot
}

const OwnFactUsed = object('OwnFactUsed', {
  fact: literals(ownFactNames, 'Name of the fact'),
  value: number('Your value, which is used'),
  recorded: optional.number('The recorded value, which it replaces; absent if none is known'),
})
export type OwnFactUsed = Static<typeof OwnFactUsed>

/** In the answers about one home. */
export const ownFactsUsed = {
  ownFacts: optional.list(
    OwnFactUsed,
    'The facts of your deal that this answer is computed with. Scores, ranks and the expected price are those of the recorded facts. Nobody else gets this answer',
  ),
}
