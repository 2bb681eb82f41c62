import { Type } from 'typebox'
import { list, optional } from '../../common/shape.ts'
import { Accuracy, Coverage, LiveAccuracy, OverlayCoverage } from '../../domain/findings/coverage-and-accuracy.ts'
import { describe } from '../operation.ts'
import { listOf } from '../pagination.ts'
import { asOf, examplePlace, listExample } from './examples.ts'
import { city, cursor, page } from './paging.ts'

const onlyMarket = optional.text('Market id; without it, all markets', { format: 'market', maxLength: 60 })

export const getCoverage = describe({
  name: 'get_coverage',
  title: 'Coverage and freshness',
  tag: 'Trust',
  path: '/v1/coverage',
  shared: true,
  // Whether a source is stale changes with the hour, without any data changing.
  sharedSeconds: 60,
  summary: 'Data loaded per city and data set: how fresh it is, where it came from and how many rows were rejected.',
  input: Type.Object({ market: onlyMarket, city, ...page, cursor }),
  output: Type.Object({
    ...listOf(Coverage).properties,
    overlays: list(
      OverlayCoverage,
      'Parcels by overlay and market, from maps and parcel feeds; an overlay that is known of none is left out',
    ),
  }),
  example: {
    input: { city: examplePlace.city },
    output: {
      ...listExample(
        {
          market: examplePlace.market,
          city: examplePlace.city,
          citySlug: examplePlace.citySlug,
          dataset: 'permits' as const,
          rows: 4_120,
          newestRecord: '2026-11-14',
          lastRunAt: asOf,
          refused: 3,
          gone: 0,
          stale: false,
          sources: [
            {
              id: 'sample-permits',
              title: 'Sample permits',
              licence: 'Generated sample data, Apache-2.0',
              sample: true,
            },
          ],
        },
        {},
      ),
      overlays: [{ market: examplePlace.market, overlay: 'floodZone' as const, yes: 212, no: 4_806, unknown: 38 }],
    },
  },
})

export const getAccuracy = describe({
  name: 'get_accuracy',
  title: 'Measured accuracy',
  tag: 'Trust',
  path: '/v1/accuracy',
  shared: true,
  summary:
    'Measured accuracy of each model, with the date, the data and the version, and how its forecasts compare with later sales.',
  input: Type.Object({ market: onlyMarket, ...page, cursor }),
  output: Type.Object({
    ...listOf(Accuracy).properties,
    live: list(LiveAccuracy, 'Forecasts made before a sale, scored after it, by month; on every page'),
  }),
  example: {
    input: {},
    output: {
      ...listExample(
        {
          model: 'value-held-out',
          market: examplePlace.market,
          measuredAt: asOf,
          data: '8,120 sales held, each valued by a model fitted without it',
          modelVersion: '4/2026-11-15',
          measures: {
            n: 8_120,
            mdape: 6.6,
            within10: 68.2,
            within20: 91.5,
            medianRatio: 1,
            cod: 9.1,
            prd: 1.01,
            prb: -0.01,
          },
        },
        {},
      ),
      live: [
        {
          market: examplePlace.market,
          city: examplePlace.city,
          model: 'value' as const,
          month: '2026-10',
          n: 41,
          mdape: 6.9,
          within10: 66,
          withinRange: 78,
          medianRatio: 1.01,
          band: { medianRatio: { low: 0.95, high: 1.05 }, withinRange: { low: 63.4, high: 95.1 } },
          outside: [],
        },
      ],
    },
  },
})
