import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSource } from '../../src/ingest/config.ts'
import { previewSource } from '../../src/ingest/preview.ts'

test('the CSV example works unchanged and shows a rejected row and a value left out', async () => {
  const folder = join(import.meta.dirname, '../../sources/examples')
  const { config } = await readSource(join(folder, 'csv.json'))
  const preview = await previewSource(config, { folder, now: new Date('2026-11-15T12:00:00Z') })
  expect(preview).toMatchObject({ read: 5, wouldLoad: 4, filled: { issuedOn: 3, finaledOn: 1, address: 4 } })
  expect(preview.rejected).toEqual([
    {
      code: 'no_permit_id',
      rows: 1,
      examples: [{ row: 5, reason: 'permitId is missing' }],
      cities: { 'Los Altos': 1 },
    },
  ])
  expect(preview.leftOut).toEqual({ 'status: "Something new" is not recognized': 1 })
})
