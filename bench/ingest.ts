// A feed of permits through `lotline ingest` (read, checked, matched, merged, indexed) against a bare INSERT of the rows
// it made into the same table with the same indexes.
import './packs.ts'
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { openStore } from '../src/bin/open-store.ts'
import { type Context, trialRows } from './context.ts'
import { atLeast, atMost, type Figure, figureOf, timed } from './figure.ts'
import { market, withMarket } from './market-data.ts'

const program = join(import.meta.dirname, '../bin/lotline.mjs')

export const measure = async (context: Context): Promise<Figure[]> => {
  const rows = context.sized(1_000_000, 100_000, trialRows)
  const dataDir = join(context.dir, 'ingest')
  await mkdir(dataDir)
  await writeFeed(context, rows)
  const store = await openStore({ DATA_DIR: dataDir, DATABASE_URL: undefined }, { statementTimeoutMs: 0 })
  let client: pg.PoolClient | undefined
  try {
    // Kept open: the command stops a database server that has no other connection.
    client = await store.pool.connect()
    const { seconds, peakMb } = await ingested(dataDir, join(context.dir, 'feed.json'))
    const { rows: named } = await client.query(`
      select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = 'permit'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
    const columns = named[0].columns as string
    await client.query('create table made as select * from permit')
    await client.query('truncate permit cascade')
    const bare = client
    const bareMs = await timed(() => bare.query(`insert into permit (${columns}) select ${columns} from made`))
    const counted = rows.toLocaleString('en-US')
    return [
      figureOf('ingest: permits', 'rows/s', [rows / seconds], {
        rival: [rows / (bareMs / 1000)],
        target: atLeast(0.5),
        note: `${counted} permits from a CSV file through the command, its start included; one run`,
      }),
      figureOf('ingest: peak memory', 'MB', [peakMb], {
        target: atMost(300, 'ours'),
        note: `of the command's process, resident, over ${counted} rows`,
      }),
    ]
  } finally {
    client?.release()
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The permits of a generated market as a city would publish them. */
const writeFeed = (context: Context, rows: number): Promise<void> =>
  withMarket(context, { homes: rows, permits: rows }, async ({ pool }) => {
    const client = await pool.connect()
    try {
      const feed = copyTo(`copy (
        select permit_id as "permitId", address, city, project_type as "projectType", description, valuation_usd as valuation,
          contractor, status, issued_on as "issuedOn" from g00.permit) to stdout (format csv, header)`)
      await pipeline(client.query(feed), createWriteStream(join(context.dir, 'feed.csv')))
    } finally {
      client.release()
    }
    const source = { id: 'bench-permits', title: 'Permits', kind: 'csv', holds: 'permits', market, licence: 'Invented' }
    const config = { ...source, where: { url: 'feed.csv' }, sameNames: true }
    await writeFile(join(context.dir, 'feed.json'), JSON.stringify(config))
  })

const ingested = async (dataDir: string, config: string): Promise<{ seconds: number; peakMb: number }> => {
  const begun = performance.now()
  const child = spawn(process.execPath, [program, 'ingest', config, '--json'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text).slice(-2000)
  })
  let peakMb = 0
  const watch = setInterval(() => {
    readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => {
        peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      },
      () => {},
    )
  }, 200)
  const code = await new Promise((done) => child.on('exit', done))
  clearInterval(watch)
  if (code !== 0) throw new Error(`lotline ingest failed (exit ${code}):\n${said}`)
  return { seconds: (performance.now() - begun) / 1000, peakMb }
}
