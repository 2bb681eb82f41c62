// A feed of permits through `lotline ingest` (read, checked, matched, merged, indexed) against a bare COPY of the rows it made
// into the same table with the same indexes.
import './packs.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { openStore } from '../src/bin/open-store.ts'
import { generateSample } from '../tools/sample/generate.ts'
import { defaultSeed } from '../tools/sample/random.ts'
import type { Context } from './context.ts'
import { atLeast, atMost, type Figure, figureOf, timed } from './figure.ts'

const program = join(import.meta.dirname, '../bin/lotline.mjs')

export const measure = async (context: Context): Promise<Figure[]> => {
  const rows = context.quick ? 100_000 : 1_000_000
  const dataDir = join(context.dir, 'ingest')
  await mkdir(dataDir)
  await writeFeed(context.dir, rows)
  const store = await openStore({ DATA_DIR: dataDir, DATABASE_URL: undefined }, { statementTimeoutMs: 0 })
  try {
    // Kept open: the command stops a database server that has no other connection.
    const client = await store.pool.connect()
    const { seconds, peakMb } = await ingested(dataDir, join(context.dir, 'feed.json'))
    const copied = join(context.dir, 'rows.copy')
    const { rows: named } = await client.query(`
      select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = 'permit'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
    const columns = named[0].columns as string
    await pipeline(client.query(copyTo(`copy permit (${columns}) to stdout`)), createWriteStream(copied))
    await client.query('truncate permit')
    const bareMs = await timed(() =>
      pipeline(createReadStream(copied), client.query(copyFrom(`copy permit (${columns}) from stdin`))),
    )
    client.release()
    const counted = rows.toLocaleString('en-US')
    return [
      figureOf({
        name: 'ingest: permits',
        unit: 'rows/s',
        ours: [rows / seconds],
        rival: [rows / (bareMs / 1000)],
        target: atLeast(0.5),
        note: `${counted} permits from a CSV file through the command, its start included, against COPY into the same indexed table; one run`,
      }),
      figureOf({
        name: 'ingest: peak memory',
        unit: 'MB',
        ours: [peakMb],
        target: atMost(300, 'ours'),
        note: `of the command's process, resident, over ${counted} rows`,
      }),
    ]
  } finally {
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Repeats the sample's permits with new permit numbers. */
export const writeFeed = async (dir: string, rows: number): Promise<void> => {
  const { files } = generateSample({ seed: defaultSeed, today: new Date().toISOString().slice(0, 10), dir })
  const [header, ...lines] = (await readFile(files.permits, 'utf8')).trimEnd().split('\n')
  const out = createWriteStream(join(dir, 'feed.csv'))
  out.write(`${header}\n`)
  for (let n = 0, round = 0; n < rows; round++) {
    const some = lines.slice(0, Math.min(lines.length, rows - n))
    const text = some.map((line) => `R${round}-${line}`).join('\n')
    if (!out.write(`${text}\n`)) await once(out, 'drain')
    n += some.length
  }
  out.end()
  await once(out, 'finish')
  const sample = JSON.parse(
    await readFile(join(import.meta.dirname, '../sources/sample/permits.json'), 'utf8'),
  ) as object
  await writeFile(
    join(dir, 'feed.json'),
    JSON.stringify({
      ...sample,
      $schema: undefined,
      id: 'bench-permits',
      sample: undefined,
      where: { url: 'feed.csv' },
    }),
  )
}

export const ingested = async (dataDir: string, config: string): Promise<{ seconds: number; peakMb: number }> => {
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
