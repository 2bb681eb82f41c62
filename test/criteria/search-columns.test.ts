import { expect, test } from 'vitest'
import { withoutListing, withScoresOf } from '../../src/criteria/row-readings.ts'
import { searchColumns, searchValues } from '../../src/criteria/search-columns.ts'

const row = (value: number) => ({
  market: 'sf-peninsula',
  citySlug: 'palo-alto',
  numbers: searchValues('homes', () => value).numbers,
  texts: searchValues('homes', () => `${value}`).texts,
})
const names = ({ numbers, texts }: Pick<ReturnType<typeof row>, 'numbers' | 'texts'>) => [
  ...Object.keys(numbers),
  ...Object.keys(texts),
]

test('a row without its hidden listing has nothing of the listing and nothing that follows from its price', () => {
  const kept = names(withoutListing(row(1)))
  const hidden = searchColumns.homes.map(({ name }) => name).filter((name) => !kept.includes(name))
  expect(hidden.sort()).toEqual(
    [
      ...['price', 'priceCutPct', 'daysOnMarket', 'status', 'listedOn', 'soldOn'],
      ...['rankScore', 'flippabilityRaw', 'flippabilityScore'],
      ...['developerRoi', 'returnPct', 'returnAtExpectedPct', 'proformaRoi'],
      ...['valueUsd', 'priceToValue', 'monthlyRentUsd', 'capRatePct', 'grossYieldPct', 'flipProfitUsd'],
      'flipMaximumOffer',
    ].sort(),
  )
})

test('a row with the scores of another keeps what is recorded of its home', () => {
  const { numbers, texts } = withScoresOf(row(2), row(1))
  const recorded = Object.entries({ ...numbers, ...texts }).flatMap(([name, value]) =>
    Number(value) === 1 ? [name] : [],
  )
  expect(recorded.sort()).toEqual(
    [
      ...['price', 'priceCutPct', 'daysOnMarket', 'status', 'listedOn', 'soldOn', 'propertyType', 'zoning'],
      ...['sqft', 'lotSize', 'beds', 'baths', 'yearBuilt', 'garageSqft'],
    ].sort(),
  )
})
