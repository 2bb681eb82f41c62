// `npm run bench`: measures every figure and its ratio to a limit or to a baseline in the same run.
//   --only hot,search   only these parts
//   --quick             shorter, figures not published
//   --trial             a few hundred rows, to see that every part runs
//   --check             fails if a committed ratio is worse by more than 20%
//   --runs N            runs of each figure
//   --parcels N --permits N   rows of the parts `size` and `layers`
//   --data DIR          keeps the stores there between runs
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openContext, parts } from './context.ts'
import type { Figure, Measurement } from './figure.ts'
import { committed, printed, record, regressions } from './report.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    trial: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    data: { type: 'string' },
    runs: { type: 'string' },
    parcels: { type: 'string' },
    permits: { type: 'string' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const only = values.only?.split(',')
const context = await openContext({
  mode: values.trial ? 'trial' : values.quick ? 'quick' : 'full',
  data: values.data,
  runs: values.runs ? Number(values.runs) : undefined,
  parcels: values.parcels ? Number(values.parcels) : undefined,
  permits: values.permits ? Number(values.permits) : undefined,
})
const figures: Figure[] = []
const failed: string[] = []
/** Each part has a time limit, so that one that hangs does not block the others. `size`, `filters` and `layers` make many rows first. */
const longestMinutes = (part: string) =>
  part.startsWith('size') ? 180 : part === 'filters' || part === 'layers' ? 60 : 20
const inTime = (part: string, work: Promise<Figure[]>): Promise<Figure[]> => {
  const minutes = longestMinutes(part)
  const late = wait(minutes * 60_000).then(() => {
    throw new Error(`not done after ${minutes} minutes`)
  })
  return Promise.race([work, late])
}
try {
  for (const file of parts) {
    if (only && !only.some((part) => file.startsWith(part))) continue
    const { measure } = (await import(join(import.meta.dirname, `${file}.ts`))) as Measurement
    context.say(`${file}…`)
    const begun = performance.now()
    try {
      const measured = await inTime(file, measure(context))
      if (measured.length === 0 || measured.some(({ ours, rival }) => Number.isNaN(ours) || Number.isNaN(rival)))
        throw new Error('no figure')
      for (const figure of measured) context.say(`  ${printed(figure)}`)
      figures.push(...measured)
      // Written after each part, so that a later failure loses nothing.
      if (!values.check && context.mode === 'full') await record(measured)
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
