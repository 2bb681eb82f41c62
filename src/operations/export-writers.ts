// The formats of exports. A writer turns rows into bytes and keeps no more than one row group in memory.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { csvLine } from '../common/csv.ts'
import { fieldCatalog } from '../criteria/fields.ts'
import type { SearchKind } from '../criteria/table.ts'
import { identifiers } from '../domain/searched-row.ts'
import { type Column, fieldColumns, tableColumns } from '../wire/columns.ts'
import { type RowSchema, rowsOf } from '../wire/operation.ts'
import { type ExportFormat, type ExportKind, exportLists, isExportList } from '../wire/operations/exports.ts'
import { ParcelItem } from '../wire/operations/search.ts'
import { Permit } from '../wire/permit.ts'
import { type ParcelShape, PropertySignal } from '../wire/property.ts'
import { cellReader, picked, positionOf, type Row } from '../wire/row-fields.ts'
import { Sale } from '../wire/sale.ts'

/** Outlines by the identifier of the row. */
type Outlines = ReadonlyMap<unknown, Polygons>
type Polygons = ParcelShape['coordinates']

interface RowWriter {
  write(rows: readonly Row[], outlines?: Outlines): Buffer
  end(): Buffer
}

const searchRows: Readonly<Record<SearchKind, unknown>> = {
  listings: PropertySignal,
  parcels: ParcelItem,
  permits: Permit,
  sales: Sale,
}

const rowOf = (kind: ExportKind): RowSchema =>
  isExportList(kind) ? rowsOf(exportLists[kind].output)! : (searchRows[kind] as RowSchema)

/** The fields of the rows, the identifier first. */
export const exportFields = (kind: ExportKind): readonly Column[] =>
  isExportList(kind) ? fieldColumns(rowOf(kind)) : fieldCatalog[kind]

export const exportWriter = (
  format: ExportFormat,
  kind: ExportKind,
  chosen: readonly string[] | undefined,
): RowWriter => {
  const fields = exportFields(kind)
  const [identifier] = fields.map(({ name }) => name)
  const names = chosen && [...new Set([identifier!, ...chosen])]
  if (format === 'ndjson') return ndjson(names && [...identifiers, ...names])
  const all = tableColumns(rowOf(kind), fields)
  const columns =
    names?.map((name) => all.find((each) => each.name === name) ?? { name, type: 'object' as const }) ?? all
  if (format === 'csv') return csv(columns)
  return isExportList(kind) ? geoParquet(columns) : geoParquet(shortNamed(names ? columns : fields, fields), columns)
}

/** The names of versions 2 and 3 in GeoParquet: the last part of each. What is no field of its own was text. */
const shortNamed = (columns: readonly Column[], fields: readonly Column[]): ParquetColumn[] =>
  columns.map(({ name, type }) => ({
    name,
    type: fields.some((each) => each.name === name) ? type : 'object',
    column: name.split('.').at(-1)!,
  }))

const ndjson = (names: readonly string[] | undefined): RowWriter => ({
  write: (rows) => {
    let text = ''
    for (const row of rows) text += `${JSON.stringify(names ? picked(row, names) : row)}\n`
    return Buffer.from(text)
  },
  end: () => Buffer.alloc(0),
})

const csv = (fields: readonly Column[]): RowWriter => {
  const cells = fields.map(({ name }) => cellReader(name))
  let header = csvLine(fields.map(({ name }) => name))
  const write = (rows: readonly Row[]) => {
    let text = header
    header = ''
    for (const row of rows) text += csvLine(cells.map((cell) => cell(row)))
    return Buffer.from(text)
  }
  return { write, end: () => write([]) }
}

const rowsPerGroup = 25_000

const parquetTypes = {
  number: { type: 'DOUBLE' },
  integer: { type: 'INT32' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  date: { type: 'INT32', converted_type: 'DATE' },
  boolean: { type: 'BOOLEAN' },
  object: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  list: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Record<Column['type'], object>

/** `column`: its name in the file, if it is not that of the field. */
type ParquetColumn = Column & { column?: string }

/**
 * GeoParquet 1.1 (https://geoparquet.org/releases/v1.1.0). Without `crs` the coordinates are in OGC:CRS84, longitude first. Objects
 * and lists are JSON. Columns of `later` follow the geometry unless their name is taken.
 */
const geoParquet = (first: readonly ParquetColumn[], later: readonly Column[] = []): RowWriter => {
  const out = new ByteWriter()
  const bbox = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const taken = new Set(['geometry'])
  const [before, after] = [first, later].map((some: readonly ParquetColumn[]) =>
    some.flatMap(({ name, type, column = name }) => {
      if (taken.has(column)) return []
      taken.add(column)
      return [{ type, column, cell: cellReader(name) }]
    }),
  )
  const columns = [...before!, ...after!]
  const described = ({ column, type }: (typeof columns)[number]) => ({
    name: column,
    ...parquetTypes[type],
    repetition_type: 'OPTIONAL' as const,
  })
  const kvMetadata: { key: string; value: string }[] = []
  const writer = new ParquetWriter({
    writer: out,
    schema: [
      { name: 'root', num_children: columns.length + 1 },
      ...before!.map(described),
      { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      ...after!.map(described),
    ],
    kvMetadata,
  })
  const types = new Set<string>()
  const group: { values: unknown[][]; geometries: (Uint8Array | undefined)[] } = {
    values: columns.map(() => []),
    geometries: [],
  }
  const drained = (): Buffer => {
    const bytes = Buffer.from(out.getBytes().slice())
    // The offset counts all bytes of the file; the buffer is used again.
    out.index = 0
    return bytes
  }
  const writeGroup = () => {
    if (group.geometries.length === 0) return
    const data = columns.map(({ column }, at) => ({ name: column, data: group.values[at]! }))
    const geometry = { name: 'geometry', data: group.geometries }
    void writer.write({
      columnData: [...data.slice(0, before!.length), geometry, ...data.slice(before!.length)],
      rowGroupSize: rowsPerGroup,
    })
    group.values = columns.map(() => [])
    group.geometries = []
  }
  return {
    write: (rows, outlines) => {
      for (const row of rows) {
        for (const [at, { cell, type }] of columns.entries()) group.values[at]!.push(parquetValue(cell(row), type))
        const outline = outlines?.get(row.id)
        const position = positionOf(row)
        const rings = outline ? outline.flat() : position ? [[position]] : []
        if (rings.length > 0) types.add(outline ? 'MultiPolygon' : 'Point')
        extend(bbox, rings)
        group.geometries.push(outline ? multiPolygon(outline) : position && wkb(1, coordinates(position)))
      }
      if (group.geometries.length >= rowsPerGroup) writeGroup()
      return drained()
    },
    end: () => {
      writeGroup()
      const geometry = {
        encoding: 'WKB',
        geometry_types: [...types].sort(),
        ...(Number.isFinite(bbox[0]) ? { bbox } : {}),
      }
      const geo = { version: '1.1.0', primary_column: 'geometry', columns: { geometry } }
      kvMetadata.push({ key: 'geo', value: JSON.stringify(geo) })
      writer.finish()
      return drained()
    },
  }
}

const parquetValue = (value: unknown, type: Column['type']): unknown => {
  if (value === undefined || value === null) return undefined
  // As in a list.
  if (type === 'integer') return Math.trunc(Number(value))
  if (type === 'date') return Math.floor(Date.parse(String(value).slice(0, 10)) / 86_400_000)
  return type === 'text' || type === 'object' || type === 'list' ? String(value) : value
}

type Position = readonly number[]

const extend = (bbox: number[], rings: readonly (readonly Position[])[]): void => {
  for (const ring of rings)
    for (const position of ring)
      for (const at of [0, 1]) {
        bbox[at] = Math.min(bbox[at]!, position[at]!)
        bbox[at + 2] = Math.max(bbox[at + 2]!, position[at]!)
      }
}

/** Well-known binary (OGC 06-103r4, section 8), little endian. */
const wkb = (type: number, ...content: Uint8Array[]): Buffer => Buffer.concat([Buffer.of(1), count(type), ...content])
const counted = (parts: readonly Uint8Array[]): Buffer => Buffer.concat([count(parts.length), ...parts])
const count = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer)
const coordinates = ([lng, lat]: Position): Uint8Array => new Uint8Array(Float64Array.of(lng!, lat!).buffer)
const multiPolygon = (polygons: Polygons): Buffer =>
  wkb(6, counted(polygons.map((rings) => wkb(3, counted(rings.map((ring) => counted(ring.map(coordinates))))))))
