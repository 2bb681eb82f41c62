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
