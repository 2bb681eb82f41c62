import { Type } from 'typebox'
import { choices, list, optional } from '../../common/shape.ts'
import { SeriesSource } from '../../domain/findings/market-series.ts'
import { describe } from '../operation.ts'
import { listOf } from '../pagination.ts'
import { fewestPermits, PermitTimeline, timelineGroups } from '../permit-timelines.ts'
import { examplePlace, listExample } from './examples.ts'
import { cursor, kindsOfWork, market, oneCity, page } from './paging.ts'

const day = (description: string) => optional.text(description, { format: 'date' })

export const getPermitTimelines = describe({
  name: 'get_permit_timelines',
  title: 'Permit timelines',
  tag: 'Permits',
  path: '/v1/permit-timelines',
  shared: true,
  summary: 'Days from application to issue and from issue to the final inspection, with open permits counted.',
  description: `Kaplan–Meier: a permit that is still open counts up to the newest date of its city. Cancelled and expired applications count as never issued. Groups of fewer than ${fewestPermits} permits show n only. A key with a history window reads permits applied for within it.`,
  errors: [404],
  input: Type.Object({
    market,
    city: oneCity,
    permitClass: kindsOfWork,
    minValuation: optional.number('Dollars', { minimum: 0, examples: [500_000] }),
    from: day('Applied for on or after this date'),
    to: day('Applied for on or before this date'),
    groupBy: choices(timelineGroups, 'One row for each; without it, one row for all', {
      examples: [['city', 'permitClass']],
    }),
    ...page,
    cursor,
  }),
  output: Type.Object({
    ...listOf(PermitTimeline).properties,
    sources: list(SeriesSource, 'Where the permits come from'),
  }),
  example: {
    input: { city: examplePlace.city, permitClass: ['new_house'], groupBy: ['city'] },
    output: listExample(
      {
        city: examplePlace.city,
        citySlug: examplePlace.citySlug,
        n: 64,
        open: 7,
        toIssue: { n: 64, p25: 171, p50: 240, p80: 352, p90: 436 },
        toFinal: { n: 55, p25: 402, p50: 498, p80: 640 },
        stalledPct: 6.1,
        neverIssuedPct: 8.3,
        basis: {
          text: '64 permits by Kaplan–Meier, open ones counted to 2026-11-14; 0 without an application date.',
          withoutApplicationDate: 0,
          invalidDates: 0,
          observedTo: '2026-11-14',
        },
      },
      {},
      null,
      { sources: [{ title: 'Sample permits', licence: 'Generated sample data, Apache-2.0', sample: true }] },
    ),
  },
})
