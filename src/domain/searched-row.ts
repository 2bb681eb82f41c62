// Fields that a search adds to every row with a parcel: location, distance from the point, unknown overlays, source.
import { Type } from 'typebox'
import { optional, text } from '../common/shape.ts'
import { factShapes } from './fact-shapes.ts'
import { shownStatuses } from './facts.ts'
import { BestUse } from './findings/best-use.ts'
import { Provenance } from './provenance.ts'

/** Fields that identify a row. A response includes them whatever `fields` it is asked for. */
export const identifiers = ['id', 'permitId', 'saleId'] as const

/** A text: codes begin with 0 in New England. */
export const zip = optional.text('ZIP code of five digits, where the source has it')

/** Fields that identify a property, in every row about one. */
export const identity = {
  id: text('Property identifier'),
  address: text('Street address'),
  city: text('City name'),
  zip,
}

export const point = { lat: optional.number('Latitude'), lng: optional.number('Longitude') }

export const rooms = {
  beds: factShapes.beds,
  baths: factShapes.baths,
  yearBuilt: factShapes.yearBuilt,
}

/** On every row with scores or offers. */
export const assessedOn = optional.date('The day that was assessed')

export const distanceMi = optional.number('Miles from the point given by lat and lng')

export const unknownOverlays = optional.list(Type.String(), {
  description: 'Overlays of exclude or require that are not known for this parcel',
})

/** On every row of a lead list. */
export const listingStatus = optional.literals(shownStatuses, {
  description: 'Listing status of the home; absent when it is not listed, or when its sale is withheld',
})

export const searchedRow = {
  ...point,
  distanceMi,
  unknown: unknownOverlays,
  bestUse: optional(BestUse),
  source: optional(Provenance),
}
