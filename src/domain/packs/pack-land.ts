// The file packs/<id>/land.geojson: outlines of the land, for the base map.
import { type Static, Type } from 'typebox'
import { list, optional } from '../../common/shape.ts'

const position = Type.Tuple([Type.Number(), Type.Number()])
const rings = list(list(position, { minItems: 4, description: 'A closed ring of [longitude, latitude]' }))

const LandFeature = Type.Object({
  type: Type.Literal('Feature'),
  properties: optional(Type.Object({ attribution: optional.text('Credit that pages must show') })),
  geometry: Type.Union([
    Type.Object({ type: Type.Literal('Polygon'), coordinates: rings }),
    Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: list(rings) }),
  ]),
})

export const LandFile = Type.Union([
  LandFeature,
  Type.Object({ type: Type.Literal('FeatureCollection'), features: list(LandFeature, { minItems: 1 }) }),
])
export type LandFile = Static<typeof LandFile>
