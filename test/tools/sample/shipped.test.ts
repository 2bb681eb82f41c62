import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packOf } from '../../../src/domain/packs/use-packs.ts'
import { sampleMarkets } from '../../../src/ingest/sample-data.ts'
import { shippedSample } from '../../../tools/sample/shipped.ts'

test.runIf(process.env.LOTLINE_WEEKLY)(
  'the packs have the sample data that the generator writes; if not, run: npm run sample',
  () => {
    const shipped = shippedSample()
    expect([...shipped.keys()]).toEqual(sampleMarkets())
    const textOf = (path: string, bytes: Buffer) => (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
    for (const [market, files] of shipped) {
      const { dir } = packOf(market)!
      expect(readdirSync(join(dir, 'sample/data')).map((name) => `sample/data/${name}`)).toEqual(
        files.map(({ path }) => path).sort(),
      )
      const different = files.filter(
        ({ path, bytes }) => textOf(path, readFileSync(join(dir, path))) !== textOf(path, bytes),
      )
      expect(different.map(({ path }) => `${market} ${path}`)).toEqual([])
    }
  },
  120_000,
)
