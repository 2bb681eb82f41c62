// What every row of a search with a parcel has in addition: where it is, how far from the point, what is not known, its source.
import { Type } from 'typebox'
import { Provenance } from './provenance.ts'
import { list, number, optional } from './shape.ts'

export const distanceMi = optional(number('Miles from the point given by lat and lng'))

export const unknownOverlays = optional(
  list(Type.String(), { description: 'Overlays of exclude or require that are not known for this parcel' }),
)

export const searchedRow = {
  lat: optional(number('Latitude')),
  lng: optional(number('Longitude')),
  distanceMi,
  unknown: unknownOverlays,
  source: optional(Provenance),
}
