import { Type } from 'typebox'
import { describe } from '../operation.ts'
import { listOf, orNull } from '../resources.ts'
import { city, page } from './paging.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })

export const getCoverage = describe({
  name: 'get_coverage',
  title: 'Coverage and freshness',
  tag: 'Trust',
  method: 'GET',
  path: '/v1/coverage',
  access: 'key',
  shared: true,
  // Whether a source is stale changes with the hour, without any data changing.
  sharedSeconds: 60,
  summary: 'What data is held per city and data set, how fresh it is, where it came from and what was refused.',
  input: Type.Object({ city, ...page }),
  output: listOf(
    Type.Object(
      {
        market: Type.String(),
        city: Type.String(),
        citySlug: Type.String(),
        dataset: Type.Enum(['parcels', 'listings', 'sales', 'permits']),
        rows: Type.Integer(),
        newestRecord: orNull(Type.String({ format: 'date' }), { description: 'Date of the newest record' }),
        lastRunAt: orNull(time('Last completed run')),
        refused: Type.Integer({ description: 'Rows the last run of its sources refused' }),
        gone: Type.Integer({ description: 'Rows still held that their feed, which is complete, no longer holds' }),
        stale: Type.Boolean({ description: 'A source has not run on schedule' }),
        sources: Type.Array(
          Type.Object({
            id: Type.String(),
            title: Type.String(),
            licence: Type.Optional(Type.String()),
            url: Type.Optional(Type.String()),
            sample: Type.Boolean(),
          }),
        ),
      },
      { $id: 'Coverage' },
    ),
  ),
})

export const getAccuracy = describe({
  name: 'get_accuracy',
  title: 'Measured accuracy',
  tag: 'Trust',
  method: 'GET',
  path: '/v1/accuracy',
  access: 'key',
  shared: true,
  summary: 'Back-test, calibration and coverage figures of each model, with date, data and version.',
  input: Type.Object({ ...page }),
  output: listOf(
    Type.Object(
      {
        model: Type.String(),
        market: Type.String(),
        measuredAt: time('When measured'),
        data: Type.String({ description: 'What it was measured on' }),
        modelVersion: Type.String(),
        measures: Type.Record(Type.String(), Type.Unknown()),
      },
      { $id: 'Accuracy' },
    ),
  ),
})
