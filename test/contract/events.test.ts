// What is read from the table of events. OpenAPI and its examples are checked in test/api/openapi.test.ts.
import { expect, test } from 'vitest'
import { defaultEvents, eventNames, eventsRemovedWith, webhookEvents } from '../../src/contract/events.ts'
import { datasets } from '../../src/contract/facts.ts'

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

test('docs/events.md lists every event with its data', async () => {
  await expect(eventsPage()).toMatchFileSnapshot('../../docs/events.md')
})

const eventsPage = (): string =>
  [
    '# Events',
    'Every event, when it is sent, and its `data`. [Webhooks](webhooks.md) describes delivery. This page is generated: `npx vitest run test/contract -u`.',
    ...Object.entries(webhookEvents).map(([name, { when, schema }]) =>
      [
        `## ${name}`,
        when + (defaultEvents.some((each) => each === name) ? ' Sent by default.' : ''),
        table(schema.properties.data as Schema),
      ].join('\n\n'),
    ),
  ].join('\n\n') + '\n'

interface Schema {
  description?: string
  required?: string[]
  properties: Record<string, Schema>
}

const table = ({ properties, required = [] }: Schema): string =>
  [
    '| Field | |',
    '|---|---|',
    ...Object.entries(properties).map(
      ([name, { description = '' }]) =>
        `| \`${name}\` | ${description}${required.includes(name) ? '' : '. May be absent'} |`,
    ),
  ].join('\n')
