// The use that could bear most for a lot, as rows show it.
import type { Static } from 'typebox'
import { literals, number, object, optional } from '../../common/shape.ts'
import { confidences } from '../facts.ts'
import { schemeKinds } from './scheme-kinds.ts'

export const roomBases = ['expected', 'asking', 'value'] as const

export const Room = object('DecisionRoom', 'What is left between the price to beat and what the home could bear', {
  usd: number('worthUpTo less the price to beat, dollars; negative where the price is too high'),
  low: optional.number('The same in the low case: worthUpToLow less the upper end of that price, dollars'),
  against: literals(roomBases, {
    description:
      'The price to beat: expectedPrice.p50, else the asking price, else for a home that is not for sale its value plus offMarketPremiumPct',
  }),
})

export type Room = Static<typeof Room>

const use = {
  scheme: literals(schemeKinds, { description: 'Kind of use, as in GET /v1/properties/{id}/schemes' }),
  homes: optional.integer('Homes on the land afterward'),
  maximumOffer: number('The price at which it earns its target, dollars'),
  room: optional(Room),
}

export const BestUse = object(
  'BestUse',
  'The use that could bear most for the lot, among those that nobody may refuse, at the market’s assumptions',
  {
    ...use,
    scheme: optional(use.scheme),
    maximumOffer: optional(use.maximumOffer),
    confidence: optional.literals(confidences, { description: 'Confidence of its weakest input' }),
    ifApproved: optional(object('BestUseIfApproved', 'What could bear more, if it is approved', use)),
  },
)
export type BestUse = Static<typeof BestUse>
