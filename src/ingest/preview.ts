// Reads rows of a source and reports what a load would do, without writing anything: rows loaded, rejected and merged, values
// left out, fields that are never filled, and the classes of permits.
import { valueAt } from '../common/typed.ts'
import type { Holding } from '../domain/facts.ts'
import type { SourceConfig } from '../domain/packs/source-config.ts'
import { createHttp } from '../sources/http.ts'
import type { ReadContext } from '../sources/source.ts'
import { checker } from './check.ts'
import { nameRank, namesOf } from './column-names.ts'
import { dateOrders } from './date-order.ts'
import { columnsOf, isFilled } from './drift.ts'
import { namesIn, rulesOf } from './map.ts'
import { classRules } from './permit-rules.ts'
import { expectColumns, openReading } from './run.ts'

interface Rejected {
  code: string
  rows: number
  /** Up to three, from different cities where possible. */
  examples: { row: number; reason: string }[]
  cities: Record<string, number>
}

export type Preview = ReturnType<typeof emptyPreview>

const emptyPreview = ({ id, holds }: SourceConfig) => ({
  sourceId: id,
  holds,
  read: 0,
  /** False if the feed has more rows than were read. */
  readAll: true,
  wouldLoad: 0,
  /** Rows with the id of another row. One of them is kept. */
  duplicates: 0,
  /** Rows that only add an address to a permit. */
  addresses: 0,
  rejected: [] as Rejected[],
  /** Number of values left out of accepted rows, by reason. */
  leftOut: {} as Record<string, number>,
  /** Number of rows in which each field has a value. */
  filled: {} as Record<string, number>,
  /** Mapped fields without a value in any row. */
  neverFilled: [] as string[],
  /** Columns of the feed whose names fit a field that is never filled. */
  candidates: {} as Record<string, string[]>,
  /** Accepted permits without an issue date. */
  notIssued: 0,
  /** Dates that contradict each other or the mapping. */
  dateProblems: [] as string[],
  /** Accepted rows by city. */
  cities: {} as Record<string, number>,
  /** Permits by class. */
  classes: {} as Record<string, number>,
  /** Permits that each rule of the source's `permitClasses` decides. A rule with 0 does nothing. */
  classRules: {} as Record<string, number>,
  examples: [] as Record<string, unknown>[],
})

export const previewSource = async (
  config: SourceConfig,
  context: Omit<ReadContext, 'http'> & { http?: ReadContext['http'] },
  rows = Number.POSITIVE_INFINITY,
  dayFirst?: readonly string[],
): Promise<Preview> => {
  const dates = dateOrders(dayFirst)
  const ownHttp = context.http ? undefined : createHttp()
  const { check, leftOut } = checker(config, context.now, dates)
  const rules = classRules(config)?.rules ?? []
  const decidedBefore = rules.map(({ decided }) => decided)
  const preview = emptyPreview(config)
  const rejected = new Map<string, Rejected>()
  const seen = new Map<string, Set<unknown>>()
  let columns: readonly string[] = []
  try {
    const reading = openReading(config, { ...context, http: context.http ?? ownHttp! })
    pages: for await (const page of reading.pages) {
      if (preview.read === 0) {
        expectColumns(config, reading.state.columns)
        columns = reading.state.columns ?? []
      }
      for (const row of page) {
        if (preview.read >= rows) {
          preview.readAll = false
          break pages
        }
        preview.read += 1
        const { staged, rejected: why, city } = check(row)
        if (staged) {
          if (isNew(config.holds, staged, seen, preview)) count(preview, staged)
        } else keep(rejected, why, row.number, city ?? 'unknown city')
      }
    }
  } finally {
    await ownHttp?.close()
  }
  if (dates.misread() && !dayFirst) return previewSource(config, context, rows, dates.dayFirst())
  preview.dateProblems = dates.problems()
  if (config.holds === 'permits') preview.notIssued = preview.wouldLoad - (preview.filled.issuedOn ?? 0)
  preview.rejected = [...rejected.values()].sort((a, b) => b.rows - a.rows)
  // A rule counts for the whole process; this reading is the difference.
  for (const [at, { written, decided }] of rules.entries()) preview.classRules[written] = decided - decidedBefore[at]!
  preview.leftOut = Object.fromEntries(leftOut)
  // Rejected rows say nothing about the fields.
  preview.neverFilled = Object.keys(preview.wouldLoad > 0 ? rulesOf(config) : {})
    // A ZIP code of sales and permits only says which city they are in.
    .filter((field) => field !== 'zip' || (config.holds !== 'sales' && config.holds !== 'permits'))
    .filter((field) => !derived.has(field) && columnsOf(field).every((column) => preview.filled[column] === undefined))
    .sort()
  const mapped = new Set(Object.values(rulesOf(config)).flatMap(namesIn))
  const unused = columns.filter((name) => !mapped.has(name))
  for (const field of preview.neverFilled) {
    const fitting = unused.filter(
      (name) => nameRank(name, config.holds === 'layer' ? [] : namesOf(config.holds, field)) >= 0,
    )
    if (fitting.length > 0) preview.candidates[field] = fitting
  }
  return preview
}

const derived = new Set(['market', 'county', 'modifiedAt', 'permitClass'])

const keep = (
  rejected: Map<string, Rejected>,
  { code, reason }: { code: string; reason: string },
  row: number,
  city: string,
) => {
  const entry = valueAt(rejected, code, () => ({ code, rows: 0, examples: [], cities: {} }))
  entry.rows += 1
  if (entry.examples.length < 3 && (entry.cities[city] === undefined || entry.rows > 50))
    entry.examples.push({ row, reason })
  if (entry.cities[city] !== undefined || Object.keys(entry.cities).length < 100)
    entry.cities[city] = (entry.cities[city] ?? 0) + 1
}

/** The same keys as in the database: a row whose key occurred before is a duplicate, or another address of a permit. */
const isNew = (
  holds: Holding,
  staged: Readonly<Record<string, unknown>>,
  seen: Map<string, Set<unknown>>,
  preview: Preview,
): boolean => {
  const key = JSON.stringify(keyColumns[holds].map((name) => staged[name]))
  const addresses = seen.get(key)
  if (!addresses) {
    seen.set(key, new Set([staged.addressKey]))
    return true
  }
  if (holds === 'permits' && !addresses.has(staged.addressKey)) {
    addresses.add(staged.addressKey)
    preview.addresses += 1
  } else preview.duplicates += 1
  return false
}
const keyColumns: Readonly<Record<Holding, readonly string[]>> = {
  parcels: ['market', 'id'],
  listings: ['market', 'listingId'],
  sales: ['market', 'saleId'],
  permits: ['market', 'citySlug', 'permitId'],
  rents: ['market', 'rentId'],
  layer: ['market', 'n'],
}

const count = (preview: Preview, staged: Readonly<Record<string, unknown>>) => {
  preview.wouldLoad += 1
  for (const name of Object.keys(staged))
    if (isFilled(staged, name) && name !== 'n' && name !== 'raw') preview.filled[name] = (preview.filled[name] ?? 0) + 1
  const city = String(staged.city)
  preview.cities[city] = (preview.cities[city] ?? 0) + 1
  if (typeof staged.permitClass === 'string')
    preview.classes[staged.permitClass] = (preview.classes[staged.permitClass] ?? 0) + 1
  if (preview.examples.length < 3) {
    const { n: _, raw: __, ...facts } = staged
    preview.examples.push(Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)))
  }
}
