// An export of a million permits: its time against reading the same rows by cursor, the memory of its process, and the p99 of a Pro
// caller beside it.
import './packs.ts'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setInterval } from 'node:timers/promises'
import { Client } from 'undici'
import { type Database, sql } from '../src/store/engine/database.ts'
import { exportOf, insertExport } from '../src/store/exports/exports.ts'
import { insertKey, newId } from '../src/store/keys/keys.ts'
import { plans } from '../src/wire/plans.ts'
import type { Context } from './context.ts'
import { atLeast, atMost, type Figure, figureOf, quantile, timed } from './figure.ts'
import { environmentOf, withPermits } from './million-permits.ts'
import { proReader, type Reads } from './neighbors.ts'
import { type Environment, proKeys, spawnCommand, startService } from './service.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  const figures: Figure[] = []
  const permits = context.quick ? 100_000 : 1_000_000
  await withPermits(context, permits, async (database) => {
    const environment = environmentOf(context, database)
    const service = await startService(environment, 'api')
    try {
      const keys = await proKeys(environment, 100)
      const read = proReader(service.url, keys)
      await read(AbortSignal.timeout(3_000))
      const byCursor: number[] = []
      const written: Written[] = []
      const beside: Reads[] = []
      const alone: Reads[] = []
      for (let run = 0; run < (context.quick ? 2 : 3); run++) {
        byCursor.push(await timed(() => readByCursor(service.url, keys, permits, run)))
        written.push(await writeOne(database, environment, permits))
        const end = new AbortController()
        const [reads, also] = await Promise.all([
          read(end.signal),
          writeOne(database, environment, permits).finally(() => end.abort()),
        ])
        beside.push(reads)
        alone.push(await read(AbortSignal.timeout(Math.round(also.ms))))
      }
      const title = (what: string) => `exports, ${permits.toLocaleString('en-US')} permits: ${what}`
      const p99 = (reads: readonly Reads[]) => reads.map(({ ms }) => quantile(ms, 0.99))
      const perSecond = (times: readonly number[]) => times.map((ms) => (permits / ms) * 1000)
      figures.push(
        figureOf({
          name: title('rows a second'),
          unit: 'rows/s',
          ours: perSecond(written.map(({ ms }) => ms)),
          rival: perSecond(byCursor),
          target: atLeast(10),
          note: 'ndjson, from the start of its process to its end, against pages of 500 by cursor',
        }),
        figureOf({
          name: title('memory of the process at most'),
          unit: 'MB',
          ours: written.map(({ peakMb }) => peakMb),
          target: atMost(300, 'ours'),
        }),
        figureOf({
          name: title('p99 of a Pro read beside it'),
          unit: 'ms',
          ours: p99(beside),
          rival: p99(alone),
          target: atMost(4),
          note: `${beside.reduce((sum, { ms }) => sum + ms.length, 0)} uncached reads, ${beside.reduce((sum, { failed }) => sum + failed, 0)} not answered with 200; against alone`,
        }),
      )
    } finally {
      await service.stop()
    }
  })
  return figures
}

const readByCursor = async (url: string, keys: readonly string[], expected: number, run: number): Promise<void> => {
  const client = new Client(url)
  let rows = 0
  let cursor: string | null = ''
  for (let n = 0; cursor !== null; n++) {
    const { statusCode, body } = await client.request({
      method: 'GET',
      // An unknown parameter is ignored, and makes the page one that is not cached.
      path: `/api/v1/permits?n=${run}&market=all&issued=any&limit=${plans.pro.maxResults}${cursor && `&cursor=${cursor}`}`,
      headers: { 'x-api-key': keys[n % keys.length]! },
    })
    if (statusCode !== 200) throw new Error(`A page was answered with ${statusCode}: ${await body.text()}`)
    const page = (await body.json()) as { data: unknown[]; pagination: { nextCursor: string | null } }
    rows += page.data.length
    cursor = page.pagination.nextCursor
  }
  await client.close()
  if (rows !== expected) throw new Error(`${rows} rows by cursor instead of ${expected}.`)
}

interface Written {
  ms: number
  peakMb: number
}

/** As the worker runs the job of an export. */
const writeOne = async ({ db }: Database, environment: Environment, expected: number): Promise<Written> => {
  const now = new Date()
  const key = await insertKey(db, { plan: 'pro', email: `${newId('bench')}@example.com` })
  const id = newId('exp')
  const request = { kind: 'permits', criteria: { market: 'all', issued: 'any' }, format: 'ndjson' } as const
  // Rows that are counted already: a mailbox may export fewer in a day.
  await insertExport(db, { id, keyId: key.id, request, createdAt: now, claimedRows: expected })
  let peakMb = 0
  const ms = await timed(async () => {
    const child = spawnCommand(environment, 'export', '--job', id)
    const ended = once(child, 'exit')
    const stop = new AbortController()
    const watch = async () => {
      for await (const _ of setInterval(100, undefined, { signal: stop.signal }))
        peakMb = (await peakOf(child.pid!)) ?? peakMb
    }
    const watching = watch().catch(() => {})
    const [code] = await ended
    stop.abort()
    await watching
    if (code !== 0) throw new Error(`The export ended with ${code}.`)
  })
  const made = await exportOf(db, key.id, id)
  if (made?.state !== 'ready' || made.rows !== expected)
    throw new Error(`The export is ${made?.state} with ${made?.rows} rows: ${made?.error}`)
  await sql`delete from export where id = ${id}`.execute(db)
  return { ms, peakMb }
}

/** The most memory that a process had so far, in megabytes (Linux). */
const peakOf = async (pid: number): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(status) ?? []
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6
}
