// Writes the JSON Schemas of the files of a market pack to packs/schema: npx node scripts/write-pack-schemas.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packSchemas } from '../src/packs/schemas.ts'

for (const [name, schema] of Object.entries(packSchemas))
  writeFileSync(
    join(import.meta.dirname, '../packs/schema', `${name}.schema.json`),
    `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, null, 2)}\n`,
  )
