// Looks up the rows of a CSV: returns the caller's columns with ours added, in the order of the rows.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { csvLine } from '../common/csv.ts'
import { CsvProblem, countRows, csvRows } from '../common/csv-rows.ts'
import { ApiError, badRequest } from '../common/errors.ts'
import { exportWithheld } from '../domain/provenance.ts'
import { propertiesOfLayers } from '../store/exports/exports.ts'
import type { BatchResult } from '../wire/lookup.ts'
import { maxCsvColumns, maxCsvRowLength, maxCsvRows } from '../wire/operations/lookup.ts'
import type { Context } from './context.ts'
import { type Item, lookUpItems } from './lookup.ts'

/** The CSV in pieces of up to `rowsAtOnce` rows. The first piece is the header. */
export const lookUpCsv = async (context: Context, text: string): Promise<AsyncGenerator<string>> =>
  textsOf(pieces(context, await readList(context, text)))

async function* textsOf(parts: AsyncGenerator<Piece>): AsyncGenerator<string> {
  for await (const { text } of parts) yield text
}

/** The same for an export: a row whose property may not be exported has empty columns. */
export const lookUpList = async (context: Context, text: string): Promise<AsyncGenerator<Piece>> =>
  pieces(context, await readList(context, text))

interface Piece {
  text: string
  rows: number
  withheld: number
}

interface List {
  header: readonly string[]
  /** How many rows follow the header. */
  count: number
  rows: Generator<string[]>
  columns: ReadonlyMap<string, number>
}

/** Throws 403. The API calls it before it reads the body. */
export const checkCsvAccess = ({ plan }: Context['caller']): void => {
  if (plan !== 'pro')
    throw new ApiError(403, 'A CSV body needs a Pro key. Send JSON: { "items": [{ "address": "…" }] }.')
}

/** The list with its columns, or a 400 that says what is wrong with it. */
export const readList = async ({ caller }: Pick<Context, 'caller'>, text: string): Promise<List> => {
  checkCsvAccess(caller)
  const count = (await checkedCount(text)) - 1
  const rows = csvRows(text)
  const header = rows.next().value ?? []
  const columns = columnsOf(header)
  if (columns.size === 0)
    throw badRequest(
      `The CSV needs a header row with a column address, or apn and county, or lat and lng; it has ${header.slice(0, 10).join(', ').slice(0, 200) || 'none'}.`,
    )
  return { header, count, rows, columns }
}

const checkedCount = async (text: string): Promise<number> => {
  try {
    const limits = { rows: maxCsvRows + 1, columns: maxCsvColumns, rowLength: maxCsvRowLength }
    return await countRows(text, limits, () => yieldToEventLoop())
  } catch (error) {
    if (!(error instanceof CsvProblem)) throw error
    throw badRequest(
      `The body is not valid CSV: ${error.message}. It may have at most ${maxCsvRows.toLocaleString('en-US')} rows of ${maxCsvColumns} columns; send a longer list in parts.`,
    )
  }
}

/** Few, so that a busy service still sends something before a silent connection is closed. */
const rowsAtOnce = 100

async function* pieces(context: Context, { header, rows, columns }: List): AsyncGenerator<Piece> {
  yield { text: csvLine([...header, ...ours.map(([name]) => `lotline_${name}`)]), rows: 0, withheld: 0 }
  // The rows are made here, a piece at a time, so that a long list does not hold the event loop.
  for (let some = next(rows); some.length > 0; some = next(rows)) {
    const items = some.map((row) => itemOf(row, columns))
    const answers = await lookUpItems(context, items, ['listing', 'scores'])
    const ids = answers.flatMap(({ candidates }) => candidates.map(({ id }) => id))
    const ofLayers = await propertiesOfLayers(context.db, ids, context.bulk?.hiddenSources ?? [])
    const results = context.surface === 'export' ? answers.map((each) => withoutWithheld(each, ofLayers)) : answers
    const text = some
      .map((row, i) => csvLine([...padded(row, header.length), ...ours.map(([, of]) => of(results[i]!))]))
      .join('')
    yield { text, rows: some.length, withheld: results.filter(({ note }) => note === exportWithheld).length }
  }
}

const next = (rows: Generator<string[]>): string[][] => {
  const some: string[][] = []
  while (some.length < rowsAtOnce) {
    const { value, done } = rows.next()
    if (done) break
    some.push(value)
  }
  return some
}

/** A property known only from a source, or with a fact of a map layer, that does not permit exports is not in an export. */
const withoutWithheld = (result: BatchResult, ofLayers: ReadonlySet<string>): BatchResult =>
  result.candidates.some(({ id, source }) => source?.uses?.includes('export') === false || ofLayers.has(id))
    ? { match: 'none', candidates: [], read: {}, covered: result.covered, note: exportWithheld }
    : result

const spellings: Readonly<Record<string, string>> = {
  address: 'address streetaddress propertyaddress siteaddress situsaddress street',
  unit: 'unit apt unitnumber',
  city: 'city',
  state: 'state',
  zip: 'zip zipcode postalcode',
  apn: 'apn parcelnumber parcelid',
  county: 'county',
  lat: 'lat latitude',
  lng: 'lng lon long longitude',
  id: 'propertyid',
}

/** Which column holds what. A column of another name is only returned. */
const columnsOf = (header: readonly string[]): Map<string, number> => {
  const bare = header.map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  const columns = new Map<string, number>()
  for (const [field, names] of Object.entries(spellings)) {
    const at = bare.findIndex((name) => name !== '' && names.split(' ').includes(name))
    if (at >= 0) columns.set(field, at)
  }
  return ['address', 'apn', 'lat', 'id'].some((field) => columns.has(field)) ? columns : new Map()
}

/** The first of id, parcel number, address and point that the row has. */
const itemOf = (row: readonly string[], columns: ReadonlyMap<string, number>): Item => {
  const cell = (field: string) => row[columns.get(field) ?? -1]?.trim() || undefined
  const id = cell('id')
  if (id) return { id }
  const apn = cell('apn')
  if (apn) return { apn, ...(cell('county') ? { county: cell('county')! } : {}) }
  const street = cell('address')
  if (street) {
    const unit = cell('unit')
    // A spreadsheet drops the leading zero of a ZIP code.
    const zip = cell('zip')?.replace(/^\d{4}$/, '0$&')
    const state = [cell('state'), zip].filter(Boolean).join(' ')
    const parts = [unit && !/^\D*#/.test(unit) ? `${street} #${unit}` : [street, unit].filter(Boolean).join(' ')]
    return { address: [...parts, cell('city'), state].filter(Boolean).join(', ') }
  }
  const [lat, lng] = [cell('lat'), cell('lng')]
  return lat && lng ? { lat: Number(lat), lng: Number(lng) } : {}
}

/** The columns that are added. Those of the property are empty unless the match is exact. */
const ours: readonly (readonly [name: string, of: (result: BatchResult) => unknown])[] = [
  ['match', ({ match }) => match],
  ['property_id', (result) => exact(result)?.id],
  ['address', (result) => exact(result)?.address],
  ['city', (result) => exact(result)?.city],
  ['zip', (result) => exact(result)?.zip],
  ['apn', (result) => exact(result)?.apn],
  ['lat', (result) => exact(result)?.lat],
  ['lng', (result) => exact(result)?.lng],
  ['status', (result) => exact(result)?.listing?.status],
  ['price', (result) => exact(result)?.listing?.price],
  ['teardown_score', (result) => exact(result)?.scores?.teardownScore],
  ['return_pct', (result) => exact(result)?.scores?.returnPct],
  ['adu_score', (result) => exact(result)?.scores?.aduScore],
  ['sb9_status', (result) => exact(result)?.scores?.sb9Status],
  ['candidate_ids', (result) => (exact(result) ? '' : result.candidates.map(({ id }) => id).join(' '))],
  ['covered', ({ covered }) => covered],
  ['sample', ({ candidates }) => candidates[0]?.source?.sample],
  ['note', ({ error, note }) => error ?? note],
]

const exact = ({ match, candidates }: BatchResult) => (match === 'exact' ? candidates[0] : undefined)

const padded = (row: readonly string[], length: number): readonly string[] =>
  row.length >= length ? row.slice(0, length) : [...row, ...Array<string>(length - row.length).fill('')]
