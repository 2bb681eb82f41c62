import { badRequest, notFound } from '../common/errors.ts'
import { closestName } from '../common/suggest.ts'
import {
  priceIndexBasis,
  type SeriesDescription,
  type SeriesInterval,
  type SeriesMetric,
  type SeriesPeriod,
} from '../domain/findings/market-series.ts'
import { type City, findCity, jurisdictions } from '../domain/packs/markets.ts'
import { type SeriesPlace, type SeriesSource, seriesRows, seriesSources } from '../store/assessments/market-series.ts'
import { asOf } from '../store/ingest/freshness.ts'
import type { InputOf } from '../wire/operation.ts'
import { getMarketSeries } from '../wire/operations/market-series.ts'
import { windowStart } from '../wire/plans.ts'
import { implement, type Services } from './context.ts'
import { cursorPageOf, historyWindow, listAnswer } from './listing-page.ts'
import { notAssessed } from './not-assessed.ts'
import { requestedMarket } from './requested-market.ts'

export const getMarketSeriesRun = implement(getMarketSeries, async ({ db, caller, now }, input) => {
  const place = placeOf(input)
  const page = cursorPageOf(caller, input)
  const [{ periods, series }, current, waiting] = await Promise.all([
    marketSeries({ db }, place, input.interval ?? 'month', windowStart(caller.limits, now)),
    asOf(db, ['sales', 'listings', 'permits'], place.market),
    notAssessed(db, place.market),
  ])
  const pagePeriods = periods.slice(page.offset, page.offset + page.limit)
  const data = pagePeriods.map((period) => onlyMetrics(period, input.metric))
  return {
    ...listAnswer(page, data, periods.length, { asOf: current, window: historyWindow(caller.limits, now) }),
    series,
    ...(waiting ? { notAssessed: waiting } : {}),
  }
})

/** Rows stored by version 2.0 do not name the figures that are withheld. */
const withholdable: readonly SeriesMetric[] = [
  'medianSalePrice',
  'medianPricePerSqft',
  'medianDaysOnMarket',
  'saleToList',
  'soldAboveListPct',
]

interface NamedPlace extends SeriesPlace {
  city?: City
}

/** Newest first. `since`: the start of a history window; a period that begins before it has records from outside of it. */
export const marketSeries = async (
  { db }: Pick<Services, 'db'>,
  place: NamedPlace,
  interval: SeriesInterval,
  since?: string,
): Promise<{ periods: SeriesPeriod[]; series: SeriesDescription }> => {
  const [rows, sources] = await Promise.all([seriesRows(db, place, interval, since), seriesSources(db, place)])
  const computedAt = Math.max(...rows.map(({ updatedAt }) => updatedAt.getTime()))
  const { market, city, zip } = place
  const sample = sources.some((source) => source.sample)
  return {
    periods: rows.map(({ period, n, partial, suppressed, figures }) => ({
      period,
      n,
      ...(partial ? { partial } : {}),
      ...(suppressed ? { suppressed, withheld: withholdable.filter((name) => figures[name] === undefined) } : {}),
      ...figures,
      ...(sample ? { sample } : {}),
    })),
    series: {
      market,
      ...(city ? { city: city.name, citySlug: city.slug } : {}),
      ...(zip ? { zip } : {}),
      interval,
      ...(rows.length > 0 ? { computedAt: new Date(computedAt).toISOString() } : {}),
      priceIndexBasis,
      sample,
      sources: sources.map(servedSource),
    },
  }
}

export const servedSource = ({ title, license, sample }: SeriesSource) => ({
  title,
  ...(license === null ? {} : { licence: license }),
  sample,
})

export const placeOf = ({
  market: named,
  city: cityName,
  zip,
}: Pick<InputOf<typeof getMarketSeries>, 'market' | 'city' | 'zip'>): NamedPlace => {
  if (cityName !== undefined && zip !== undefined) throw badRequest('Give city or zip, not both.')
  const market = named === undefined ? undefined : requestedMarket(named)
  if (zip !== undefined) {
    const zipMarket = jurisdictions().find(({ zipCodes }) => zipCodes.includes(zip))?.market
    return { market: market ?? zipMarket ?? requestedMarket(undefined), zip }
  }
  if (cityName === undefined) return { market: market ?? requestedMarket(undefined) }
  const city = findCity(cityName, market)
  if (city) return { market: city.market, citySlug: city.slug, city }
  const names = jurisdictions().map(({ name }) => name)
  const near = closestName(cityName, names)
  const hint = near === undefined ? 'GET /v1/markets lists the cities.' : `Did you mean ${near}?`
  throw notFound(`city "${cityName.replace(/\p{Cc}/gu, '·')}" is not in the markets searched. ${hint}`)
}

const onlyMetrics = (period: SeriesPeriod, metrics: readonly SeriesMetric[] | undefined): SeriesPeriod => {
  if (metrics === undefined) return period
  const { period: first, n, partial, suppressed, withheld = [], sample, ...figures } = period
  const withheldMetrics = withheld.filter((name) => metrics.includes(name))
  return {
    period: first,
    n,
    ...(partial ? { partial } : {}),
    ...(suppressed && withheldMetrics.length > 0 ? { suppressed, withheld: withheldMetrics } : {}),
    ...Object.fromEntries(Object.entries(figures).filter(([name]) => metrics.includes(name as SeriesMetric))),
    ...(sample ? { sample } : {}),
  }
}
