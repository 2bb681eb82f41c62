import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SourceConfig } from '../../../src/domain/packs/source-config.ts'
import { checkSource, readSourceFolder } from '../../../src/ingest/config.ts'

const sources = join(import.meta.dirname, '../../../sources')

test('sources/source.schema.json is the schema that sources are validated with', async () => {
  const { $schema, ...file } = JSON.parse(await readFile(join(sources, 'source.schema.json'), 'utf8')) as {
    $schema: string
  }
  // To write it again: node -e "import('./src/domain/packs/source-config.ts').then(m => console.log(JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...m.SourceConfig }, null, 2)))"
  expect(file).toEqual(JSON.parse(JSON.stringify(SourceConfig)))
  expect($schema).toBe('https://json-schema.org/draft/2020-12/schema')
})

test('every shipped source is valid and has a unique id', async () => {
  const shipped = [
    ...(await readSourceFolder(join(sources, 'sample'))).sources,
    ...(await readSourceFolder(join(sources, 'examples'))).sources,
  ]
  expect(shipped.length).toBeGreaterThan(3)
  expect(new Set(shipped.map(({ config }) => config.id)).size).toBe(shipped.length)
})

const permits = {
  id: 'x-permits',
  title: 'X',
  kind: 'csv',
  holds: 'permits',
  where: { url: 'x.csv' },
  city: 'Palo Alto',
  fields: { permitId: 'No' },
}

test.each([
  ['an unknown target field', { fields: { permitId: 'No', permitNumber: 'No' } }, /no field "permitNumber"/],
  ['no city', { city: undefined }, /set "city"/],
  ['no id', { fields: {} }, /map the field "permitId"/],
  [
    'an unknown market',
    { market: 'mars' },
    /market "mars" does not exist\. A new pack is read when the service starts: restart it/,
  ],
  ['an unknown kind', { kind: 'ftp' }, /kind/],
  ['a field and a constant', { fields: { permitId: { field: 'a', constant: 'b' } } }, /exactly one/],
  ['a unit for a text field', { fields: { permitId: { field: 'a', unit: 'acres' } } }, /cannot have a unit/],
])('a source with %s is rejected', (_, given, message) => {
  expect(() => checkSource({ ...permits, ...given }, 'x.json')).toThrow(message)
})

/** The message about a setting, or undefined if the source is accepted. */
const refusal = (given: object): string | undefined => {
  try {
    checkSource({ ...permits, ...given }, 'x.json')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

test('settings that do not go together are rejected, and only those', () => {
  const layer = { holds: 'layer', kind: 'geojson', city: undefined, fields: undefined, market: 'nantucket' }
  const figures = { bedrooms: 'b', amountUsd: 'a', asOf: 'd' }
  const rents = { holds: 'rents', city: undefined, market: 'nantucket', fields: figures }
  const overlay = { overlay: 'floodZone' }
  const whole = { complete: true }
  const refused: readonly (readonly [object, string])[] = [
    [{ city: undefined, market: 'nantucket' }, 'set "city"'],
    [{ city: undefined, market: 'nantucket', county: 'Nantucket' }, 'set "city"'],
    [rents, 'map the field "zip" or "county"'],
    [{ city: undefined, fields: { permitId: 'No', zip: 'Z' } }, 'set "city"'],
    [{ ...layer }, 'needs "sets"'],
    [{ sets: overlay }, 'needs "sets"'],
    [{ ...layer, sets: {} }, 'exactly one of "overlay" and "fact"'],
    [{ ...layer, sets: { ...overlay, fact: 'buildings' } }, 'exactly one of "overlay" and "fact"'],
    [{ ...layer, kind: 'geotiff', sets: overlay }, 'an elevation grid'],
    [{ ...layer, sets: { fact: 'slopePct' } }, 'an elevation grid'],
    [{ kind: 'gtfs' }, 'a transit feed'],
    [{ ...whole, kind: 'socrata', where: { url: 'x.json', updatedField: 'U' } }, 'cannot be complete'],
    [{ where: { url: 'x.csv', updatedField: 'U' } }, 'does not read where.updatedField'],
    [{ ...whole, kind: 'reso', where: { url: 'https://x.test/odata' } }, 'cannot be complete'],
    [{ kind: 'xml' }, 'where.record'],
    [{ holds: 'parcels', fields: { apn: 'A' }, county: 'X', permitClasses: {} }, 'applies to permits only'],
    [{ maxGonePct: 5 }, 'needs "complete"'],
    [{ uses: ['page', 'agent'] }, 'also needs "api"'],
  ]
  expect(
    refused.map(([given, message]) => [message, refusal(given)?.includes(message) ? message : refusal(given)]),
  ).toEqual(refused.map(([, message]) => [message, message]))
  const accepted: readonly object[] = [
    { city: undefined, fields: { permitId: 'No', city: 'C' } },
    { city: undefined, sameNames: true, fields: undefined },
    { city: undefined, market: 'nantucket', fields: { permitId: 'No', zip: 'Z' } },
    { ...rents, county: 'Nantucket' },
    { ...rents, fields: { ...figures, county: 'c' } },
    { ...layer, sets: overlay },
    { ...layer, sets: { fact: 'buildings' } },
    { ...layer, kind: 'geotiff', sets: { fact: 'slopePct' } },
    { ...whole },
    { ...whole, maxGonePct: 5 },
    { kind: 'socrata', where: { url: 'x.json', updatedField: 'U' } },
    { kind: 'xml', where: { url: 'x.xml', record: 'property' } },
    { permitClasses: {} },
    { uses: ['page', 'api', 'agent'] },
    { uses: ['page'] },
  ]
  expect(accepted.map((given) => refusal(given))).toEqual(accepted.map(() => undefined))
})
