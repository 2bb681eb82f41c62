// ArcGIS FeatureServer and MapServer layers: pages ordered by object id, times in epoch milliseconds, shapes in any spatial
// reference.
// https://developers.arcgis.com/rest/services-reference/enterprise/query-feature-service-layer/
import type { Where } from '../domain/packs/source-config.ts'
import { readJson } from './file.ts'
import { knowsReference, type Position, type Ring, ringArea, type Shape, shapeFacts } from './geometry.ts'
import {
  isAddress,
  laterTimestamp,
  pageTally,
  type ReadContext,
  rowNumberer,
  SourceError,
  sourceOfPages,
} from './source.ts'

export const arcgis = sourceOfPages(async function* (where, context, state) {
  const row = rowNumberer()
  const since = where.updatedField ? context.previous?.highWater : undefined
  state.highWater = since
  if (!isAddress(where.url)) {
    const page = pageOf(await readJson(where.url, context, {}), where.url)
    yield page.features.map((feature) => row(fieldsOf(feature, page, where, new Set())))
    return
  }
  const base = where.url.replace(/\/$/, '')
  const layer = layerOf(await readJson(`${base}?f=json${tokenPart(context)}`, context, {}), base)
  state.columns = [...layer.fields.map(({ name }) => name), 'geometry']
  const dates = new Set(layer.fields.filter(({ type }) => type === 'esriFieldTypeDate').map(({ name }) => name))
  const size = Math.min(where.pageSize ?? 2000, layer.maxRecordCount ?? 2000)
  const filter = [`(${where.where ?? '1=1'})`, since && `${where.updatedField} > timestamp '${stampOf(since)}'`]
    .filter(Boolean)
    .join(' and ')
  const tally = pageTally(base, state, (attributes) => attributes[layer.objectIdField])
  const count = async () => {
    const query = new URLSearchParams({ f: 'json', where: filter, returnCountOnly: 'true' })
    const answer = await readJson(`${base}/query?${query}${tokenPart(context)}`, context, {})
    tally.count((answer as { count?: unknown } | null)?.count)
  }
  // Without the object id, repeated rows cannot be told. It stays out of the row if it was not selected.
  const selected = heldFields(where.select, layer.fields, base)
  const isIdSelected = selected.some((name) => name === '*' || name === layer.objectIdField)
  const outFields = [...(isIdSelected ? [] : [layer.objectIdField]), ...selected].join(',')
  for (let offset = 0; ; ) {
    const query = new URLSearchParams({
      f: 'json',
      where: filter,
      outFields,
      outSR: '4326',
      returnGeometry: 'true',
      orderByFields: layer.objectIdField,
      resultOffset: String(offset),
      resultRecordCount: String(size),
    })
    const page = pageOf(await readJson(`${base}/query?${query}${tokenPart(context)}`, context, {}), base)
    if (where.updatedField)
      for (const { attributes } of page.features)
        state.highWater = laterTimestamp(state.highWater, attributes[where.updatedField])
    tally.add(page.features.map(({ attributes }) => attributes))
    if (page.features.length > 0)
      yield page.features.map((feature) => {
        const { [isIdSelected ? '' : layer.objectIdField]: _, ...fields } = fieldsOf(feature, page, where, dates)
        return row(fields)
      })
    // The server says that there are more rows but returns none, so this is not the end.
    if (page.features.length === 0 && page.exceededTransferLimit)
      throw new SourceError('empty_page', `${base} returned no rows after ${offset} but said that there are more.`)
    if (offset === 0) await count()
    offset += page.features.length
    if (page.features.length === 0 || (!page.exceededTransferLimit && page.features.length < size))
      return await tally.end(count)
  }
})

/**
 * The selected fields that the layer has, spelled as in the layer. A server rejects the whole query for an unknown field without
 * naming it; the check of the mapping names the missing ones. Never all fields in place of a selection: a source may leave out
 * owner names with it.
 */
const heldFields = (select: string | undefined, fields: readonly { name: string }[], url: string): string[] => {
  if (select === undefined || select.trim() === '*') return ['*']
  const wanted = new Set(select.split(',').map((name) => name.trim().toLowerCase()))
  const held = fields.map(({ name }) => name).filter((name) => wanted.has(name.toLowerCase()))
  if (held.length === 0)
    throw new SourceError(
      'select',
      `${url} has none of the fields in where.select (${select}). It has ${fields.map(({ name }) => name).join(', ')}.`,
    )
  return held
}

const tokenPart = ({ token }: ReadContext): string => (token ? `&token=${encodeURIComponent(token)}` : '')

const stampOf = (epochMs: string): string => new Date(Number(epochMs)).toISOString().slice(0, 19).replace('T', ' ')

interface Feature {
  attributes: Record<string, unknown>
  geometry?: { x?: number; y?: number; rings?: Ring[] }
}
interface Page {
  features: Feature[]
  exceededTransferLimit?: boolean
  spatialReference?: { wkid?: number; latestWkid?: number }
}

/** ArcGIS reports errors with status 200. */
const throwIfError = (answer: unknown, url: string): void => {
  const { error } = (answer ?? {}) as { error?: { code?: number; message?: string; details?: string[] } }
  if (error)
    throw new SourceError(
      `arcgis_${error.code ?? 'error'}`,
      `${url} returned an error: ${[error.message, ...(error.details ?? [])].filter(Boolean).join(' ')}`,
    )
}

const layerOf = (answer: unknown, url: string) => {
  throwIfError(answer, url)
  const layer = (answer ?? {}) as {
    objectIdField?: string
    objectIdFieldName?: string
    maxRecordCount?: number
    fields?: { name: string; type: string }[]
  }
  if (!Array.isArray(layer.fields))
    throw new SourceError(
      'not_layer',
      `${url} is not a layer: it lists no fields. The URL of a layer ends in a number, for example …/FeatureServer/0.`,
    )
  const oid =
    layer.objectIdField ??
    layer.objectIdFieldName ??
    layer.fields.find(({ type }) => type === 'esriFieldTypeOID')?.name ??
    'OBJECTID'
  return { fields: layer.fields, maxRecordCount: layer.maxRecordCount, objectIdField: oid }
}

const pageOf = (answer: unknown, url: string): Page => {
  throwIfError(answer, url)
  const page = (answer ?? {}) as Partial<Page>
  if (!Array.isArray(page.features)) throw new SourceError('not_rows', `${url} returned no features.`)
  return page as Page
}

const fieldsOf = (
  { attributes, geometry }: Feature,
  page: Page,
  where: Where,
  dates: ReadonlySet<string>,
): Record<string, unknown> => {
  const fields: Record<string, unknown> = { ...attributes }
  for (const name of dates) if (typeof fields[name] === 'number') fields[name] = isoOf(fields[name])
  if (geometry) fields.geometry = shapeFacts(shapeOf(geometry), referenceOf(page, where)) ?? { unreadable: true }
  return fields
}

const isoOf = (ms: number): string | undefined => {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** The request asks for degrees; old servers ignore that and name the reference they used. */
const referenceOf = ({ spatialReference }: Page, where: Where): string | undefined => {
  const sent = spatialReference?.latestWkid ?? spatialReference?.wkid
  const name = sent === undefined ? where.spatialReference : `EPSG:${sent}`
  if (name === undefined || name === 'EPSG:4326') return undefined
  if (knowsReference(name)) return name
  if (where.spatialReference && knowsReference(where.spatialReference)) return where.spatialReference
  throw new SourceError(
    'reference',
    `The layer uses ${name}, which is not known. Set where.spatialReference to a PROJ string.`,
  )
}

/** Esri lists the rings of all parts together: outer rings are clockwise, holes counterclockwise. */
const shapeOf = ({ x, y, rings }: NonNullable<Feature['geometry']>): Shape => {
  if (!Array.isArray(rings)) return typeof x === 'number' && typeof y === 'number' ? [[[[x, y] as Position]]] : []
  const outer = rings.filter((ring) => ringArea(ring) <= 0)
  const holes = rings.filter((ring) => ringArea(ring) > 0)
  // Some servers use the opposite direction throughout.
  if (outer.length === 0) return holes.map((ring) => [ring])
  return outer.map((ring, at) => (at === 0 ? [ring, ...holes] : [ring]))
}
