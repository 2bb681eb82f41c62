// GeoJSON from a file or URL, one feature at a time. Properties become fields, and the shape becomes `geometry`.
import { decoded, openBytes } from './file.ts'
import { type Position, type Ring, type Shape, shapeFacts } from './geometry.ts'
import { jsonObjects } from './json-objects.ts'
import { type RawRow, type Reading, type ReadState, rowNumberer, type Source } from './source.ts'

export const geojson: Source = (where, context): Reading => {
  const state: ReadState = { bytesRead: 0 }
  return {
    state,
    pages: (async function* () {
      const bytes = await openBytes(where, context, state)
      if (!bytes) return
      const row = rowNumberer()
      let batch: RawRow[] = []
      for await (const feature of jsonObjects(decoded(bytes, where.encoding), 'features', where.url)) {
        batch.push(row(featureFields(feature as unknown as Feature, where.spatialReference)))
        if (batch.length === 500) {
          yield batch
          batch = []
        }
      }
      if (batch.length > 0) yield batch
    })(),
  }
}

interface Feature {
  id?: string | number
  properties?: Record<string, unknown> | null
  geometry?: { type: string; coordinates?: unknown } | null
}

export const featureFields = (
  { id, properties, geometry }: Feature,
  reference: string | undefined,
): Record<string, unknown> => ({
  ...(id === undefined ? {} : { id }),
  ...properties,
  ...(geometry ? { geometry: shapeFacts(geoJsonShape(geometry), reference) ?? { unreadable: geometry.type } } : {}),
})

export const geoJsonShape = ({ type, coordinates }: { type: string; coordinates?: unknown }): Shape => {
  switch (type) {
    case 'Point':
      return [[[coordinates as Position]]]
    case 'MultiPoint':
      return [[(coordinates as Position[]).slice(0, 1)]]
    case 'Polygon':
      return [coordinates as Ring[]]
    case 'MultiPolygon':
      return coordinates as Ring[][]
    default:
      return []
  }
}
