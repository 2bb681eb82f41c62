// Figures of a market, a city or a ZIP code over time.
import { type Static, Type } from 'typebox'
import { date, flag, integer, list, literals, number, object, optional, text } from '../../common/shape.ts'
import { keysOf } from '../../common/typed.ts'
import { sample } from '../provenance.ts'

export const seriesIntervals = ['month', 'quarter', 'year'] as const
export type SeriesInterval = (typeof seriesIntervals)[number]

const figures = {
  medianSalePrice: number(
    'Dollars, to three significant digits. In a group under 20 it is the mean of the middle two or three sales, so that it is no single sale',
  ),
  medianPricePerSqft: number('Dollars per square foot of living area, computed in the same way'),
  priceIndex: number('Price level at constant quality; series.priceIndexBasis says how it is computed'),
  homesSold: integer('Recorded sales'),
  newListings: integer('Homes first listed in the period'),
  inventory: integer('Homes on the market and not pending at the end of the period'),
  medianDaysOnMarket: number('Median days from listing to pending or sale, of the homes sold'),
  saleToList: number('Mean of sale price over last list price'),
  soldAboveListPct: number('Share of sales above the last list price, in percent'),
  priceDropsPct: number('Share of the inventory whose price was reduced, in percent'),
  monthsOfSupply: number('Inventory over sales per month'),
  heatIndex: number('Market heat at the end of the period, 0 to 100; 50 is a typical US market'),
  newHousePermits: integer('Permits for a new house issued'),
  demolitions: integer('Permits for the demolition of a whole house issued'),
  aduPermits: integer('Permits for an accessory unit issued'),
}

export type SeriesMetric = keyof typeof figures
export const seriesMetrics = keysOf(figures)

const optionalFigures = Object.fromEntries(
  Object.entries(figures).map(([name, schema]) => [name, optional(schema)]),
) as { [Name in SeriesMetric]: Type.TOptional<(typeof figures)[Name]> }

/** Stored with the names of the figures that are withheld. */
export const SeriesFigures = Type.Object({ ...optionalFigures, withheld: optional.list(literals(seriesMetrics)) })
export type SeriesFigures = Static<typeof SeriesFigures>

export const SeriesPeriod = object('SeriesPeriod', {
  period: date('First day of the period'),
  n: integer('Sales behind the figures'),
  partial: optional.flag('True for a period that has not ended, and for one in which the known sales begin'),
  suppressed: optional.flag(
    'True where a requested figure is withheld: it would be that of fewer than 5 records, or such a figure would follow from it by subtraction',
  ),
  ...optionalFigures,
  withheld: optional.list(literals(seriesMetrics), { description: 'The requested figures that are withheld' }),
  sample,
})
export type SeriesPeriod = Static<typeof SeriesPeriod>

export const SeriesSource = object('SeriesSource', {
  title: text('Name of the source'),
  licence: optional.text('License'),
  sample: flag('Generated sample data'),
})

export const SeriesDescription = object('SeriesDescription', {
  market: text('Market id'),
  city: optional.text('City name'),
  citySlug: optional.text('City slug'),
  zip: optional.text('ZIP code'),
  interval: literals(seriesIntervals, { description: 'Length of a period' }),
  computedAt: optional.dateTime('When the figures were last computed'),
  priceIndexBasis: text('How the price index holds quality constant, and its base'),
  sample: flag('True when generated sample data is among the records'),
  sources: list(SeriesSource),
})
export type SeriesDescription = Static<typeof SeriesDescription>

export const priceIndexBasis =
  'One index for the whole market: log price per square foot is split into the effects of the home (size, lot, age, rooms and other recorded facts), of its location and of time by weighted regression; the time effect, smoothed over the sales within about 90 days of each date, more where sales are few, is the index. 100 is the first month of the series.'
