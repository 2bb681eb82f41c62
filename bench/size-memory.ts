// The memory of an assessment in a market of 500,000 and of a million parcels, and what follows for the largest county.
import './packs.ts'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { assessRange, openView } from '../src/assess/assess-market.ts'
import { assessHeapMb } from '../src/bin/assess-thread.ts'
import { openDatabase, sql } from '../src/store/engine/database.ts'
import { readSetting, writeSetting } from '../src/store/engine/settings.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf } from './figure.ts'
import { openServer } from './sandbox.ts'
import { makeParcels, makeSales, makeSource, market } from './size-data.ts'

const now = new Date('2026-11-14T12:00:00Z')
const largestParcels = 2_400_000

/** A quarter and half of the size: 500,000 and a million of 2 million. */
export const measure = async (context: Context): Promise<Figure[]> => {
  const { parcels } = context.size
  const [small, large] = [parcels / 4, parcels / 2]
  context.say(`  assessment memory at ${small} and ${large} parcels…`)
  const [a, b] = [await memoryOf(small, context.data), await memoryOf(large, context.data)]
  const slope = (of: keyof Memory) => Math.max(0, b[of] - a[of]) / (large - small)
  const megabytes = (of: keyof Memory) => `${a[of].toFixed(0)} and ${b[of].toFixed(0)} MB`
  return [
    figureOf({
      name: 'size: assessment memory at 2.4 million parcels, extrapolated',
      unit: 'MB',
      ours: [b.peakMb + slope('liveMb') * (largestParcels - large)],
      target: atMost(2_000, 'ours'),
      note: `at ${small.toLocaleString('en-US')} and ${large.toLocaleString('en-US')} parcels the process had ${megabytes('peakMb')} at most and ${megabytes('liveMb')} in use after a collection: ${(slope('liveMb') * 1e6).toFixed(0)} bytes a parcel`,
    }),
  ]
}

interface Memory {
  /** The largest size of the process. */
  peakMb: number
  /** What is in use after a garbage collection. */
  liveMb: number
}

/** With the heap limit of the service's assessment thread. */
const memoryOf = (parcels: number, data: string | undefined): Promise<Memory> =>
  new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [String(parcels), ...(data ? [data] : [])], {
      execArgv: ['--expose-gc', `--max-old-space-size=${assessHeapMb}`],
    })
    child.once('message', (memory) => resolve(memory as Memory))
    child.once('exit', (code) => reject(new Error(`The assessing process ended with ${code}.`)))
  })

const peakMemory = async (parcels: number, data: string | undefined): Promise<Memory> => {
  const server = await openServer(data && join(data, `memory-${parcels}`))
  const { db, close } = openDatabase({ ...server.address, statementTimeoutMs: 0 })
  try {
    if (!(await readSetting(db, 'bench-memory'))) {
      await makeSource(db)
      await makeParcels(db, parcels)
      await makeSales(db)
      await sql`vacuum analyze`.execute(db)
      await writeSetting(db, 'bench-memory', parcels)
    }
    let peak = 0
    const look = () => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    const watch = setInterval(look, 50)
    const view = await openView(db, market, now)
    look()
    // Enough batches to reach the steady state: a batch needs the same memory in a market of any size.
    await assessRange(db, { afterId: '', toId: 'p_001bench_00004000' }, view, { now })
    look()
    clearInterval(watch)
    globalThis.gc!()
    const { heapUsed, external } = process.memoryUsage()
    return { peakMb: peak / 1e6, liveMb: (heapUsed + external) / 1e6 }
  } finally {
    await close()
    await server.close()
  }
}

if (process.argv[1] === import.meta.filename) {
  const memory = await peakMemory(Number(process.argv[2]), process.argv[3])
  process.send!(memory, () => process.exit())
}
