import { Type } from 'typebox'
import { saleCriteria } from '../../criteria/vocabulary.ts'
import { describe } from '../operation.ts'
import { LeadPagination, searchOf } from '../pagination.ts'
import { Sale } from '../sale.ts'
import { examplePlace, place, searchExample, source } from './examples.ts'
import { listControls } from './paging.ts'

export const listSales = describe({
  name: 'list_sales',
  title: 'Sales',
  tag: 'Properties',
  path: '/v1/sales',
  shared: true,
  oneMarket: true,
  summary: 'Recorded sales with price, date, price per square foot and the home that was sold, newest first.',
  description:
    'Facts of the house come from the sale, or from the parcel if the house on it is the one that was sold; lot size and position come from the parcel first. Sales that a complete feed no longer contains are left out. cursor reads every row, also beyond 10,000.',
  input: Type.Object({
    ...saleCriteria,
    ...listControls(['-pricePerSqft', 'soldDate'], ['address', 'price', 'source.title']),
  }),
  output: searchOf(Sale, LeadPagination),
  example: {
    input: { city: examplePlace.city, soldFrom: '2026-06-01', minSqft: 1_500, sort: ['-pricePerSqft'] },
    output: searchExample(
      {
        saleId: 'sample-sales:S-20418',
        propertyId: place.id,
        address: place.address,
        city: place.city,
        price: 3_150_000,
        soldDate: '2026-10-29',
        pricePerSqft: 1_575,
        listPrice: 2_995_000,
        daysOnMarket: 9,
        propertyType: 'single_family' as const,
        sqft: 2_000,
        lotSize: 7_500,
        beds: 3,
        baths: 2,
        yearBuilt: 1951,
        source: { ...source, source: 'sample-sales', title: 'Sample sales' },
      },
      { city: examplePlace.city, soldFrom: '2026-06-01', minSqft: 1_500, sort: ['-pricePerSqft'] },
      { totalCapped: false },
    ),
  },
})
