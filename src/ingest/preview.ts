// Reads the first rows of a source and reports what would be loaded and rejected, without writing anything.
import type { SourceConfig } from '../contract/source-config.ts'
import { createHttp } from '../sources/http.ts'
import type { ReadContext } from '../sources/source.ts'
import { checker } from './check.ts'
import { expectColumns, openReading } from './run.ts'

export interface Preview {
  sourceId: string
  holds: SourceConfig['holds']
  read: number
  wouldLoad: number
  rejected: { code: string; rows: number; example: { row: number; reason: string } }[]
  /** Number of values left out of accepted rows, by reason. */
  leftOut: Record<string, number>
  /** Number of rows in which each field has a value. */
  filled: Record<string, number>
  examples: Record<string, unknown>[]
}

export const previewSource = async (
  config: SourceConfig,
  context: Omit<ReadContext, 'http'> & { http?: ReadContext['http'] },
  rows = 1000,
): Promise<Preview> => {
  const ownHttp = context.http ? undefined : createHttp()
  const { check, leftOut } = checker(config, context.now)
  const preview: Preview = {
    sourceId: config.id,
    holds: config.holds,
    read: 0,
    wouldLoad: 0,
    rejected: [],
    leftOut: {},
    filled: {},
    examples: [],
  }
  const rejected = new Map<string, Preview['rejected'][number]>()
  try {
    const reading = openReading(config, { ...context, http: context.http ?? ownHttp! })
    pages: for await (const page of reading.pages) {
      if (preview.read === 0) expectColumns(config, reading.state.columns)
      for (const row of page) {
        preview.read += 1
        const { staged, rejected: why } = check(row)
        if (staged) count(preview, staged)
        else {
          const seen = rejected.get(why.code) ?? {
            code: why.code,
            rows: 0,
            example: { row: row.number, reason: why.reason },
          }
          rejected.set(why.code, { ...seen, rows: seen.rows + 1 })
        }
        if (preview.read >= rows) break pages
      }
    }
  } finally {
    await ownHttp?.close()
  }
  preview.rejected = [...rejected.values()].sort((a, b) => b.rows - a.rows)
  preview.leftOut = Object.fromEntries(leftOut)
  return preview
}

const count = (preview: Preview, staged: Record<string, unknown>) => {
  preview.wouldLoad += 1
  for (const [name, value] of Object.entries(staged))
    if (value !== undefined && name !== 'n' && name !== 'raw') preview.filled[name] = (preview.filled[name] ?? 0) + 1
  if (preview.examples.length < 3) {
    const { n: _, raw: __, ...facts } = staged
    preview.examples.push(Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)))
  }
}
