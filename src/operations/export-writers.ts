// The formats of exports. A writer turns rows into bytes and keeps no more than one row group in memory.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { csvLine } from '../common/csv.ts'
import { type Field, fieldCatalog } from '../criteria/fields.ts'
import type { SearchKind } from '../criteria/table.ts'
import { identifiers } from '../domain/searched-row.ts'
import type { ExportFormat } from '../wire/operations/exports.ts'
import type { ParcelShape } from '../wire/property.ts'
import { cellReader, picked, positionOf, type Row } from '../wire/row-fields.ts'

/** Outlines by the identifier of the row. */
type Outlines = ReadonlyMap<unknown, Polygons>
type Polygons = ParcelShape['coordinates']

interface RowWriter {
  write(rows: readonly Row[], outlines?: Outlines): Buffer
  end(): Buffer
}

/** The fields of an export, the identifier first. */
const fieldsOf = (kind: SearchKind, chosen: readonly string[] | undefined): Field[] => {
  const catalog = fieldCatalog[kind]
  if (chosen === undefined) return [...catalog]
  const names = new Set([catalog[0]!.name, ...chosen])
  return [...names].map((name) => catalog.find((field) => field.name === name) ?? { name, type: 'object' })
}

export const exportWriter = (
  format: ExportFormat,
  kind: SearchKind,
  chosen: readonly string[] | undefined,
): RowWriter => {
  if (format === 'ndjson') return ndjson(chosen)
  const fields = fieldsOf(kind, chosen)
  return format === 'csv' ? csv(fields) : geoParquet(fields)
}

const ndjson = (chosen: readonly string[] | undefined): RowWriter => ({
  write: (rows) => {
    let text = ''
    for (const row of rows) text += `${JSON.stringify(chosen ? picked(row, [...identifiers, ...chosen]) : row)}\n`
    return Buffer.from(text)
  },
  end: () => Buffer.alloc(0),
})

const csv = (fields: readonly Field[]): RowWriter => {
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
} as const satisfies Record<Field['type'], object>

/**
 * GeoParquet 1.1 (https://geoparquet.org/releases/v1.1.0). Without `crs` the coordinates are in OGC:CRS84, longitude first. A nested
 * field has its last name as column; objects and lists are JSON.
 */
const geoParquet = (fields: readonly Field[]): RowWriter => {
  const out = new ByteWriter()
  const bbox = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const columns = fields.map(({ name, type }) => ({ type, column: name.split('.').at(-1)!, cell: cellReader(name) }))
  const kvMetadata: { key: string; value: string }[] = []
  const writer = new ParquetWriter({
    writer: out,
    schema: [
      { name: 'root', num_children: columns.length + 1 },
      ...columns.map(({ column, type }) => ({
        name: column,
        ...parquetTypes[type],
        repetition_type: 'OPTIONAL' as const,
      })),
      { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
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
    void writer.write({
      columnData: [
        ...columns.map(({ column }, at) => ({ name: column, data: group.values[at]! })),
        { name: 'geometry', data: group.geometries },
      ],
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

const parquetValue = (value: unknown, type: Field['type']): unknown => {
  if (value === undefined || value === null) return undefined
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
