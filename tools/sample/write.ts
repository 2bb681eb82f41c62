// `npm run sample`: writes the sample data of every market that has sample parameters to its pack. With PACKS_DIR, also of the
// packs in it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import '../packs.ts'
import { shippedSample } from './shipped.ts'

for (const [market, files] of shippedSample()) {
  for (const { path, bytes } of files) {
    const file = join(packOf(market)!.dir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  const kilobytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1_000
  console.log(`${market}: ${files.length} files, ${Math.round(kilobytes)} kB`)
}
