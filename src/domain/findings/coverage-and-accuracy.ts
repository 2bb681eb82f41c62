// Coverage (which data is loaded) and accuracy (how well the models predict).
import { type Static, Type } from 'typebox'
import { dateTime, flag, integer, list, literals, number, object, optional, orNull, text } from '../../common/shape.ts'
import { datasets, overlayNames } from '../facts.ts'
import { Withheld } from '../provenance.ts'

const CoverageSource = object('CoverageSource', {
  id: text('Identifier of the source'),
  title: text('Name of the source'),
  licence: optional.text('License'),
  url: optional.text('Web address'),
  sample: flag('True for generated sample data'),
})

export const Coverage = object('Coverage', {
  market: text('Market identifier'),
  city: text('City name'),
  citySlug: text('City slug'),
  dataset: literals(datasets, { description: 'What the rows are' }),
  rows: integer('Rows stored'),
  notIssued: optional.integer('Of the rows of permits, those without an issue date; absent if there are none'),
  newestRecord: orNull(Type.String({ format: 'date' }), {
    description: 'Date of the newest record; of parcels, the latest change that the feed states. Null if not dated',
  }),
  lastRunAt: orNull(Type.String({ format: 'date-time' }), { description: 'Last completed run' }),
  refused: integer('Rows the last run of its sources rejected'),
  gone: integer('Stored rows that their complete feed no longer contains'),
  withheld: optional(Withheld),
  stale: flag('A source has missed its schedule'),
  sources: list(CoverageSource),
})
export type Coverage = Static<typeof Coverage>

export const OverlayCoverage = object('OverlayCoverage', {
  market: text('Market identifier'),
  overlay: literals(overlayNames, { description: 'Overlay' }),
  yes: integer('Parcels that have it'),
  no: integer('Parcels that do not'),
  unknown: integer('Parcels of which it is not known'),
})
export type OverlayCoverage = Static<typeof OverlayCoverage>

const CalibrationBin = object('CalibrationBin', {
  n: integer('Rows'),
  predicted: number('Mean predicted probability'),
  observed: number('Share observed'),
})

const Limits = object('Limits', { low: number('Lower limit'), high: number('Upper limit') })

const RatioLimits = object('RatioLimits', '90% confidence limits', {
  medianRatio: Limits,
  cod: Limits,
  prd: Limits,
  prb: Limits,
})
export type RatioLimits = Static<typeof RatioLimits>

const ratioFigures = {
  n: integer('Sales'),
  mdape: number('Median absolute error, percent'),
  medianRatio: number('Median of value over price'),
  cod: number('Coefficient of dispersion, percent'),
  prd: number('Price-related differential'),
  prb: number('Price-related bias'),
  limits: RatioLimits,
}
const RatioFigures = object(
  'RatioFigures',
  'Without ratios beyond three interquartile ranges, as the IAAO standard trims',
  ratioFigures,
)

const RatioGroup = object('RatioGroup', 'The ratio study of at least 30 sales', {
  by: literals(['area', 'age', 'type', 'value'], { description: 'How the sales are grouped' }),
  group: text('City or area, age of the house, property type, or tenth of the value'),
  ...ratioFigures,
  trimmed: RatioFigures,
})
export type RatioGroup = Static<typeof RatioGroup>

/** Each model has some of these. */
export const AccuracyMeasures = object('AccuracyMeasures', 'Each model has some of these', {
  n: optional.integer('Rows measured'),
  mdape: optional.number('Median absolute error, percent'),
  within10: optional.number('Percent of values within 10% of the price'),
  within20: optional.number('Percent of values within 20% of the price'),
  withinRange: optional.number('Percent of prices inside the stated range'),
  medianRatio: optional.number('Median of value over price'),
  cod: optional.number('Coefficient of dispersion, percent'),
  prd: optional.number('Price-related differential'),
  prb: optional.number('Price-related bias'),
  limits: optional(RatioLimits),
  trimmed: optional(RatioFigures),
  groups: optional.list(RatioGroup, { description: 'By area, age, type and tenth of the value' }),
  asOf: optional.date('Day the model was fitted for'),
  from: optional.date('First day of the sales tested'),
  kind: optional.literals(['prior', 'fitted'], { description: 'Whether the model was fitted to local data' }),
  learnedFrom: optional.text('What the model was learned from'),
  rows: optional.integer('Rows the model was fitted on'),
  positives: optional.integer('Rows where the event happened'),
  auc: optional.number('Area under the ROC curve'),
  brier: optional.number('Brier score'),
  logLoss: optional.number('Log loss'),
  ece: optional.number('Expected calibration error'),
  deciles: optional.list(CalibrationBin, { description: 'Predicted and observed by decile' }),
  cities: optional.integer('Cities'),
  withIndex: optional.integer('Cities with a heat index'),
  medianSales: optional.number('Median sales per city'),
})
export type AccuracyMeasures = Static<typeof AccuracyMeasures>

export const Accuracy = object('Accuracy', {
  model: text('Name of the model or test'),
  market: text('Market identifier'),
  measuredAt: dateTime('When measured'),
  data: text('What it was measured on'),
  modelVersion: text('Version of the model'),
  measures: AccuracyMeasures,
  sample: optional.flag('True when it was measured on generated sample data'),
})
export type Accuracy = Static<typeof Accuracy>

const Band = object('Band', { low: number('Lowest'), high: number('Highest') })

/** Forecasts kept before a sale, scored after it. */
export const LiveAccuracy = object('LiveAccuracy', {
  market: text('Market identifier'),
  city: optional.text('City name; absent for the whole market'),
  model: literals(['value', 'bidding-war', 'teardown'], { description: 'What was forecast' }),
  month: text('Month of the sale, or of the end of the teardown horizon, YYYY-MM'),
  n: integer('Forecasts scored; groups under 10 are withheld'),
  mdape: optional.number('Median absolute error, percent'),
  within10: optional.number('Percent of values within 10% of the price'),
  withinRange: optional.number('Percent of prices inside the stated range'),
  medianRatio: optional.number('Median of value over price'),
  brier: optional.number('Brier score of the probability'),
  withdrawn: optional.integer('Listings withdrawn in that month, not scored; absent if there are none'),
  band: optional(
    Type.Object(
      { medianRatio: Band, withinRange: optional(Band) },
      {
        description:
          'Where chance alone would keep the figure: 99% interval of the coverage, 3 standard errors of the ratio',
      },
    ),
  ),
  outside: optional.list(literals(['medianRatio', 'withinRange']), {
    description: 'Figures outside their band; given from n = 30',
  }),
  alarm: optional.flag('True when a figure is outside its band in this month and the one before'),
  sample: optional.flag('True when it was measured on generated sample data'),
})
export type LiveAccuracy = Static<typeof LiveAccuracy>
