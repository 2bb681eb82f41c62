import { Command } from 'commander'
import { readConfig, servedUrl } from '../../config.ts'
import { dayOf } from '../../domain/day.ts'
import { events } from '../../wire/events/table.ts'
import { feedEventNames } from '../../wire/events.ts'
import { type OpenServices, openServices } from '../open-services.ts'
import { stepLine } from '../progress.ts'
import { advanceSample, loadSample, type SampleResult } from '../sample-markets.ts'
import { sampleState } from '../sample-state.ts'
import { type Column, textTable } from '../text-table.ts'
import { withOpened } from '../with-opened.ts'
import { subcommands, wholeNumber } from './arguments.ts'

export const sampleCommand = (): Command => {
  const command = new Command('sample').description('Load the sample markets, or advance them by days.')
  const add = subcommands(command)
  add('load', 'Load and assess the sample markets as of today.', () => play(undefined))
  add(
    'advance',
    'Advance the sample markets: new permits, new and changed listings and closings, loaded like any feed.',
    ({ days }: { days?: number }) => play(days ?? 'today'),
    (sub) =>
      sub.option(
        '--days <n>',
        'number of days; defaults to all days up to today',
        wholeNumber('It must be a whole number from 1 to 3650.', 1, 3650),
      ),
  )
  return command
}

const play = async (days: number | 'today' | undefined) => {
  const config = readConfig()
  const progress = stepLine(process.stderr)
  const options = {
    now: new Date(),
    highValueUsd: config.HIGH_VALUE_PERMIT_USD,
    publicUrl: servedUrl(config),
    minScoreChange: config.SCORE_EVENT_MIN_CHANGE,
    onProgress: progress.show,
  }
  const open = () => openServices(config, { statementTimeoutMs: 0 })
  const result = await (days === undefined
    ? loadSample(open, options)
    : withOpened(open, async (services) => advanceSample(services, await lastDay(services, days, options.now), options))
  ).finally(progress.clear)
  return { json: summaryOf(result), text: textOf(result) }
}

const lastDay = async (services: OpenServices, days: number | 'today', now: Date): Promise<string> => {
  if (days === 'today') return dayOf(now)
  const at = (await sampleState(services))?.today ?? dayOf(now)
  return dayOf(new Date(Date.parse(at) + days * 86_400_000))
}

const summaryOf = ({ from, today, runs }: SampleResult) => ({
  from,
  today,
  runs: runs.map(({ sourceId, counts, events }) => ({ source: sourceId, ...counts, events })),
})

const textOf = ({ from, today, ended, runs }: SampleResult): string =>
  runs.length === 0
    ? `The sample markets are up to date as of ${today}.${ended ? ` ${atTheEnd}` : ''}`
    : [
        from ? `Advanced the sample markets from ${from} to ${today}:` : `Loaded the sample markets as of ${today}:`,
        ...(ended ? [atTheEnd] : []),
        textTable(runs, runColumns),
        `Events of listings, scores and leads are written after the load: GET /v1/events?types=${laterEvents.join()}`,
      ].join('\n')

const atTheEnd = 'The sample data ends on this day. To start again, use an empty DATA_DIR or database.'

const laterEvents = feedEventNames.filter((name) => events[name].about !== 'permits')

const runColumns: readonly Column<SampleResult['runs'][number]>[] = [
  { title: 'Source', value: ({ sourceId }) => sourceId },
  { title: 'New', value: ({ counts }) => counts.inserted, number: true },
  { title: 'Changed', value: ({ counts }) => counts.changed - counts.inserted, number: true },
  { title: 'Permit events', value: ({ events }) => events, number: true },
]
