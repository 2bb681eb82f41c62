import { Type } from 'typebox'
import { choices, optional } from '../../common/shape.ts'
import {
  priceIndexBasis,
  SeriesDescription,
  SeriesPeriod,
  seriesIntervals,
  seriesMetrics,
} from '../../domain/findings/market-series.ts'
import { describe } from '../operation.ts'
import { listOf } from '../pagination.ts'
import { asOf, examplePlace, listExample } from './examples.ts'
import { cursor, market, oneCity, page } from './paging.ts'

const list = listOf(SeriesPeriod)

export const getMarketSeries = describe({
  name: 'get_market_series',
  title: 'Market series',
  tag: 'Markets',
  path: '/v1/market-series',
  shared: true,
  summary:
    'Prices, sales, supply and permits of a market, a city or a ZIP code by month, quarter or year, newest first.',
  description:
    'Prices, ratios and days of fewer than 5 records are withheld, and so are figures from which they would follow by subtraction (suppressed). Counts are always shown. A period without records is left out; a missing figure is unknown. A key with a history window reads the periods that begin within it.',
  errors: [404],
  input: Type.Object({
    market,
    city: oneCity,
    zip: optional.text('ZIP code, instead of city', { format: 'zip-code', maxLength: 5, examples: ['94025'] }),
    metric: choices(seriesMetrics, 'Only these figures; defaults to all', {
      examples: [['medianSalePrice', 'homesSold']],
    }),
    interval: optional.literals(seriesIntervals, 'Length of a period; defaults to month'),
    ...page,
    cursor,
  }),
  output: Type.Object({
    ...list.properties,
    series: SeriesDescription,
    notAssessed: optional.text('Set while the figures of the market are not computed yet'),
  }),
  example: {
    input: { city: examplePlace.city, metric: ['medianSalePrice', 'priceIndex', 'homesSold'], interval: 'quarter' },
    output: listExample(
      { period: '2026-07-01', n: 41, medianSalePrice: 3_120_000, priceIndex: 118.4, homesSold: 41 },
      {},
      null,
      {
        series: {
          market: examplePlace.market,
          city: examplePlace.city,
          citySlug: examplePlace.citySlug,
          interval: 'quarter' as const,
          computedAt: asOf,
          priceIndexBasis,
          sample: true,
          sources: [{ title: 'Sample sales', licence: 'Generated sample data, Apache-2.0', sample: true }],
        },
      },
    ),
  },
})
