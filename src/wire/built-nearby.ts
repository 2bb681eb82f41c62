import type { Static } from 'typebox'
import { date, integer, number, object, optional, text } from '../common/shape.ts'

export const BuiltHouse = object(
  'BuiltHouse',
  'A house that was built nearby, with a sale before its permit and one after',
  {
    propertyId: text('Property identifier'),
    address: optional.text('Street address as the permit writes it'),
    city: text('City name'),
    distanceMi: number('Miles from the property'),
    lotPriceUsd: number('What the lot, or the house that stood on it, sold for before the permit, dollars'),
    lotSoldOn: date('Date of that sale'),
    permitId: text('Permit number'),
    issuedOn: date('Permit issued'),
    finaledOn: optional.date('Final inspection'),
    sqft: optional.integer('Size of the new house, square feet'),
    resaleUsd: number('What the new house sold for, dollars'),
    resoldOn: date('Date of that sale'),
    months: integer('From the first sale to the second, months'),
    differenceUsd: number('resaleUsd less lotPriceUsd, before all costs, dollars'),
    builder: optional.text(
      'Builder as the permit names it; absent where none is known or the builder asked not to be shown',
    ),
    sample: optional.flag('Built on generated sample data'),
  },
)
export type BuiltHouse = Static<typeof BuiltHouse>
