import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceKinds } from '../../src/domain/packs/source-config.ts'
import { targetFields } from '../../src/ingest/map.ts'

test('docs/sources.md names every kind of source and every field that can be mapped', async () => {
  const docs = await readFile(join(import.meta.dirname, '../../docs/sources.md'), 'utf8')
  const fields = Object.values(targetFields)
    .flatMap((each) => Object.keys(each))
    .filter((name) => !name.startsWith('overlay.') && name !== 'market')
  for (const name of [...new Set(fields), ...sourceKinds, 'overlay.<name>']) expect(docs, name).toContain(`\`${name}\``)
})
