// Compares the live answer of a public feed with what its source file expects, before anything is loaded.
import type { SourceConfig } from '../domain/packs/source-config.ts'
import { type ReadContext, SourceError } from '../sources/source.ts'
import { columnsOf } from './drift.ts'
import { type Preview, previewSource } from './preview.ts'

export type FeedCheck = Awaited<ReturnType<typeof checkFeed>>

const checkedRows = 2000
/** More rejected rows than this mean that the mapping no longer fits. */
const mostRejected = 0.3

export const checkFeed = async (
  config: SourceConfig,
  context: Omit<ReadContext, 'http'> & { http?: ReadContext['http'] },
) => {
  try {
    const preview = await previewSource(config, context, checkedRows)
    return { sourceId: config.id, preview, problems: problemsOf(config, preview) }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return {
      sourceId: config.id,
      /** Empty if the feed is as expected. */
      problems: [error.message],
      /** The server did not answer, so nothing is known about the feed. */
      unreachable: ['unreachable', 'timed_out'].includes(error.code),
    }
  }
}

const problemsOf = (config: SourceConfig, preview: Preview): string[] => {
  const { read, wouldLoad, rejected, filled } = preview
  if (read === 0) return [`The feed returned no rows for ${config.where.where ?? 'the query'}.`]
  const lost = rejected.reduce((sum, { rows }) => sum + rows, 0)
  const problems: string[] = []
  if (lost > mostRejected * read)
    problems.push(
      `${percent(lost / read)} of the rows would be rejected, most of them because ${rejected[0]!.examples[0]?.reason ?? rejected[0]!.code}.`,
    )
  if (wouldLoad === 0) return problems
  for (const [field, least] of Object.entries(config.feed?.expect ?? {})) {
    const share = Math.max(...columnsOf(field).map((column) => filled[column] ?? 0)) / wouldLoad
    if (share < least)
      problems.push(`${field} has a value in ${percent(share)} of the rows; at least ${percent(least)} are expected.`)
  }
  return problems
}

const percent = (share: number): string => `${Math.round(100 * share)}%`
