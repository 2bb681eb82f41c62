// The tables of `lotline sources list` and `lotline sources show`.
import type { Holding } from '../../domain/facts.ts'
import type { ConfiguredSource } from '../../ingest/config.ts'
import type { RunReport } from '../../store/ingest/run.ts'
import { applicable, type Column, textTable } from '../text-table.ts'

export interface ListedSource {
  id: string
  holds?: Holding
  /** `no file`: loaded before, but its file is no longer in the folder. */
  state: 'scheduled' | 'manual' | 'paused' | 'sample' | 'no file' | 'broken'
  schedule?: string | undefined
  problem?: string
  run?: RunReport | undefined
}

export const listLines = (sources: readonly ListedSource[], folder: string): string[] =>
  sources.length === 0
    ? [`No sources in ${folder}. Copy one from sources/examples, for example sources/examples/csv.json.`]
    : [textTable(sources, columns)]

const columns: readonly Column<ListedSource>[] = [
  { title: 'Id', value: ({ id }) => id },
  { title: 'Holds', value: ({ holds }) => holds ?? '' },
  {
    title: 'State',
    value: ({ state }) => state,
    color: ({ state }) => (state === 'broken' ? 'red' : state === 'paused' ? 'yellow' : undefined),
  },
  { title: 'Schedule (UTC)', value: ({ schedule }) => schedule ?? '' },
  {
    title: 'Last run',
    value: ({ problem, run }) => problem ?? runText(run),
    color: ({ problem, run }) => (problem !== undefined || run?.state === 'failed' ? 'red' : undefined),
  },
]

export const showLines = (
  { id, state, schedule, problem, run }: ListedSource,
  rows: Readonly<Record<string, number>>,
  file: ConfiguredSource | undefined,
): string[] =>
  applicable(
    `${id}: ${state}${schedule ? ` at ${schedule} UTC` : ''}`,
    problem && `  problem: ${problem}`,
    file && [
      `  file: ${file.path}`,
      `  feed: ${file.config.kind} ${file.config.where.url}`,
      `  license: ${file.config.licence ?? 'not stated'}`,
    ],
    `  rows stored: ${
      Object.entries(rows)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ') || 'none'
    }`,
    `  last run: ${runText(run)}`,
    run && rejectedLines(run),
  )

/** Why rows of a run were rejected, with an example each, and what to do where the example does not say it. */
export const rejectedLines = ({ reasons }: Pick<RunReport, 'reasons'>): string[] =>
  reasons.flatMap(({ code, rows, example }) => [
    `  rejected ${rows.toLocaleString('en-US')} (${code}), for example: ${example}`,
    ...(code === 'other_market' ? [otherMarketAdvice] : []),
  ])

const otherMarketAdvice =
  '    A city belongs to one market. Load the same feed into that market too: lotline setup <market> --file <feed>. Each market takes its own cities and rejects the others.'

const runText = (run: RunReport | undefined): string =>
  run === undefined
    ? 'never loaded'
    : `${run.state} ${(run.finishedAt ?? run.startedAt).toISOString().slice(0, 16)}Z, ${run.rowsLoaded} loaded, ${run.rowsRejected} rejected${run.error ? `: ${run.error}` : ''}`
