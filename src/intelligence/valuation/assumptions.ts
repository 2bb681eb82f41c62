/** One number the valuation rests on: callers may replace any by name. */
export interface ValuationAssumption {
  value: number
  unit: string
  range: readonly [number, number]
  because: string
}

export const valuationAssumptions = {
  neighbours: {
    value: 60,
    unit: 'sales',
    range: [20, 120],
    because: 'enough for a spread as well as a mean, still within a kilometre or two in a town',
  },
  sizeKernel: {
    value: 0.2,
    unit: 'log sqft',
    range: [0.1, 0.4],
    because: 'comparables within ±20 % of size are the custom',
  },
  ageKernel: { value: 8, unit: 'years', range: [4, 20], because: 'homes of one building wave' },
  lotKernel: { value: 0.3, unit: 'log sqft', range: [0.15, 0.6], because: 'lots vary more than houses do' },
  minBandwidthKm: {
    value: 0.1,
    unit: 'km',
    range: [0.05, 0.5],
    because: 'about a block; keeps one tower from being its own market',
  },
  bandwidthDays: {
    value: 90,
    unit: 'days',
    range: [45, 180],
    because: 'short enough to see a spring market, long enough to average over weeks',
  },
  minSalesInWindow: {
    value: 200,
    unit: 'sales',
    range: [50, 1000],
    because: 'a residual spread of 0.25 then gives the level to about 2 %',
  },
  slopeWindowDays: { value: 120, unit: 'days', range: [60, 240], because: 'the direction prices keep for months' },
  priorSlopeSdPerMonth: {
    value: 0.01,
    unit: 'log per month',
    range: [0.005, 0.02],
    because: 'metro prices seldom move by more than 2 % a month',
  },
  dampingPerMonth: {
    value: 0.9,
    unit: 'share kept per month',
    range: [0.7, 1],
    because: 'momentum fades; damped trends forecast better (Gardner and McKenzie 1985)',
  },
  knotDays: { value: 182, unit: 'days', range: [91, 365], because: 'areas part from their market slowly' },
  areaHalfSales: {
    value: 60,
    unit: 'sales',
    range: [20, 200],
    because: '60 sales pin an area mean to 3 %, about as far as areas part in half a year',
  },
  salesPerArea: {
    value: 400,
    unit: 'sales',
    range: [150, 2000],
    because: 'enough for the shrunk departure to say something',
  },
  recencyHalfLifeYears: {
    value: 4,
    unit: 'years',
    range: [1, 10],
    because: 'what buyers pay for drifts, so old sales teach less',
  },
  maxFitRows: {
    value: 60_000,
    unit: 'sales',
    range: [5_000, 200_000],
    because: 'keeps the fit of 200,000 sales to about a minute; each fold draws its own',
  },
  folds: {
    value: 5,
    unit: 'models',
    range: [3, 10],
    because: 'each sale is judged by a model that never saw it; a home by the mean of all',
  },
  maxTrees: {
    value: 300,
    unit: 'trees',
    range: [100, 2000],
    because: 'the count used is where held-out error is least',
  },
  learningRate: {
    value: 0.08,
    unit: 'share',
    range: [0.01, 0.1],
    because: 'slow enough that the count of trees is not critical',
  },
  leaves: {
    value: 32,
    unit: 'leaves',
    range: [8, 64],
    because: 'five questions deep: place, size, age and their crossings',
  },
  minLeafWeight: { value: 15, unit: 'sales', range: [5, 50], because: 'no rule from fewer sales' },
  leafShrinkage: { value: 3, unit: 'sales', range: [0, 20], because: 'a thin leaf says less' },
  rowShare: {
    value: 0.7,
    unit: 'share',
    range: [0.5, 1],
    because: 'trees that saw different sales average better (Friedman 2002)',
  },
  featureShare: { value: 0.5, unit: 'share', range: [0.3, 1], because: 'as above, for columns' },
  huberDelta: {
    value: 0.15,
    unit: 'log',
    range: [0.05, 0.5],
    because: 'about the usual error: farther out a sale is more likely odd than informative',
  },
  carryOver: {
    value: 0.2,
    unit: 'share',
    range: [0, 1],
    because:
      'what a comparable leaves unexplained is mostly its own; forward tests are flat from 0 to 0.3 and worse beyond',
  },
  compsShown: { value: 12, unit: 'sales', range: [5, 30], because: 'what a person can read, and enough for a median' },
  rangeShare: { value: 0.8, unit: 'share', range: [0.5, 0.95], because: 'four in five sales fall inside the range' },
} as const satisfies Record<string, ValuationAssumption>

export type ValuationAssumptionName = keyof typeof valuationAssumptions
export type ValuationSettings = Record<ValuationAssumptionName, number>

export function valuationSettings(replaced: Partial<ValuationSettings> = {}): ValuationSettings {
  const names = Object.keys(valuationAssumptions) as ValuationAssumptionName[]
  return Object.fromEntries(
    names.map((name) => [name, replaced[name] ?? valuationAssumptions[name].value]),
  ) as ValuationSettings
}
