import { once } from 'node:events'
import { Command, InvalidArgumentError, Option } from 'commander'
import { readConfig } from '../../config.ts'
import { dayOf } from '../../contract/day.ts'
import { onCue } from '../child-command.ts'
import { type OpenServices, openServices } from '../open-services.ts'
import { stepLine } from '../progress.ts'
import { loadSample, makeSample, playSample, type SampleOptions, type SamplePlayed } from '../sample-markets.ts'
import { sampleDay } from '../sample-state.ts'

export const sampleCommand = (): Command =>
  new Command('sample')
    .description('The sample markets: load them, or play their next days.')
    .addCommand(
      new Command('load')
        .description('Generate, load and assess the sample markets as of today.')
        .option('--json', 'print JSON')
        .addOption(new Option(onCue, 'make the sample, and load it when a line is read').hideHelp())
        .action((options) => play(undefined, options)),
    )
    .addCommand(
      new Command('advance')
        .description('Play the next days: new permits, new and changed listings, closings, through the same ingestion.')
        .option('--days <n>', 'how many days; without it, up to today', wholeNumber)
        .option('--json', 'print JSON')
        .action((options: PlayOptions & { days?: number }) => play(options.days ?? 'today', options)),
    )

interface PlayOptions {
  json?: boolean
  onCue?: boolean
}

const play = async (days: number | 'today' | undefined, { json, onCue }: PlayOptions) => {
  const config = readConfig()
  const progress = stepLine(process.stderr)
  // An orderly exit, so that what is to be removed at the end is.
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.once(signal, () => {
      progress.clear()
      process.exit(code)
    })
  const options = { now: new Date(), highValueUsd: config.HIGH_VALUE_PERMIT_USD, onProgress: progress.show }
  const played = await withServices(config, onCue ? cued() : undefined, (opening) =>
    days === undefined ? load(opening, options) : advance(opening, days, options),
  ).finally(progress.clear)
  process.stdout.write(`${json ? JSON.stringify(summaryOf(played)) : inWords(played)}\n`)
}

/** The sample is made while the database is made and opened. */
const load = async (opening: Promise<OpenServices>, options: SampleOptions): Promise<SamplePlayed> => {
  options.onProgress?.(0, 'generating the sample markets')
  const made = await makeSample(options.now)
  try {
    return await loadSample(await opening, made, options)
  } finally {
    await made.remove()
  }
}

const advance = async (
  opening: Promise<OpenServices>,
  days: number | 'today',
  options: SampleOptions,
): Promise<SamplePlayed> => {
  const services = await opening
  return playSample(services, await lastDay(services, days, options.now), options)
}

/** Whoever started us makes the database, and says when it is there; gone before that, there is nothing to do here. */
const cued = async (): Promise<void> => {
  const said = await Promise.race([once(process.stdin, 'data'), once(process.stdin, 'end')])
  if (said.length === 0) process.exit(0)
  process.stdin.destroy()
}

const withServices = async <T>(
  config: ReturnType<typeof readConfig>,
  cue: Promise<void> | undefined,
  work: (opening: Promise<OpenServices>) => Promise<T>,
): Promise<T> => {
  const opening = Promise.resolve(cue).then(() => openServices(config, { statementTimeoutMs: 0 }))
  // It may fail while the sample is still being made; whoever waits for it hears of it.
  opening.catch(() => {})
  try {
    return await work(opening)
  } finally {
    const services = await opening.catch(() => undefined)
    await services?.close()
  }
}

const lastDay = async (services: OpenServices, days: number | 'today', now: Date): Promise<string> => {
  if (days === 'today') return dayOf(now)
  const at = (await sampleDay(services)) ?? dayOf(now)
  return dayOf(new Date(Date.parse(at) + days * 86_400_000))
}

const summaryOf = ({ from, today, runs }: SamplePlayed) => ({
  from,
  today,
  runs: runs.map(({ sourceId, counts, events }) => ({ source: sourceId, ...counts, events })),
})

const inWords = ({ from, today, runs }: SamplePlayed): string =>
  runs.length === 0
    ? `The sample stands at ${today}; there is nothing to play.`
    : [
        from ? `Played the sample from ${from} to ${today}:` : `Loaded the sample as of ${today}:`,
        ...runs.map(
          ({ sourceId, counts, events }) =>
            `  ${sourceId.padEnd(16)} ${counts.inserted} new, ${counts.changed - counts.inserted} changed${events ? `, ${events} events` : ''}`,
        ),
      ].join('\n')

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 3650)
    throw new InvalidArgumentError('a whole number from 1 to 3650')
  return number
}
