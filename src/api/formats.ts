// A list as JSON, GeoJSON or CSV, with all fields or only those asked for.
import type { FastifyRequest } from 'fastify'
import { csvOf } from '../common/csv.ts'
import { badRequest } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import { identifiers } from '../domain/searched-row.ts'
import { fieldColumns, tableColumns } from '../wire/columns.ts'
import { isPlainList, type Operation, rowsOf } from '../wire/operation.ts'
import type { formats } from '../wire/operations/paging.ts'
import { cellOf, picked, positionOf, type Row } from '../wire/row-fields.ts'
import { jsonType } from './errors.ts'

export type Format = (typeof formats)[number]

const contentTypes: Readonly<Record<Format, string>> = {
  json: jsonType,
  geojson: 'application/geo+json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

type List = { data: Row[]; pagination: { total: number; nextCursor?: string | null } } & Row

/** `f` decides, otherwise the first type in Accept that we support. */
export const formatOf = (given: unknown, accept: string | undefined): Format => {
  if (given !== undefined) return given as Format
  for (const each of (accept ?? '').split(',')) {
    const type = each.split(';')[0]!.trim().toLowerCase()
    if (type === 'application/geo+json') return 'geojson'
    if (type === 'text/csv') return 'csv'
    if (type === 'application/json') return 'json'
  }
  return 'json'
}

/** Whether the operation has formats: every list does, and those that take criteria also have `fields` and GeoJSON. */
export const hasFormats = (operation: Operation): boolean =>
  isPlainList(operation) || (!operation.accepted && 'fields' in operation.input.properties)

/** Content type and body of a list in the format that was asked for. */
export const formatAnswer = (
  request: Pick<FastifyRequest, 'url' | 'headers'>,
  input: Readonly<Record<string, unknown>>,
  json: () => string,
  { fields: names, columns }: ServedNames,
  hasPositions = true,
): { type: string; json: () => string } => {
  const { f = input.format, format: same = f } = input
  if (f !== same)
    throw badRequest(`f and format are two names of one value: ${f} and ${same} differ. Give one of them.`)
  const wanted = formatOf(f, request.headers.accept)
  const format = wanted === 'geojson' && !hasPositions ? 'json' : wanted
  const fields = input.fields as readonly string[] | undefined
  const type = contentTypes[format]
  if (format === 'json' && fields === undefined) return { type, json }
  return {
    type,
    json: () => {
      // The serializer has left only what the contract names.
      const list = JSON.parse(json()) as List
      if (format === 'csv') return listCsv(list, fields === undefined ? columns : [names[0]!, ...fields])
      const data = fields === undefined ? list.data : list.data.map((row) => picked(row, [...identifiers, ...fields]))
      const chosen = { ...list, data }
      return JSON.stringify(
        format === 'json' ? chosen : geoJsonOf(chosen, list.data.map(positionOf), nextLink(request.url, list)),
      )
    },
  }
}

/** The address of the next page, without the key. */
const nextLink = (url: string, { pagination }: List): string | undefined => {
  if (!pagination.nextCursor) return undefined
  const [path, query] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('offset')
  parameters.set('cursor', pagination.nextCursor)
  return `${path}?${parameters}`
}

/** The fields of a row, the identifier first, and the columns of its CSV. */
type ServedNames = ReturnType<typeof servedNames>

export const servedNames = ({ output }: Operation) => {
  const row = rowsOf(output)!
  return { fields: fieldColumns(row).map(({ name }) => name), columns: tableColumns(row).map(({ name }) => name) }
}

const geoJsonOf = (list: List, positions: readonly (readonly [number, number] | undefined)[], next?: string): Row => ({
  type: 'FeatureCollection',
  numberMatched: list.pagination.total,
  numberReturned: list.data.length,
  features: list.data.map((row, at) => ({
    type: 'Feature',
    id: row.id ?? row.permitId ?? row.saleId,
    geometry: positions[at] ? { type: 'Point', coordinates: positions[at] } : null,
    properties: row,
  })),
  links: next === undefined ? [] : [{ rel: 'next', href: next, type: 'application/geo+json' }],
  historyWindow: list.historyWindow ?? null,
  ...pick(list, 'asOf', 'pagination', 'applied', 'funnel', 'ignored', 'suggestions'),
})

/** What is not a single value is written as JSON. */
const listCsv = (list: List, names: readonly string[]): string => {
  const columns = [...new Set(names)]
  return csvOf(
    columns,
    list.data.map((row) => Object.fromEntries(columns.map((name) => [name, cellOf(row, name)]))),
  )
}
