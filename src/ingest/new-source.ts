// Makes a source configuration from a file or URL: its kind, delimiter and data set are detected, its mapping is proposed.
import { basename } from 'node:path'
import type { Dataset } from '../domain/facts.ts'
import { jurisdictions } from '../domain/packs/markets.ts'
import type { SourceConfig, SourceKind, Where } from '../domain/packs/source-config.ts'
import { decoded, openBytes } from '../sources/file.ts'
import { createHttp } from '../sources/http.ts'
import { defaultFields, sourceOf } from '../sources/kinds.ts'
import { isAddress, type ReadContext, SourceError } from '../sources/source.ts'
import { nameKey } from './column-names.ts'
import { type ProposedMapping, proposeMapping } from './propose-mapping.ts'

export interface NewSource {
  config: SourceConfig
  mapping: ProposedMapping
  rows: number
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
    const rows: Readonly<Record<string, unknown>>[] = []
    pages: for await (const page of sourceOf(kind)(where, { ...context, http }).pages)
      for (const { fields } of page) if (rows.push(fields) >= sampleRows) break pages
    if (rows.length === 0) throw new SourceError('empty', `${url} has no rows.`)
    const ready = holds ?? readyDataset(kind)
    const mapping = proposeMapping(rows, ready)
    const isReady = Object.keys(defaultFields(kind, mapping.holds)).length > 0
    const own = isReady ? [] : mapping.fields
    const cityOf =
      city ??
      onlyCity(
        market,
        own.map(({ field }) => field),
      )
    const config: SourceConfig = {
      id: id ?? idOf(url, market, mapping.holds),
      title: `${basename(url)}, mapped by lotline sources new`,
      kind,
      holds: mapping.holds,
      where,
      ...(market ? { market } : {}),
      ...(cityOf ? { city: cityOf } : {}),
      ...(mapping.point && !isReady ? { point: mapping.point } : {}),
      ...(own.length > 0 ? { fields: Object.fromEntries(own.map(({ field, rule }) => [field, rule])) } : {}),
    }
    return {
      config,
      mapping: isReady ? { ...mapping, fields: [], unclear: [], missing: [] } : mapping,
      rows: rows.length,
    }
  } finally {
    await http.close()
  }
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
  const start = (await firstText(url, context)).trimStart()
  if (start === '') throw new SourceError('empty', `${url} is empty.`)
  if (/^<(!doctype|html)/i.test(start)) throw new SourceError('html', `${url} returned a web page, not data.`)
  if (start.startsWith('<'))
    throw new SourceError(
      'xml',
      `${url} is XML: copy sources/examples/csv.json, set "kind" to "xml" and "record" to the element of one row.`,
    )
  if (/^[{[]/.test(start)) return { kind: jsonKind(start), where: { url } }
  const line = start.split(/\r?\n/, 1)[0]!
  const delimiter = delimiters
    .map((each) => [each, line.split(each).length] as const)
    .sort((a, b) => b[1] - a[1])[0]![0]
  const isDefault = delimiter === (/\.tsv(\.gz)?$/i.test(url) ? '\t' : ',')
  const names = new Set(line.split(delimiter).map((name) => nameKey(name.replaceAll('"', ''))))
  const kind = csvKinds.find(({ columns }) => columns.every((name) => names.has(name)))?.kind ?? 'csv'
  return { kind, where: { url, ...(isDefault ? {} : { delimiter }) } }
}
const delimiters = [',', '\t', ';', '|']
const csvKinds: readonly { kind: SourceKind; columns: readonly string[] }[] = [
  { kind: 'redfin', columns: ['saletype', 'mls#', 'ziporpostalcode'] },
  { kind: 'blds', columns: ['permitnum', 'description', 'workclass'] },
  { kind: 'openaddresses', columns: ['lon', 'lat', 'number', 'street', 'hash'] },
]
const jsonKind = (start: string): SourceKind =>
  /"type"\s*:\s*"FeatureCollection"/.test(start)
    ? 'geojson'
    : /"@odata|"ListingKey"|"StandardStatus"/.test(start)
      ? 'reso'
      : /"(objectIdFieldName|geometryType|esri)/.test(start)
        ? 'arcgis'
        : 'socrata'

const firstText = async (url: string, context: ReadContext): Promise<string> => {
  const bytes = await openBytes({ url }, context, { bytesRead: 0 })
  let text = ''
  if (bytes)
    for await (const part of decoded(bytes, undefined)) {
      text += part
      if (text.length > 20_000) break
    }
  return text
}
