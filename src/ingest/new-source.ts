// Makes a source configuration from a file or URL: its kind, delimiter and data set are detected, its mapping is proposed.
import { basename } from 'node:path'
import { type Dataset, datasets } from '../domain/facts.ts'
import { jurisdictions, markets } from '../domain/packs/markets.ts'
import type { SourceConfig, SourceKind } from '../domain/packs/source-config.ts'
import { createHttp } from '../sources/http.ts'
import { defaultFields, sourceOf } from '../sources/kinds.ts'
import { type ReadContext, SourceError } from '../sources/source.ts'
import { nameKey } from './column-names.ts'
import { detectFeed } from './detect-feed.ts'
import { targetFields } from './map.ts'
import { judgeKind, nominalUsd, type Verdict } from './propose/kind-evidence.ts'
import { checkHeader, headerShift, movedColumns } from './propose/misaligned.ts'
import { type ProposedMapping, proposeMapping } from './propose/propose-mapping.ts'

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

type Row = Readonly<Record<string, unknown>>
type Feed = Awaited<ReturnType<typeof detectFeed>>
interface Sample {
  rows: readonly Row[]
  /** Columns that appear twice. They are not in the rows. */
  twice: readonly string[]
}

export const newSource = async (
  url: string,
  options: NewSourceOptions,
  context: Omit<ReadContext, 'http'>,
): Promise<NewSource> => {
  const http = createHttp()
  try {
    const feed = await detectFeed(url, { ...context, http })
    const sample = await readSample(url, feed, options, { ...context, http })
    return proposeSource(url, feed, sample, options, context.now)
  } finally {
    await http.close()
  }
}

/** Reads the first rows. Throws if the values are not in the columns that name them. */
const readSample = async (
  url: string,
  { kind, where }: Feed,
  { holds }: NewSourceOptions,
  context: ReadContext,
): Promise<Sample> => {
  const rows: Row[] = []
  let broken = 0
  const reading = sourceOf(kind)(where, context)
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
  const twice = [...new Set(columns.filter((name, at) => name !== '' && columns.indexOf(name) !== at))]
  const withoutTwice = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => !twice.includes(name)))
  return { rows: twice.length > 0 ? rows.map(withoutTwice) : rows, twice }
}

const proposeSource = (
  url: string,
  { kind, where }: Feed,
  { rows, twice }: Sample,
  { id, holds, market, city }: NewSourceOptions,
  now: Date | undefined,
): NewSource => {
  const ready = holds ?? readyDataset(kind)
  const { found, mapping, doubts, likely, isRoll } = recognize(rows, ready, now)
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
  const cityOf = city ?? onlyCity(market, own)
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
    others: isRoll && doubts.length === 0 ? [parcelsOfSales(config, proposeMapping(rows, 'parcels', now))] : sizes,
    mapping: isReady ? { ...mapping, fields: [], unclear: [], missing: [] } : mapping,
    rows: rows.length,
  }
  if (doubts.length > 0) throw new UnsureKind(doubtText(url, mapping, rows, doubts, likely), proposed)
  return proposed
}

/** Proposes a mapping for the data set that the columns show (`found`) and for the likeliest one (`mapping`), with reasons for doubt. */
const recognize = (rows: readonly Row[], ready: Dataset | undefined, now: Date | undefined) => {
  const found = proposeMapping(rows, ready, now)
  const { doubts, likely, isRoll }: Verdict = ready ? { doubts: [], isRoll: false } : judgeKind(found, rows)
  if (!ready && doubts.length === 0 && found.missing.length > 0 && found.fields.length < 2)
    doubts.push('too few of its columns are known')
  if (!likely || likely === found.holds) return { found, mapping: found, doubts, likely, isRoll }
  // The mapping for the likeliest data set may show that the rows are not that.
  const mapping = proposeMapping(rows, likely, now)
  const second = judgeKind(mapping, rows)
  return { found, mapping, doubts: [...doubts, ...second.doubts], likely: second.likely, isRoll }
}

const doubtText = (
  url: string,
  { holds, because }: ProposedMapping,
  rows: readonly Row[],
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

const nominalPrices = ({ holds, fields }: ProposedMapping, rows: readonly Row[]) => {
  const field = fields.find((each) => each.field === 'priceUsd')?.rule
  if (holds !== 'sales' || typeof field !== 'string') return undefined
  return rows.some((row) => Number(row[field]) <= nominalUsd) ? [{ field, atLeast: nominalUsd + 1 }] : undefined
}

const byFileName = { confidence: 'medium', note: 'by the file name' } as const
/** "FY25_FMRs.csv": the fiscal year 2025 of federal rents begins on October 1, 2024. */
const fiscalYearOf = (url: string): string | undefined => {
  const year = /fy_?(?:20)?(\d\d)(?!\d)/i.exec(basename(url))?.[1]
  return year && `20${String(Number(year) - 1).padStart(2, '0')}-10-01`
}

/** A federal file has counties of the same name in several states. */
const onlyState = (rows: readonly Row[], market: string | undefined) => {
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
const onlyCity = (market: string | undefined, fields: ProposedMapping['fields']): string | undefined => {
  if (fields.some(({ field }) => field === 'city')) return undefined
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
