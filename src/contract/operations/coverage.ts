import { Type } from 'typebox'
import { describe } from '../operation.ts'
import { listOf } from '../pagination.ts'
import { Accuracy, Coverage } from '../trust.ts'
import { city, page } from './paging.ts'

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
  summary:
    'What data is held per city and data set, how fresh it is, where it came from and how many rows were rejected.',
  input: Type.Object({ city, ...page }),
  output: listOf(Coverage),
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
  output: listOf(Accuracy),
})
