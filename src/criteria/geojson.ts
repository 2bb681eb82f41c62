// The areas of GeoJSON (RFC 7946) that a search accepts.
import { type Static, Type } from 'typebox'
import { literals, object } from '../common/shape.ts'

const position = Type.Array(Type.Number(), { minItems: 2, description: 'Longitude, latitude (WGS 84)' })
const ring = Type.Array(position, { minItems: 4, description: 'A closed ring: the last position equals the first' })
const rings = (description: string) => Type.Array(ring, { minItems: 1, description })

export const GeoJsonPolygon = object('GeoJsonPolygon', 'A polygon with holes', {
  type: literals(['Polygon'], 'GeoJSON geometry type'),
  coordinates: rings('The outline, then its holes'),
})
export type GeoJsonPolygon = Static<typeof GeoJsonPolygon>

export const GeoJsonMultiPolygon = object('GeoJsonMultiPolygon', 'Several polygons, each with holes', {
  type: literals(['MultiPolygon'], 'GeoJSON geometry type'),
  coordinates: Type.Array(rings('A polygon: its outline, then its holes'), {
    minItems: 1,
    description: 'Polygons',
  }),
})
export type GeoJsonMultiPolygon = Static<typeof GeoJsonMultiPolygon>

export const examplePolygon: GeoJsonPolygon = {
  type: 'Polygon',
  coordinates: [
    [
      [-122.2, 37.4],
      [-122.1, 37.4],
      [-122.1, 37.5],
      [-122.2, 37.4],
    ],
  ],
}
