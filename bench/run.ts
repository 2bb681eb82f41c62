// `npm run bench`: measures every figure and its ratio to a limit or to a baseline in the same run.
//   --only hot,search   only these parts   --quick   shorter, figures not published
//   --check             fails if a committed ratio is worse by more than 20%
//   --parcels N --permits N   rows of the parts `size` and `size-memory`; permits of the part `attack`
//   --loops N           busy loops beside the part `attack`
//   --data DIR          keeps the stores of the sample and of these parts there between runs
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openContext } from './context.ts'
import type { Figure, Measurement } from './figure.ts'
import { committed, printed, record, regressions } from './report.ts'

/** Runs in this order: light parts first, since later ones leave a large store behind. */
const measurements = [
  'start',
  'hot-reads',
  'cold-reads',
  'overload',
  'attack',
  'bodies',
  'webhook-figures',
  'assess',
  'ingest',
  'search',
  'own-returns',
  'watches',
  'filters',
  'neighbors',
  'exports',
  'size',
  'size-memory',
  'failover',
  'citus',
  'cluster',
]

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    data: { type: 'string' },
    runs: { type: 'string' },
    parcels: { type: 'string' },
    permits: { type: 'string' },
    loops: { type: 'string', default: '0' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const only = values.only?.split(',')
const context = await openContext({
  quick: values.quick,
  data: values.data,
  runs: values.runs ? Number(values.runs) : undefined,
  parcels: values.parcels ? Number(values.parcels) : undefined,
  permits: values.permits ? Number(values.permits) : undefined,
  loops: Number(values.loops),
})
const figures: Figure[] = []
const failed: string[] = []
/** Each part has a time limit, so that one that hangs does not block the others. `size` and `filters` make millions of rows first. */
const longestMinutes = (part: string) => (part.startsWith('size') ? 180 : part === 'filters' ? 60 : 20)
const inTime = async (part: string, work: Promise<Figure[]>): Promise<Figure[]> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    const minutes = longestMinutes(part)
    timer = setTimeout(() => fail(new Error(`not done after ${minutes} minutes`)), minutes * 60_000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
try {
  for (const file of measurements) {
    const path = join(import.meta.dirname, `${file}.ts`)
    if (only && !only.some((part) => (measurements.includes(part) ? file === part : file.startsWith(part)))) continue
    if (!existsSync(path)) continue
    const { measure } = (await import(path)) as Partial<Measurement>
    if (!measure) continue
    context.say(`${file}…`)
    const begun = performance.now()
    try {
      const measured = await inTime(file, measure(context))
      for (const figure of measured) context.say(`  ${printed(figure)}`)
      figures.push(...measured)
      // Written after each part, so that a later failure loses nothing.
      if (!values.check && !values.quick) await record(measured)
    } catch (error) {
      failed.push(file)
      context.say(`  ${file} failed: ${(error as Error).stack}`)
    }
    context.say(`  (${Math.round((performance.now() - begun) / 1000)} s)`)
  }
} finally {
  await context.close()
}

if (values.check) {
  const worse = regressions(figures, await committed())
  for (const line of worse) process.stderr.write(`worse than committed: ${line}\n`)
  if (worse.length > 0) process.exitCode = 1
}
if (failed.length > 0) {
  process.stderr.write(`not measured: ${failed.join(', ')}\n`)
  process.exitCode = 1
}
// A part that timed out may have left work running.
process.exit()
