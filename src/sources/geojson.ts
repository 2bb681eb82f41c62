// GeoJSON from a file or URL, one feature at a time. Properties become fields, and the shape becomes `geometry`.
import { sourceOfText } from './file.ts'
import { type Position, type Ring, type Shape, shapeFacts } from './geometry.ts'
import { jsonObjects } from './json-objects.ts'

export const geojson = sourceOfText(async function* (text, row, { url, spatialReference }) {
  for await (const feature of jsonObjects(text, 'features', url))
    yield row(featureFields(feature as unknown as Feature, spatialReference))
})

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
