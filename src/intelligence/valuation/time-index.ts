// The log price level over time at constant quality: one curve for the market by local linear regression on hedonic residuals.

import type { ValuationSettings } from './assumptions.ts'

export interface TimeIndex {
  /** Days after this are extrapolated. */
  asOfDay: number
  stepDays: number
  /** Log level at asOfDay - k·stepDays, k = 0, 1, … */
  market: Float64Array
  slopePerDay: number
  dampingPerMonth: number
  seasonal: SeasonalPattern
}

export type TimeIndexOptions = Pick<
  ValuationSettings,
  'bandwidthDays' | 'levelSales' | 'slopeWindowDays' | 'priorSlopeSdPerMonth' | 'dampingPerMonth'
>

interface DatedResiduals {
  day: Float64Array
  residual: Float64Array
  weight: Float64Array
}

export function fitTimeIndex(data: DatedResiduals, asOfDay: number, options: TimeIndexOptions): TimeIndex {
  const stepDays = 7
  const week = sumByWeek(data, asOfDay, stepDays)
  const fitted = fitSeasonalPattern(week, asOfDay, stepDays)
  const seasonal = fitted ?? usualPattern
  const inSales = fitted ?? { cosine: 0, sine: 0 }
  // Smoothed without the market's own season: at the newest week a line through the autumn would end below the winter.
  for (let k = 0; k < week.count; k++)
    week.sum[k]! -= week.weight[k]! * seasonalAt(inSales, asOfDay - (k + 0.5) * stepDays)
  const market = new Float64Array(week.count + 1)
  for (let k = 0; k < market.length; k++)
    market[k] = smoothAt(week, k, options).level + seasonalAt(inSales, asOfDay - k * stepDays)
  const { dampingPerMonth } = options
  const flat: TimeIndex = { asOfDay, stepDays, market, slopePerDay: 0, dampingPerMonth, seasonal }
  return { ...flat, slopePerDay: endSlope(data, flat, options) }
}

/** The log price level on a day. After `asOfDay` a damped trend is extrapolated. */
export function logLevel(index: TimeIndex, day: number): number {
  const back = (index.asOfDay - day) / index.stepDays
  if (back >= 0) return interpolate(index.market, back)
  const months = (day - index.asOfDay) / 30.4375
  const phi = index.dampingPerMonth
  const effectiveMonths = phi < 1 ? (phi * (1 - phi ** months)) / (1 - phi) : months
  const season = seasonalAt(index.seasonal, day) - seasonalAt(index.seasonal, index.asOfDay)
  return index.market[0]! + index.slopePerDay * 30.4375 * effectiveMonths + season
}

function interpolate(values: Float64Array, at: number): number {
  const low = Math.min(Math.floor(at), values.length - 1)
  const high = Math.min(low + 1, values.length - 1)
  const share = Math.min(1, at - low)
  return values[low]! * (1 - share) + values[high]! * share
}

function sumByWeek(data: DatedResiduals, asOfDay: number, stepDays: number) {
  let oldest = asOfDay
  for (const day of data.day) oldest = Math.min(oldest, day)
  const count = Math.max(1, Math.ceil((asOfDay - oldest) / stepDays))
  const weight = new Float64Array(count)
  const sum = new Float64Array(count)
  for (let i = 0; i < data.day.length; i++) {
    const k = Math.min(count - 1, Math.max(0, Math.floor((asOfDay - data.day[i]!) / stepDays)))
    const w = data.weight[i]!
    weight[k]! += w
    sum[k]! += w * data.residual[i]!
  }
  return { count, stepDays, weight, sum }
}

/** The window stops growing at the first width of a year or more with `fewestSales`: a wider one would hide a turn of the market. */
const widestDays = 365
const fewestSales = 30

/**
 * Local linear regression with tricube weights at k steps back (Cleveland 1979), which unlike a mean is unbiased at the edge. There a
 * line needs about four times the sales of the middle for the same accuracy, so the window is wider at the newest sales.
 */
function smoothAt(week: ReturnType<typeof sumByWeek>, k: number, options: TimeIndexOptions): { level: number } {
  for (let width = options.bandwidthDays / week.stepDays; ; width *= 1.5) {
    // Sums of 1, x and x² with the weights of the line, of its results, and with squared weights for its variance.
    let [s0, s1, s2, r0, r1, v0, v1, v2] = [0, 0, 0, 0, 0, 0, 0, 0]
    const first = Math.max(0, Math.floor(k - width - 1))
    const last = Math.min(week.count - 1, Math.ceil(k + width))
    for (let j = first; j <= last; j++) {
      const x = j + 0.5 - k
      const u = Math.abs(x) / width
      if (u >= 1 || week.weight[j] === 0) continue
      const kernel = (1 - u ** 3) ** 3
      const w = kernel * week.weight[j]!
      const r = kernel * week.sum[j]!
      s0 += w
      s1 += w * x
      s2 += w * x * x
      r0 += r
      r1 += r * x
      v0 += w * kernel
      v1 += w * kernel * x
      v2 += w * kernel * x * x
    }
    // The ridge stabilizes the slope when one week has most of the sales.
    const squares = s2 + 1e-6 + s0 * 0.01
    const determinant = s0 * squares - s1 * s1
    const equalSales = determinant ** 2 / (squares * squares * v0 - 2 * squares * s1 * v1 + s1 * s1 * v2)
    const isWhole = first === 0 && last === week.count - 1
    const isWide = isWhole || (width * week.stepDays >= widestDays && equalSales >= fewestSales)
    if (!(equalSales >= options.levelSales) && !isWide) continue
    if (s0 > 0 && determinant > 1e-12) return { level: (r0 * squares - r1 * s1) / determinant }
    if (s0 > 0) return { level: r0 / s0 }
    if (isWhole) return { level: 0 }
  }
}

/** The slope used for extrapolation, without the season: that of the last months, shrunk toward that of the last year according to its uncertainty. */
function endSlope(data: DatedResiduals, index: TimeIndex, options: TimeIndexOptions): number {
  const priorVariance = (options.priorSlopeSdPerMonth / 30.4375) ** 2
  const pull = (windowDays: number, mean: number) => {
    const { slope, variance } = slopeOver(data, index, windowDays)
    const trust = priorVariance / (priorVariance + variance)
    return trust * slope + (1 - trust) * mean
  }
  return pull(options.slopeWindowDays, pull(365, 0))
}

function slopeOver(data: DatedResiduals, index: TimeIndex, windowDays: number) {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let r0 = 0
  let r1 = 0
  let rr = 0
  let n = 0
  for (let i = 0; i < data.day.length; i++) {
    const x = data.day[i]! - index.asOfDay
    const u = -x / windowDays
    if (u >= 1) continue
    const w = data.weight[i]! * (1 - u ** 3) ** 3
    const r = data.residual[i]! - seasonalAt(index.seasonal, data.day[i]!)
    s0 += w
    s1 += w * x
    s2 += w * x * x
    r0 += w * r
    r1 += w * x * r
    rr += w * r * r
    n++
  }
  if (n < 10 || s0 <= 0) return { slope: 0, variance: Number.POSITIVE_INFINITY }
  const spread = s2 - (s1 * s1) / s0
  const slope = (r1 - (s1 * r0) / s0) / spread
  const noise = Math.max(0, (rr - (r0 * r0) / s0) / s0)
  return { slope, variance: spread > 0 ? noise / spread : Number.POSITIVE_INFINITY }
}

/** The yearly cycle of a market's prices: log effect by day of year, as one harmonic. */
interface SeasonalPattern {
  cosine: number
  sine: number
}

/**
 * 1.65% above the mean in July: the cycle of 20,979 sales in Lucas County, 1993-97. In every US city that Ngai and Tenreyro studied
 * ("Hot and cold seasons in the housing market", 2014) prices rise most in spring and summer.
 */
const usualPattern: SeasonalPattern = { cosine: -0.0164, sine: -0.0015 }

/**
 * Fitted on weekly means minus their 53-week mean, the newest week first. Not on the smoothed index, which would take a seventh off the
 * cycle. Needs three years of sales; with fewer the cycle cannot be separated from the trend.
 */
function fitSeasonalPattern(
  { weight, sum: sums }: { weight: Float64Array; sum: Float64Array },
  asOfDay: number,
  stepDays: number,
): SeasonalPattern | undefined {
  const half = 26
  if (stepDays !== 7 || weight.length - 2 * half < 104) return undefined
  let cc = 0
  let ss = 0
  let cs = 0
  let rc = 0
  let rs = 0
  for (let k = half; k < weight.length - half; k++) {
    const w = weight[k]!
    if (w === 0) continue
    let [sum, total] = [0, 0]
    for (let j = k - half; j <= k + half; j++) {
      // A mean of weekly means: a year has more sales in summer.
      if (weight[j] === 0) continue
      sum += sums[j]! / weight[j]!
      total++
    }
    const off = w * (sums[k]! / w - sum / total)
    const angle = angleOf(asOfDay - (k + 0.5) * stepDays)
    const c = Math.cos(angle)
    const s = Math.sin(angle)
    cc += w * c * c
    ss += w * s * s
    cs += w * c * s
    rc += off * c
    rs += off * s
  }
  const determinant = cc * ss - cs * cs
  if (determinant <= 1e-9) return undefined
  return { cosine: (rc * ss - rs * cs) / determinant, sine: (rs * cc - rc * cs) / determinant }
}

function seasonalAt(pattern: SeasonalPattern, day: number): number {
  const angle = angleOf(day)
  return pattern.cosine * Math.cos(angle) + pattern.sine * Math.sin(angle)
}

const angleOf = (day: number): number => (2 * Math.PI * day) / 365.2425
