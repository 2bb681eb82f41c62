// The names models give to their inputs and parts, as a person would say them, and their sentences as pages set them.
import { teardownInputLabels } from '../intelligence/teardown-input-labels.ts'
import { words } from './formats.ts'

/** What an input is, in a sentence such as "Not known: price, lot width." */
export const inputWords = (name: string): string => inputs[name] ?? words(name)

const inputs: Readonly<Record<string, string>> = {
  ...teardownInputLabels,
  priceUsd: 'price',
  price: 'price',
  listPriceUsd: 'list price',
  originalPriceUsd: 'first price asked',
  afterRepairValueUsd: 'what it would sell for renovated',
  cityMedianUsd: 'median price of the city',
  beds: 'bedrooms',
  baths: 'bathrooms',
  units: 'homes on the lot',
  garageSqft: 'garage area',
  fireplaces: 'fireplaces',
  grade: 'build quality',
  condition: 'condition',
  view: 'view',
  waterfront: 'whether it is on the water',
  lotWidthFt: 'lot width',
  lotDepthFt: 'lot depth',
  cornerLot: 'whether it is a corner lot',
  lat: 'place on the map',
  lng: 'place on the map',
  area: 'ZIP code',
  zoning: 'zoning district',
  soldOn: 'date of sale',
  sales: 'enough recent sales',
  saleToList: 'sale price against list price',
  shareAboveList: 'share sold above list',
  daysToPending: 'days to an accepted offer',
  daysOnMarket: 'days on the market',
  monthsOfSupply: 'months of supply',
  pendingRatio: 'share of listings pending',
  priceCutShare: 'share of listings with a price cut',
  heat: 'market heat',
  permits: 'permits',
  remarks: 'remarks of the listing',
  words: 'remarks of the listing',
  visionAnalysis: 'photos',
  visionCondition: 'photos',
}

/** What is not known, each thing once: two inputs may be one to the reader. */
export const inputList = (names: readonly string[]): string => [...new Set(names.map(inputWords))].join(', ')

/** Where a part's own name says too little beside its bar. */
export const partWords = (name: string): string => parts[name] ?? words(name)

const parts: Readonly<Record<string, string>> = {
  base: 'starting point',
  rule: '70% rule',
  landLanguage: 'land-value language',
  pricePerSqft: 'price per sq ft',
  pricePerSqftInArea: 'price per sq ft in the area',
  newness: 'newly built',
  floor: 'minimum of 0',
}

/** A model's sentence as pages write: "sq ft", and a minus that stays with its number. */
export const asSet = (text: string): string =>
  text
    .replace(/\bsqft\b/g, 'sq ft')
    .replace(/(^|[\s(])-(?=[$\d])/g, '$1−')
    .replace(/−(?=[$\d])/g, '−\u2060')
    .replace(/(\d) (?=%)/g, '$1\u00a0')
