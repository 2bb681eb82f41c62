import type { Static } from 'typebox'
import { date, number, object, optional, text } from '../common/shape.ts'
import { factShapes } from '../domain/fact-shapes.ts'
import { rooms, searchedRow, zip } from '../domain/searched-row.ts'

export const Sale = object('Sale', 'A recorded sale', {
  saleId: text('Identifier of the sale: its source and its number there'),
  propertyId: optional.text('The property that was sold, where matched'),
  address: optional.text('Street address'),
  city: text('City name'),
  zip,
  price: number('Price paid, dollars'),
  soldDate: date('Date of the sale'),
  pricePerSqft: optional.number('Price per square foot of living area, dollars'),
  listPrice: optional.number('Last list price, dollars'),
  daysOnMarket: optional.integer('Days from listing to accepted offer'),
  propertyType: factShapes.propertyType,
  sqft: factShapes.livingSqft,
  lotSize: factShapes.lotSqft,
  ...rooms,
  ...searchedRow,
})
export type Sale = Static<typeof Sale>
