// Makes a source configuration from a file or URL: its kind, delimiter and data set are detected, its mapping is proposed.
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type Dataset, datasets } from '../domain/facts.ts'
import { jurisdictions, markets } from '../domain/packs/markets.ts'
import type { SourceConfig, SourceKind, Where } from '../domain/packs/source-config.ts'
import { decoded, openBytes } from '../sources/file.ts'
import { createHttp } from '../sources/http.ts'
import { defaultFields, sourceOf } from '../sources/kinds.ts'
import { isAddress, type ReadContext, SourceError } from '../sources/source.ts'
import { nameKey } from './column-names.ts'
import { judgeKind, nominalUsd, type Verdict } from './kind-evidence.ts'
import { targetFields } from './map.ts'
import { headerShift, movedColumns, type ProposedMapping, proposeMapping } from './propose-mapping.ts'

export interface NewSource {
  config: SourceConfig
  mapping: ProposedMapping
  rows: number
  /** Further sources of the same feed: rents of other numbers of bedrooms, the parcels of a roll with last sales. */
  others: SourceConfig[]
}

/** What the rows are is not certain. */
export class UnsureKind extends SourceError {
  /** The source if the rows are what they most probably are. */
  proposed: NewSource | undefined

  constructor(message: string, proposed?: NewSource) {
    super('not_recognized', message)
    this.proposed = proposed
  }
}

export interface NewSourceOptions {
  id?: string
  holds?: Dataset
  market?: string
  city?: string
}

/** Enough rows for medians and for dates after the 12th of a month. */
const sampleRows = 5000

export const newSource = async (
  url: string,
  { id, holds, market, city }: NewSourceOptions,
  context: Omit<ReadContext, 'http'>,
): Promise<NewSource> => {
  const http = createHttp()
  try {
    const { kind, where } = await detectFeed(url, { ...context, http })
    let rows: Readonly<Record<string, unknown>>[] = []
    let broken = 0
    const reading = sourceOf(kind)(where, { ...context, http })
    pages: for await (const page of reading.pages)
      for (const { fields, problem } of page) {
        if (problem) broken += 1
        else if (rows.push(fields) >= sampleRows) break pages
      }
    const columns = reading.state.columns ?? []
    checkHeader(columns, url)
    if (broken > rows.length / 4)
      throw new SourceError(
        'column_count',
        `${broken} of the first ${rows.length + broken} rows of ${url} have more or fewer values than its ${columns.length} columns. A value may contain an unquoted delimiter.`,
      )
    if (rows.length === 0) throw new SourceError('empty', `${url} has no rows.`)
    const moved = holds ? undefined : movedColumns(rows)
    if (moved)
      throw new SourceError(
        'shifted',
        `Some rows of ${url} are shifted: ${moved}, or add --holds to map them as they are.`,
      )
    const shifted = headerShift(rows)
    if (shifted)
      throw new SourceError(
        'shifted',
        `The header row of ${url} does not line up with the data: ${shifted} match a nearby column instead. Fix the header row.`,
      )
    const twice = new Set(columns.filter((name, at) => name !== '' && columns.indexOf(name) !== at))
    if (twice.size > 0)
      rows = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !twice.has(name))))
    const ready = holds ?? readyDataset(kind)
    const found = proposeMapping(rows, ready, context.now)
    const first = ready ? certain : judgeKind(found, rows)
    const { doubts, isRoll } = first
    if (!ready && doubts.length === 0 && found.missing.length > 0 && found.fields.length < 2)
      doubts.push('too few of its columns are known')
    const isOther = first.likely && first.likely !== found.holds
    const mapping = isOther ? proposeMapping(rows, first.likely, context.now) : found
    // The mapping for the likeliest data set may show that the rows are not that.
    const { likely, doubts: further } = isOther ? judgeKind(mapping, rows) : { ...first, doubts: [] }
    doubts.push(...further)
    if (doubts.length > 0 && !likely) throw new UnsureKind(doubtText(url, found, rows, doubts))
    for (const column of twice) mapping.unclear.push({ field: 'any', column, reason: 'appears twice; rename one' })
    if (rows.every(({ geometry }) => (geometry as { unreadable?: string } | undefined)?.unreadable))
      mapping.unclear.push({
        ...{ field: 'outline', column: 'geometry' },
        reason:
          'no shape has coordinates in degrees; set where.spatialReference to their system, for example "EPSG:2927"',
      })
    const isReady = Object.keys(defaultFields(kind, mapping.holds)).length > 0
    const own = isReady ? [] : mapping.fields
    if (mapping.rentColumns && /fmr/i.test(basename(url)) && own.every(({ field }) => field !== 'statistic'))
      own.push({ field: 'statistic', rule: { constant: 'fair_market' }, examples: [], ...byFileName })
    const isFederal = mapping.rentColumns !== undefined && own.some(({ field }) => field === 'statistic')
    const dated = isFederal ? fiscalYearOf(url) : undefined
    if (dated && mapping.missing.includes('asOf')) {
      own.push({ field: 'asOf', rule: { constant: dated }, examples: [], ...byFileName })
      mapping.missing = mapping.missing.filter((field) => field !== 'asOf')
    }
    const cityOf =
      city ??
      onlyCity(
        market,
        own.map(({ field }) => field),
      )
    const required = mapping.holds === 'rents' ? onlyState(rows, market) : nominalPrices(mapping, rows)
    const config: SourceConfig = {
      id: id ?? idOf(url, market, mapping.holds),
      title: `${basename(url)}, mapped by lotline sources new`,
      kind,
      holds: mapping.holds,
      where: { ...where, ...(mapping.nulls ? { nulls: mapping.nulls } : {}) },
      ...(market ? { market } : {}),
      ...(cityOf ? { city: cityOf } : {}),
      ...(mapping.point && !isReady ? { point: mapping.point } : {}),
      ...(required ? { require: required } : {}),
      ...(own.length > 0 ? { fields: Object.fromEntries(own.map(({ field, rule }) => [field, rule])) } : {}),
    }
    const sizes = (mapping.rentColumns ?? []).slice(1).map(({ column, bedrooms }) => ({
      ...config,
      id: `${config.id}-${bedrooms}-bedrooms`,
      fields: { ...config.fields, amountUsd: column, bedrooms: { constant: bedrooms } },
    }))
    const proposed = {
      config,
      others:
        isRoll && doubts.length === 0 ? [parcelsOfSales(config, proposeMapping(rows, 'parcels', context.now))] : sizes,
      mapping: isReady ? { ...mapping, fields: [], unclear: [], missing: [] } : mapping,
      rows: rows.length,
    }
    if (doubts.length > 0) throw new UnsureKind(doubtText(url, mapping, rows, doubts, likely), proposed)
    return proposed
  } finally {
    await http.close()
  }
}

const certain: Verdict = { doubts: [], isRoll: false }

const doubtText = (
  url: string,
  { holds, because }: ProposedMapping,
  rows: readonly Readonly<Record<string, unknown>>[],
  doubts: readonly string[],
  likely?: Dataset,
): string => {
  const names = [...new Set(rows.flatMap(Object.keys))].filter((name) => name !== '' && name !== 'geometry')
  const claim =
    likely || because
      ? `may hold ${holds}${because ? `, by the columns ${because}` : ''}, but`
      : 'does not look like sales, listings, parcels, permits or rents'
  const columns = names.length > 0 ? ` Its columns: ${names.slice(0, 12).join(', ')}.` : ''
  return `${url} ${claim}: ${doubts.join('; ')}.${columns} To map it, say what its rows are: lotline sources new FILE --market ID --holds, with one of ${datasets.join(', ')}.`
}

/** The homes of sales, with the facts that only parcels keep, such as the zoning and assessed values. */
export const parcelsOfSales = (sales: SourceConfig, { fields, nulls = [] }: ProposedMapping): SourceConfig => {
  const words = new Set([...(sales.where.nulls ?? []), ...nulls])
  const known = Object.entries(sales.fields ?? {}).filter(([field]) => Object.hasOwn(targetFields.parcels, field))
  return {
    ...sales,
    id: `${sales.id.replace(/-sales$/, '')}-parcels`,
    holds: 'parcels',
    where: { ...sales.where, ...(words.size > 0 ? { nulls: [...words] } : {}) },
    // A home that was given to a relative for $1 is a home.
    require: sales.require?.filter(({ field }) => field !== sales.fields?.priceUsd),
    fields: { ...Object.fromEntries(fields.map(({ field, rule }) => [field, rule])), ...Object.fromEntries(known) },
  }
}

const nominalPrices = ({ holds, fields }: ProposedMapping, rows: readonly Readonly<Record<string, unknown>>[]) => {
  const field = fields.find((each) => each.field === 'priceUsd')?.rule
  if (holds !== 'sales' || typeof field !== 'string') return undefined
  return rows.some((row) => Number(row[field]) <= nominalUsd) ? [{ field, atLeast: nominalUsd + 1 }] : undefined
}

/** The first line of an export may be a title, or data. */
const checkHeader = (names: readonly string[], url: string): void => {
  const months = names.filter((name) => /^\d{4}-\d{2}(-\d{2})?$|^\d{1,2}\/\d{1,2}\/\d{4}$/.test(name))
  if (months.length > 5)
    throw new SourceError(
      'wide',
      `${url} has a column for each of ${months.length} months (${months[0]} …). One row per month is needed: turn the columns into rows first.`,
    )
  if (names.filter((name) => /^(count|mean|std|min|max|median|\d+%)$/i.test(name)).length > 3)
    throw new SourceError('statistics', `${url} has statistics (mean, std …), not a row for each home, sale or permit.`)
  const unnamed = names.filter((name) => name === '' || /^(unnamed|column|field)\W*\d+$/i.test(name)).length
  if (unnamed > names.length / 2 && names.length - unnamed < 3)
    throw new SourceError(
      'no_header',
      `The first line of ${url} names only ${names.length - unnamed} of ${names.length} columns. Delete the lines above the line of column names.`,
    )
  const values = names.filter((name) => /^[-$]?\d[\d,]*(\.\d+)?%?$|^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}$/.test(name))
  if (values.length > 1 && values.length > names.length / 5)
    throw new SourceError(
      'no_header',
      `The first line of ${url} is data, not column names (${values.slice(0, 3).join(', ')}). Add a line of column names.`,
    )
}

const byFileName = { confidence: 'medium', note: 'by the file name' } as const
/** "FY25_FMRs.csv": the fiscal year 2025 of federal rents begins on October 1, 2024. */
const fiscalYearOf = (url: string): string | undefined => {
  const year = /fy_?(?:20)?(\d\d)(?!\d)/i.exec(basename(url))?.[1]
  return year && `20${String(Number(year) - 1).padStart(2, '0')}-10-01`
}

/** A federal file has counties of the same name in several states. */
const onlyState = (rows: readonly Readonly<Record<string, unknown>>[], market: string | undefined) => {
  const { state, stateName } = markets().find(({ id }) => id === market) ?? {}
  for (const column of Object.keys(rows[0] ?? {}).filter((name) =>
    /^(state|stusps|state(abbr|alpha|code|name)|st)$/.test(nameKey(name)),
  )) {
    const values = new Set(rows.map((row) => String(row[column]).trim().toLowerCase()))
    const own = [state, stateName].find((each) => each && values.has(each.toLowerCase()))
    if (own) return [{ field: column, in: [own] }]
  }
  return undefined
}

const readyDataset = (kind: SourceKind): Dataset | undefined =>
  kind === 'blds' ? 'permits' : kind === 'openaddresses' ? 'parcels' : kind === 'reso' ? 'listings' : undefined

/** A market with one city needs no column for it. */
const onlyCity = (market: string | undefined, fields: readonly string[]): string | undefined => {
  if (fields.includes('city')) return undefined
  const cities = jurisdictions().filter((each) => each.market === market)
  return cities.length === 1 ? cities[0]!.name : undefined
}

const idOf = (url: string, market: string | undefined, holds: Dataset): string =>
  `${
    market ??
    basename(url)
      .toLowerCase()
      .replace(/\.[a-z.]+$/, '')
  }-${holds}`
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The kind of a feed by its address, otherwise by how its content starts. */
const detectFeed = async (url: string, context: ReadContext): Promise<{ kind: SourceKind; where: Where }> => {
  if (isAddress(url) && /\/(Feature|Map)Server\/\d+\/?$/i.test(url)) return { kind: 'arcgis', where: { url } }
  if (isAddress(url) && /\/resource\/[a-z0-9]{4}-[a-z0-9]{4}\.json/i.test(url))
    return { kind: 'socrata', where: { url } }
  const first = await firstBytes(url, context)
  const start = (await textOf(first)).trimStart()
  checkText(first, start, url)
  if (start === '') throw new SourceError('empty', `${url} is empty.`)
  if (/^<(!doctype|html)/i.test(start)) throw new SourceError('html', `${url} returned a web page, not data.`)
  if (start.startsWith('<'))
    throw new SourceError(
      'xml',
      `${url} is XML: copy sources/examples/csv.json, set "kind" to "xml" and "record" to the element of one row.`,
    )
  if (/^[{[]/.test(start)) return { kind: jsonKind(start), where: { url } }
  // A title may stand above the names.
  const lines = start.split(/\r?\n/, 5)
  // Lists in a value have a delimiter of their own, but not equally many entries in every row.
  const [delimiter] = delimiters
    .map((each) => {
      const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(each).length)
      const most = Math.max(...counts)
      const alike = most > 1 ? counts.filter((count) => count === most).length : 0
      return [each, alike > lines.length / 2 ? alike : 0, most] as const
    })
    .sort((a, b) => b[1] - a[1] || b[2] - a[2])[0]!
  const isDefault = delimiter === (/\.tsv(\.gz)?$/i.test(url) ? '\t' : ',')
  // The line with most delimiters may be one of values.
  const named = lines.map((each) => new Set(each.split(delimiter).map((name) => nameKey(name.replaceAll('"', '')))))
  const kind =
    csvKinds.find(({ columns }) => named.some((names) => columns.every((name) => names.has(name))))?.kind ?? 'csv'
  return { kind, where: { url, ...(isDefault ? {} : { delimiter }) } }
}
const delimiters = [',', '\t', ';', '|']
const csvKinds: readonly { kind: SourceKind; columns: readonly string[] }[] = [
  { kind: 'redfin', columns: ['saletype', 'mls#', 'ziporpostalcode'] },
  { kind: 'blds', columns: ['permitnum', 'description', 'workclass'] },
  { kind: 'openaddresses', columns: ['lon', 'lat', 'number', 'street', 'hash'] },
]
const jsonKind = (start: string): SourceKind =>
  /"type"\s*:\s*"Feature(Collection)?"/.test(start)
    ? 'geojson'
    : /"@odata|"ListingKey"|"StandardStatus"/.test(start)
      ? 'reso'
      : /"(objectIdFieldName|geometryType|esri|rings"\s*:)/.test(start)
        ? 'arcgis'
        : 'socrata'

const firstBytes = async (url: string, context: ReadContext): Promise<Buffer> => {
  const bytes = await openBytes({ url }, context, { bytesRead: 0 })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes ?? []) {
    parts.push(part)
    size += part.length
    if (size > 20_000) break
  }
  return Buffer.concat(parts)
}

const textOf = async (bytes: Buffer): Promise<string> => {
  let text = ''
  for await (const part of decoded(Readable.from([bytes]))) text += part
  return text
}

const checkText = (bytes: Buffer, text: string, url: string): void => {
  if (bytes.subarray(0, 2).equals(Buffer.from('PK')))
    throw new SourceError(
      'archive',
      `${url} is a zip archive or an Excel workbook: unpack it, or save the sheet as CSV.`,
    )
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new SourceError('archive', `${url} is compressed with gzip: give it a name that ends in .gz.`)
  const control = text.match(/[^\P{Cc}\s]/gu)?.length ?? 0
  if (text.startsWith('%PDF') || control > text.length / 100)
    throw new SourceError(
      'binary',
      `${url} is not a text file. CSV, TSV, GeoJSON and JSON can be read; save UTF-16 without a byte order mark as UTF-8.`,
    )
}
