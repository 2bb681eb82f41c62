// Labels for the inputs and parts of a score, and typography for the reasons that the models write.
import { factColumn, factTable } from '../domain/fact-table.ts'
import { teardownInputLabels } from '../intelligence/teardown/teardown-input-labels.ts'
import { codeInWords } from './formats.ts'

/** An input as it appears in a sentence such as "Missing: price, lot width." */
export const inputLabel = (name: string): string => inputs[name] ?? codeInWords(name)

const inputs: Readonly<Record<string, string>> = {
  ...factColumn('label'),
  storeys: factTable.stories.label,
  ...teardownInputLabels,
  priceUsd: 'price',
  price: 'price',
  listPriceUsd: 'list price',
  originalPriceUsd: 'original list price',
  valueNowUsd: 'value in its present condition',
  afterRepairValueUsd: 'value after renovation',
  cityMedianUsd: 'median price in the city',
  lat: 'map location',
  lng: 'map location',
  area: 'ZIP code',
  soldOn: 'sale date',
  sales: 'enough recent sales',
  saleToList: 'sale-to-list price ratio',
  shareAboveList: 'share of homes sold above list price',
  daysToPending: 'days to an accepted offer',
  daysOnMarket: 'days on market',
  heat: 'market heat',
  permits: 'permits',
  remarks: 'listing remarks',
  words: 'listing remarks',
  visionAnalysis: 'photos',
  visionCondition: 'photos',
  historicListed: 'historic listing',
  historicContributing: 'contribution to a historic district',
  historicDistrict: 'historic district',
  veryHighFire: 'very high fire hazard',
  highFire: 'high fire hazard',
  hazardousWaste: 'hazardous-waste site',
  habitat: 'protected habitat',
  rentControlled: 'rent control',
  affordableDeed: 'affordable-housing deed',
  tenantLast3y: 'tenant in the last three years',
  tenantLast5y: 'tenant in the last five years',
  ellisLast15y: 'withdrawal from the rental market in the last 15 years',
  priorSb9Split: 'earlier SB 9 split',
  adjacentSb9Split: 'SB 9 split next door',
  transitHalfMile: 'transit within half a mile',
  septic: 'septic system',
}

/** Each label once: two inputs can share a label. */
export const inputLabels = (names: readonly string[]): string => [...new Set(names.map(inputLabel))].join(', ')

export const partLabel = (name: string): string => parts[name] ?? codeInWords(name)

/** Parts whose own name says too little. */
const parts: Readonly<Record<string, string>> = {
  base: 'starting point',
  rule: '70% rule',
  landLanguage: 'land-value language in the listing',
  pricePerSqft: 'price per sq ft',
  pricePerSqftInArea: 'price per sq ft in the area',
  newness: 'newly built',
  floor: 'minimum of 0',
  cityPace: 'demolition pace in the city',
  priceNearLand: 'price compared with land value',
  priceAgainstValue: 'price compared with value',
  listToValue: 'list price compared with value',
  beds: 'bedrooms',
  baths: 'bathrooms',
  saleToList: 'sale-to-list ratio',
  shareAboveList: 'share sold above list price',
  daysToPending: 'days to an accepted offer',
}

/** Replaces "sqft" and hyphen-minus, and keeps a minus on the same line as its number. */
export const formatReason = (text: string): string =>
  text
    .replace(/\bsqft\b/g, 'sq ft')
    .replace(/(^|[\s(])-(?=[$\d])/g, '$1−')
    .replace(/−(?=[$\d])/g, '−\u2060')
    .replace(/(\d) %/g, '$1%')
