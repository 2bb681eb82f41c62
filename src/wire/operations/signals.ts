import { Type } from 'typebox'
import { object } from '../../common/shape.ts'
import { assumptionsUsed, ownInputs } from '../../criteria/own-assumptions.ts'
import { listingCriteria } from '../../criteria/vocabulary.ts'
import { describe } from '../operation.ts'
import { searchOf } from '../pagination.ts'
import { PropertySignal } from '../property.ts'
import { examplePlace, listExample, place, proforma, source } from './examples.ts'
import { listControls } from './paging.ts'

export const listMarketSignals = describe({
  name: 'list_market_signals',
  title: 'Market signals',
  tag: 'Properties',
  path: '/v1/market-signals',
  shared: true,
  ownInputs: Object.keys(ownInputs),
  oneMarket: true,
  summary: 'Listings ranked by the rule of their market: teardown, flip and charm, or redevelopment.',
  description:
    'One row per property: its most recent listing, if active, coming soon, pending or sold. Ordered by rankScore, highest first, by default. status=for_sale lists what can be bought now. GET /v1/properties/{id} explains the scores.',
  input: Type.Object({
    ...listingCriteria,
    ...ownInputs,
    ...listControls(['-developerROI', 'price'], ['address', 'price', 'metadata.lotSize']),
  }),
  output: object('MarketSignalList', { ...searchOf(PropertySignal).properties, ...assumptionsUsed }),
  example: {
    input: { city: examplePlace.city, status: ['for_sale'], limit: 1 },
    output: listExample(
      {
        ...place,
        price: 2_681_500,
        status: 'active' as const,
        teardownScore: 31,
        flippabilityScore: 44,
        rankScore: 31.4,
        returnPct: -1.4,
        developerROI: -2.4,
        conditionScore: 48,
        proformaROI: 12.2,
        proforma,
        metadata: {
          sqft: 1_400,
          lotSize: 7_500,
          daysOnMarket: 12,
          listedDate: '2026-11-03',
          yearBuilt: 1951,
          beds: 3,
          baths: 2,
        },
        source,
      },
      {},
      { days: 30, oldestDate: '2026-10-16' },
      {
        applied: {
          market: examplePlace.market,
          city: examplePlace.city,
          status: ['active', 'coming_soon'],
          sort: ['-rankScore'],
        },
      },
    ),
  },
})
