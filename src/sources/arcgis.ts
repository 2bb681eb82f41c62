// ArcGIS FeatureServer and MapServer layers: pages ordered by object id, times in epoch milliseconds, shapes in any spatial
// reference.
// https://developers.arcgis.com/rest/services-reference/enterprise/query-feature-service-layer/
import type { Where } from '../domain/packs/source-config.ts'
import { readJson } from './file.ts'
import { knowsReference, layerShape, type Position, type Ring, ringArea, type Shape, shapeFacts } from './geometry.ts'
import {
  isAddress,
  isDayOnly,
  laterTimestamp,
  pageTally,
  type RawRow,
  type ReadContext,
  type ReadShape,
  rowNumberer,
  SourceError,
  sourceOfPages,
} from './source.ts'

export const arcgis = sourceOfPages(async function* (where, context, state) {
  const row = rowNumberer()
  const rowOf = (feature: Feature, page: Page, given: Where, dates: Dates): RawRow => {
    const { geometry, ...rest } = feature
    if (!context.box) return row(fieldsOf(feature, page, given, dates))
    const shape = geometry && esriShape(geometry, referenceOf(page, given))
    return { ...row(fieldsOf(rest, page, given, dates)), shape }
  }
  const since = where.updatedField ? context.previous?.highWater : undefined
  state.highWater = since
  if (!isAddress(where.url)) {
    const page = pageOf(await readJson(where.url, context, {}), where.url)
    yield page.features.map((feature) => rowOf(feature, page, where, new Map()))
    return
  }
  const base = where.url.replace(/\/$/, '')
  const layer = layerOf(await readJson(`${base}?f=json${tokenPart(context)}`, context, {}), base)
  state.columns = [...layer.fields.map(({ name }) => name), 'geometry']
  const timeText = clockOf(layer)
  const dates: Dates = new Map(
    layer.fields.flatMap(({ name, type }) => (type === 'esriFieldTypeDate' ? [[name, timeText]] : [])),
  )
  if (where.updatedField) expectDate(layer, where.updatedField, base)
  const size = Math.min(where.pageSize ?? 2000, layer.maxRecordCount ?? 2000)
  const filter = [`(${where.where ?? '1=1'})`, since && changedAfter(layer, where.updatedField!, since)]
    .filter(Boolean)
    .join(' and ')
  const area: Record<string, string> = context.box
    ? {
        geometry: context.box.join(','),
        geometryType: 'esriGeometryEnvelope',
        inSR: '4326',
        spatialRel: 'esriSpatialRelIntersects',
      }
    : {}
  const ask = async (parameters: Record<string, string>) => {
    const query = new URLSearchParams({ f: 'json', where: filter, ...area, ...parameters })
    return readJson(`${base}/query?${query}${tokenPart(context)}`, context, {})
  }
  const tally = pageTally(base, state, (attributes) => attributes[layer.objectIdField])
  const count = async () => {
    const answer = await ask({ returnCountOnly: 'true' })
    tally.count((answer as { count?: unknown } | null)?.count)
  }
  // Without the object id, repeated rows cannot be told. It stays out of the row if it was not selected.
  const selected = heldFields(where.select, layer.fields, base)
  const isIdSelected = selected.some((name) => name === '*' || name === layer.objectIdField)
  const isTimeSelected = !where.updatedField || selected.some((name) => name === '*' || name === where.updatedField)
  const added = [isIdSelected ? [] : layer.objectIdField, isTimeSelected ? [] : where.updatedField]
  const outFields = [...added.flat(), ...selected].join(',')
  const ids = layer.canPage ? undefined : idsOf(await ask({ returnIdsOnly: 'true' }), base)
  // Before the first page: a row of it that is deleted meanwhile moves another one off the next page.
  await count()
  for (let offset = 0; ; ) {
    const range = ids && [ids[offset] ?? 0, ids[Math.min(offset + size, ids.length) - 1] ?? 0]
    const page = pageOf(
      await ask({
        ...{ outFields, outSR: '4326', returnGeometry: 'true', orderByFields: layer.objectIdField },
        ...(context.box ? { returnTrueCurves: 'false' } : {}),
        ...(range
          ? { where: `${filter} and ${layer.objectIdField} between ${range.join(' and ')}` }
          : { resultOffset: String(offset), resultRecordCount: String(size) }),
      }),
      base,
    )
    if (where.updatedField)
      for (const { attributes } of page.features)
        state.highWater = laterTimestamp(state.highWater, attributes[where.updatedField], context.now)
    tally.add(page.features.map(({ attributes }) => attributes))
    if (page.features.length > 0)
      yield page.features.map((feature) => {
        const { fields: all, ...read } = rowOf(feature, page, where, dates)
        const { [isIdSelected ? '' : layer.objectIdField]: _, ...fields } = all
        return { ...read, fields }
      })
    // The server says that there are more rows but returns none, so this is not the end.
    if (page.features.length === 0 && page.exceededTransferLimit)
      throw new SourceError('empty_page', `${base} returned no rows after ${offset} but said that there are more.`)
    offset += page.features.length
    const isLast = ids ? offset >= ids.length : !page.exceededTransferLimit && page.features.length < size
    if (page.features.length === 0 || isLast) return await tally.end(count)
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
  const present = fields.map(({ name }) => name).filter((name) => wanted.has(name.toLowerCase()))
  if (present.length === 0)
    throw new SourceError(
      'select',
      `${url} has none of the fields in where.select (${select}). It has ${fields.map(({ name }) => name).join(', ')}.`,
    )
  return present
}

const tokenPart = ({ token }: ReadContext): string => (token ? `&token=${encodeURIComponent(token)}` : '')

type Layer = ReturnType<typeof layerOf>

const expectDate = ({ fields }: Layer, name: string, url: string): void => {
  const dated = fields.filter(({ type }) => /^esriFieldType(Date|DateOnly|TimestampOffset)$/.test(type))
  if (!dated.some((field) => field.name === name))
    throw new SourceError(
      'updated_field',
      `${url} has no date "${name}" (where.updatedField). Its dates: ${dated.map((field) => field.name).join(', ') || 'none'}.`,
    )
}

/**
 * A server that stores local times reads the time of a query as local too, and sends times in UTC: a day earlier is before the last
 * change in every time zone.
 */
const changedAfter = ({ timeZone }: Layer, name: string, since: string): string => {
  const comparison = isDayOnly(since) ? '>=' : '>'
  if (/^\d{4}-\d\d-\d\d$/.test(since)) return `${name} ${comparison} date '${since}'`
  const ms = Number.isFinite(Number(since)) ? Number(since) : Date.parse(since)
  const time = new Date(timeZone === undefined || timeZone === 'UTC' ? ms : ms - 86_400_000)
  return `${name} ${comparison} timestamp '${time.toISOString().slice(0, 19).replace('T', ' ')}'`
}

interface Feature {
  attributes: Record<string, unknown>
  geometry?: {
    x?: number
    y?: number
    rings?: Ring[]
    points?: Position[]
    paths?: Ring[]
    curveRings?: readonly Curved[]
    curvePaths?: readonly Curved[]
  }
}
/** A position, or a curve from the one before: an arc through a point, or a Bezier curve with two control points. */
type Curved = readonly (Position | { c?: readonly [Position, Position]; b?: readonly [Position, Position, Position] })[]
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
    advancedQueryCapabilities?: { supportsPagination?: boolean }
    dateFieldsTimeReference?: { timeZone?: string; timeZoneIANA?: string } | null
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
  const canPage = layer.advancedQueryCapabilities?.supportsPagination !== false
  const { timeZone, timeZoneIANA } = layer.dateFieldsTimeReference ?? {}
  const { fields, maxRecordCount } = layer
  return { fields, maxRecordCount, objectIdField: oid, canPage, timeZone, timeZoneIANA }
}

/** Of a server that cannot skip rows: all object ids, which are then asked for in ranges. */
const idsOf = (answer: unknown, url: string): number[] => {
  throwIfError(answer, url)
  const { objectIds } = (answer ?? {}) as { objectIds?: number[] | null }
  return (objectIds ?? []).toSorted((a, b) => a - b)
}

const pageOf = (answer: unknown, url: string): Page => {
  throwIfError(answer, url)
  // A saved file may have the features alone.
  const page = (Array.isArray(answer) ? { features: answer } : (answer ?? {})) as Partial<Page>
  if (!Array.isArray(page.features)) throw new SourceError('not_rows', `${url} returned no features.`)
  return page as Page
}

const fieldsOf = (
  { attributes, geometry }: Feature,
  page: Page,
  where: Where,
  dates: Dates,
): Record<string, unknown> => {
  const fields: Record<string, unknown> = { ...attributes }
  for (const [name, timeText] of dates) if (typeof fields[name] === 'number') fields[name] = timeText(fields[name])
  if (geometry) fields.geometry = shapeFacts(shapeOf(geometry), referenceOf(page, where)) ?? { unreadable: true }
  return fields
}

/** Writes the times of a date field. */
type Dates = ReadonlyMap<string, (ms: number) => string | undefined>

/** A server that knows its time zone sends local times in UTC, in which an evening belongs to the next day. */
const clockOf = ({ timeZone, timeZoneIANA }: Layer) => {
  const zone = timeZoneIANA ?? windowsZones[timeZone ?? '']
  const local = zone === undefined ? undefined : localTimes(zone)
  return (ms: number): string | undefined => {
    const date = new Date(ms)
    if (Number.isNaN(date.getTime())) return undefined
    return local ? local.format(date).replace(' ', 'T') : date.toISOString()
  }
}

/** Writes 2026-11-13 16:30:00. Undefined for a zone that does not exist. */
const localTimes = (timeZone: string): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  } catch {
    return undefined
  }
}

/** Of the United States. Newer servers give the IANA name as well. */
const windowsZones: Readonly<Record<string, string>> = {
  'Eastern Standard Time': 'America/New_York',
  'US Eastern Standard Time': 'America/Indiana/Indianapolis',
  'Central Standard Time': 'America/Chicago',
  'Mountain Standard Time': 'America/Denver',
  'US Mountain Standard Time': 'America/Phoenix',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Alaskan Standard Time': 'America/Anchorage',
  'Hawaiian Standard Time': 'Pacific/Honolulu',
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

/** Old servers send curves although straight lines were asked for. */
const esriShape = (geometry: NonNullable<Feature['geometry']>, reference: string | undefined): ReadShape => {
  const { rings, points, paths, curveRings, curvePaths } = geometry
  const straight = (curved: readonly Curved[] | undefined) => curved?.map(straightened)
  const areas = rings ?? straight(curveRings)
  const lines = paths ?? straight(curvePaths)
  if ([areas, lines].some((all) => all?.some((ring) => !ring)))
    return {
      ...layerShape('point', [], reference),
      unreadable: 'it has a curve that is neither an arc nor a Bezier curve',
    }
  if (areas) return layerShape('area', shapeOf({ rings: areas as Ring[] }), reference)
  if (lines) return layerShape('line', [lines as Ring[]], reference)
  return layerShape('point', points ? [points.map((point) => [point])] : shapeOf(geometry), reference)
}

const curveSteps = 16
const straightened = (line: Curved): Ring | undefined => {
  const flat: Position[] = []
  for (const next of line) {
    if (Array.isArray(next)) {
      flat.push(next as Position)
      continue
    }
    const from = flat.at(-1)
    const { c, b } = next as Exclude<Curved[number], Position>
    if (!from || (!c && !b)) return undefined
    for (let step = 1; step <= curveSteps; step += 1) {
      const t = step / curveSteps
      flat.push(c ? onArc(from, c[1], c[0], t) : onBezier([from, b![1], b![2], b![0]], t))
    }
  }
  return flat
}

const onBezier = (points: readonly Position[], t: number): Position => {
  const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3]
  const at = (axis: 0 | 1) => points.reduce((sum, point, index) => sum + weights[index]! * point[axis], 0)
  return [at(0), at(1)]
}

/** On the circle through three points, from the first to the last by way of the second. */
const onArc = ([x1, y1]: Position, [x2, y2]: Position, [x3, y3]: Position, t: number): Position => {
  const twice = 2 * ((x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1))
  if (twice === 0) return [x1 + (x3 - x1) * t, y1 + (y3 - y1) * t]
  const [b, c] = [(x2 - x1) ** 2 + (y2 - y1) ** 2, (x3 - x1) ** 2 + (y3 - y1) ** 2]
  const [ox, oy] = [x1 + ((y3 - y1) * b - (y2 - y1) * c) / twice, y1 + ((x2 - x1) * c - (x3 - x1) * b) / twice]
  const from = Math.atan2(y1 - oy, x1 - ox)
  const turn = (Math.sign(twice) * (Math.atan2(y3 - oy, x3 - ox) - from) + 4 * Math.PI) % (2 * Math.PI)
  const angle = from + Math.sign(twice) * turn * t
  const radius = Math.hypot(x1 - ox, y1 - oy)
  return [ox + radius * Math.cos(angle), oy + radius * Math.sin(angle)]
}
