import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonObjects } from '../../src/sources/geojson.ts'

const read = async (text: string, chunkSize = text.length || 1): Promise<unknown[]> => {
  const chunks = async function* () {
    for (let at = 0; at < text.length; at += chunkSize) yield text.slice(at, at + chunkSize)
  }
  const found: unknown[] = []
  for await (const each of jsonObjects(chunks(), 'features', 'feed')) found.push(each)
  return found
}

test('only the list of the top-level object is read, not one of the same name elsewhere', async () => {
  const text = JSON.stringify({
    note: 'not a list: "features": [{"id":"in a string"}]',
    crs: { features: [{ id: 'nested' }] },
    bbox: [1, [2, { features: [{ id: 'in an array' }] }]],
    tag: 'features',
    features: [{ id: 1, properties: { features: [{ id: 'inside' }] } }, { id: 2 }],
    more: [{ id: 'after' }],
  })
  for (const chunkSize of [1, 7, text.length])
    expect(await read(text, chunkSize)).toEqual([{ id: 1, properties: { features: [{ id: 'inside' }] } }, { id: 2 }])
})

test('random objects in random chunks are read as JSON.parse reads them', async () => {
  const document = fc.record({ before: fc.jsonValue(), features: fc.array(fc.dictionary(fc.string(), fc.jsonValue())) })
  await fc.assert(
    fc.asyncProperty(document, fc.integer({ min: 1, max: 40 }), async (value, chunkSize) => {
      const text = JSON.stringify(value)
      expect(await read(text, chunkSize)).toEqual((JSON.parse(text) as { features: unknown[] }).features)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['{"features":[{"id":1},{"id"', 'ends in the middle'],
  ['{"features":[{"id":1}', 'ends in the middle'],
  ['{"items":[{"features":[{"id":1}]}]}', 'has no list "features"'],
  ['[{"features":[{"id":1}]}]', 'has no list "features"'],
  ['<html><body>busy</body></html>', 'returned HTML'],
  ['{"features":[{"id":tru}]}', 'broken JSON'],
])('%s is rejected', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})
