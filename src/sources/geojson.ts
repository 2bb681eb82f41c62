// GeoJSON from a file or URL, one feature at a time. Properties become fields, and the shape becomes `geometry`.
import { sourceOfText } from './file.ts'
import { layerShape, type Position, type Ring, type Shape, shapeFacts } from './geometry.ts'
import { jsonObjects } from './json-objects.ts'
import type { RawRow } from './source.ts'

export const geojson = sourceOfText(async function* (text, row, { url, spatialReference }, { box }) {
  for await (const each of jsonObjects(text, 'features', url)) {
    const feature = each as unknown as Feature
    if (box) yield { ...row({ id: feature.id, ...feature.properties }), shape: featureShape(feature, spatialReference) }
    else yield row(featureFields(feature, spatialReference))
  }
})

const featureShape = ({ geometry }: Feature, reference: string | undefined): RawRow['shape'] => {
  if (!geometry) return undefined
  const { type, coordinates } = geometry
  if (!Array.isArray(coordinates))
    return { ...layerShape('point', [], reference), unreadable: `a ${type} cannot be read` }
  switch (type) {
    case 'MultiPoint':
      return layerShape('point', [(coordinates as Position[]).map((position) => [position])], reference)
    case 'LineString':
      return layerShape('line', [[coordinates as Ring]], reference)
    case 'MultiLineString':
      return layerShape('line', [coordinates as Ring[]], reference)
    default:
      return layerShape(type === 'Point' ? 'point' : 'area', geoJsonShape(geometry), reference)
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
