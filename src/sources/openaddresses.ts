// OpenAddresses: addresses with points, as CSV with a fixed header or as one GeoJSON feature per line. They become parcels with
// an address and a location, for places whose county publishes nothing more. https://batch.openaddresses.io
import type { Dataset } from '../domain/facts.ts'
import type { FieldRule } from '../domain/packs/source-config.ts'
import { csv } from './csv.ts'
import { sourceOfText } from './file.ts'
import { featureFields } from './geojson.ts'
import type { RawRow, rowNumberer, Source } from './source.ts'

export const openaddresses: Source = (where, context) =>
  /\.csv(\.gz)?$/i.test(where.url) ? csv(where, context) : lines(where, context)

const lines = sourceOfText(async function* (text, row, { spatialReference }) {
  for await (const line of linesOf(text)) yield lineRow(line, row, spatialReference)
})

const lineRow = (line: string, row: ReturnType<typeof rowNumberer>, reference: string | undefined): RawRow => {
  try {
    return row(featureFields(JSON.parse(line), reference))
  } catch {
    return {
      ...row({}),
      problem: { code: 'not_json', reason: `the line is not a GeoJSON feature: ${line.slice(0, 80)}` },
    }
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

const either = (name: string) => [name.toLowerCase(), name].map((field) => ({ field, optional: true as const }))

export const openaddressesFields: Partial<Record<Dataset, Readonly<Record<string, FieldRule>>>> = {
  parcels: {
    recordId: [...either('ID'), ...either('HASH')],
    address: [
      { join: ['number', 'street', 'unit'], optional: true },
      { join: ['NUMBER', 'STREET', 'UNIT'], optional: true },
    ],
    city: either('CITY'),
    lat: [{ field: 'LAT', optional: true }],
    lng: [{ field: 'LON', optional: true }],
  },
}
