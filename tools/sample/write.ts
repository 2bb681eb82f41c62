// `npm run sample`: writes the sample data of every market that has sample parameters to its pack. With PACKS_DIR, also of the
// packs in it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import '../packs.ts'
import { shippedSample } from './shipped.ts'

for (const [market, files] of shippedSample()) {
  const { dir } = packOf(market)!
  mkdirSync(join(dir, 'sample/data'), { recursive: true })
  for (const { path, bytes } of files) writeFileSync(join(dir, path), bytes)
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  console.log(`${market}: ${files.length} files, ${Math.round(bytes / 1_000)} kB`)
}
