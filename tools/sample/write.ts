// `npm run sample`: writes the sample data of every market that has sample parameters to its pack. With PACKS_DIR, also of the
// packs in it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packFolders } from '../../src/config.ts'
import { packOf, usePacks } from '../../src/domain/packs/use-packs.ts'
import { laws } from '../../src/laws/list.ts'
import { builtInPacks, loadPacks } from '../../src/packs/load-packs.ts'
import { shippedSample } from './shipped.ts'

const { packs, problems } = loadPacks([builtInPacks, ...packFolders()], {
  laws: new Map(laws.map(({ id, state }) => [id, state])),
})
usePacks(packs, problems)
for (const [market, files] of shippedSample()) {
  for (const { path, bytes } of files) {
    const file = join(packOf(market)!.dir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  const kilobytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1_000
  console.log(`${market}: ${files.length} files, ${Math.round(kilobytes)} kB`)
}
