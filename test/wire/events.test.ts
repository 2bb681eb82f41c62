// What is read from the table of events. OpenAPI and its examples are checked in test/api/openapi.test.ts.
import { expect, test } from 'vitest'
import { datasets } from '../../src/domain/facts.ts'
import { defaultEvents, eventNames, eventsRemovedWith } from '../../src/wire/events.ts'

test('an endpoint that registers without events receives the two events of the first version', () => {
  expect(defaultEvents).toEqual(['permit.created', 'property.score_updated'])
})

test('real permits remove the sample events about permits, other real data does not', () => {
  expect(eventsRemovedWith('permits')).toContain('permit.created')
  expect(eventsRemovedWith('listings')).not.toContain('permit.created')
})

test('real data of some data set removes each type of sample event', () => {
  expect(new Set(datasets.flatMap(eventsRemovedWith))).toEqual(new Set(eventNames))
})
