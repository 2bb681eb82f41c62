/** The parameters of the valuation, with the reason for each number. A back-test may replace any of them by name. */
const settings = {
  /** Sales: enough to estimate a spread as well as a mean, still within about a mile in a town. */
  neighbors: 60,
  /** Log sqft: appraisers use comparables within ±20% of the size (appraisal practice). */
  sizeKernel: 0.2,
  /** Years: homes built in the same period are alike. */
  ageKernel: 8,
  /** Log sqft: lot sizes vary more than house sizes. */
  lotKernel: 0.3,
  /** Km: about a block; prevents one large building from setting the price level. */
  minBandwidthKm: 0.1,
  /** Days: short enough to show a spring market; grows by half until the level is as accurate as a mean of `levelSales`. */
  bandwidthDays: 90,
  /** Sales: with a residual spread of 0.2 the level is accurate to 1% (200 to 600 were tried on two counties). */
  levelSales: 400,
  /** Days: prices keep their direction for months; a shorter window follows noise, a year lags (forward tests of two counties). */
  slopeWindowDays: 180,
  /** Log per month: how far the trend of half a year usually is from that of the year (forward tests of two counties). */
  priorSlopeSdPerMonth: 0.003,
  /** Share kept per month: momentum fades; damped trends forecast better (Gardner and McKenzie 1985). */
  dampingPerMonth: 0.93,
  /** Log per month since the newest sale: ten months after a fit, values were off by 9% (root mean square of four years). */
  driftPerMonth: 0.008,
  /** Years: buyer preferences change, so old sales count less. */
  recencyHalfLifeYears: 4,
  /** Sales: a fit of 200,000 sales then takes about a minute; each fold draws its own sample. */
  maxFitRows: 60_000,
  /** Models: each sale is valued by a model fitted without it, and a home by the mean of all models. */
  folds: 5,
  /** Trees: the number used is the one with the lowest held-out error (upper limit; held-out error chooses the number). */
  maxTrees: 450,
  /** Share: slow enough that the number of trees is not critical (0.04 to 0.08 had the same held-out error). */
  learningRate: 0.08,
  /** Leaves: about five levels deep: location, size, age and their interactions (20 to 40 had the same held-out error). */
  leaves: 32,
  /** Sales: fewer sales do not support a rule (8 to 15 had the same held-out error). */
  minLeafWeight: 15,
  /** Sales: a leaf with few sales is less reliable. */
  leafShrinkage: 3,
  /** Share: trees fitted on different sales average better (Friedman 2002). */
  rowShare: 0.7,
  /** Share: trees fitted on different columns average better (Ho 1998). */
  featureShare: 0.5,
  /** Log: below the typical error: a larger residual is more likely an unusual sale than information. */
  huberDelta: 0.1,
  /** Sales: few enough to read, and enough for a median (common in appraisal grids). */
  compsShown: 12,
  /** Share: four in five sales fall inside the range. */
  rangeShare: 0.8,
}

export type ValuationSettings = typeof settings

export const valuationSettings = (replaced: Partial<ValuationSettings> = {}): ValuationSettings => ({
  ...settings,
  ...replaced,
})
