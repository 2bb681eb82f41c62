// Measures the accuracy of each model of a market on stored data, as served by GET /v1/accuracy.

import { dayOf } from '../domain/day.ts'
import type { AccuracyMeasures } from '../domain/findings/coverage-and-accuracy.ts'
import type { ProbabilityReport } from '../intelligence/statistics/calibration.ts'
import { learnedFrom, teardownHorizonMonths } from '../intelligence/teardown/teardown.ts'
import { fitMarket } from '../intelligence/valuation/fit-market.ts'
import { studyRatios, type ValuedSale } from '../intelligence/valuation/ratio-study.ts'
import { valueHome } from '../intelligence/valuation/value-home.ts'
import type { AccuracyTable } from '../store/engine/schema.ts'
import type { MarketView } from './market-view.ts'
import { figuresOf, ratioGroups, type StudiedSale } from './ratio-groups.ts'

type ModelMeasurement = Omit<AccuracyTable, 'market' | 'measuredAt'>

/** `quick` omits the forward backtest, which needs a second fit of the market. */
export const measureModels = (view: MarketView, { quick }: { quick: boolean }): ModelMeasurement[] => [
  ...valueHeldOut(view),
  ...(quick ? [] : valueForward(view)),
  ...probability(
    'teardown',
    view.teardown,
    `whole-house demolitions permitted within ${teardownHorizonMonths} months of a sale`,
    learnedFrom(view.teardown),
  ),
  ...probability('bidding-war', view.biddingWar, 'sales at least 1% over the last list price'),
  ...heatCoverage(view),
]

/** Each sale is valued by a model fitted without it and without other sales of its home. */
const valueHeldOut = ({ value, sales, version }: MarketView): ModelMeasurement[] => {
  const byId = new Map(sales.map((sale) => [sale.saleId, sale]))
  const valued = [value, value?.condos].flatMap((model) =>
    (model?.sales.saleId ?? []).flatMap((saleId, at): StudiedSale[] => {
      const [valueUsd, sale] = [model!.calibration.heldOutUsd[at], byId.get(saleId)]
      return sale && valueUsd ? [{ valueUsd, priceUsd: sale.priceUsd, sale }] : []
    }),
  )
  const study = studyRatios(valued)
  if (!value || !study) return []
  const { limits, trimmed } = figuresOf(valued) ?? {}
  return [
    {
      name: 'value-held-out',
      data: `${valued.length} stored sales, each valued by a model fitted without it`,
      modelVersion: version,
      measures: rounded({ ...study, limits, trimmed, groups: ratioGroups(valued), asOf: value.asOf }),
    },
  ]
}

/** Length of the forward test, in years. */
const testYears = 0.5
const maxTested = 3_000

/** Trains only on the sales before a date, then values every later one on its own day. */
const valueForward = ({ sales, on, version }: MarketView): ModelMeasurement[] => {
  const from = monthsBefore(on, testYears * 12)
  const known = sales.filter((sale) => sale.soldOn < from)
  const later = sales.filter((sale) => sale.soldOn >= from).slice(0, maxTested)
  const model = fitMarket(known, from)
  if (!model) return []
  const valued = later.flatMap((sale): (ValuedSale & { inside: boolean })[] => {
    const { priceUsd, soldOn, saleId: _, ...home } = sale
    const value = valueHome(model, home, soldOn)
    if (!value) return []
    return [{ valueUsd: value.valueUsd, priceUsd, inside: priceUsd >= value.lowUsd && priceUsd <= value.highUsd }]
  })
  const study = studyRatios(valued)
  if (!study) return []
  const withinRange = (100 * valued.filter(({ inside }) => inside).length) / valued.length
  return [
    {
      name: 'value-forward',
      data: `${valued.length} sales from ${from}, with only the ${known.length} before it known`,
      modelVersion: version,
      measures: rounded({ ...study, withinRange, from }),
    },
  ]
}

const probability = (
  name: string,
  model: { kind: 'prior' | 'fitted'; version: string; rows: number; positives: number; report?: ProbabilityReport },
  event: string,
  learnedFrom?: string,
): ModelMeasurement[] => [
  {
    name,
    data: `${event}: ${model.positives} of ${model.rows}; measured on rows held out of the fit`,
    modelVersion: model.version,
    measures: rounded({ kind: model.kind, learnedFrom, rows: model.rows, positives: model.positives, ...model.report }),
  },
]

const heatCoverage = ({ heat, on, version }: MarketView): ModelMeasurement[] => {
  const cities = heat.rows(on).filter(({ citySlug, propertyType }) => citySlug !== '' && propertyType === 'all')
  const known = cities.filter(({ heatIndex }) => heatIndex !== undefined)
  return [
    {
      name: 'heat-coverage',
      data: `sales of the 90 days to ${on}`,
      modelVersion: version,
      measures: {
        cities: cities.length,
        withIndex: known.length,
        medianSales: known.map(({ sales }) => sales).sort((a, b) => a - b)[known.length >> 1] ?? 0,
      },
    },
  ]
}

const rounded = (measures: AccuracyMeasures): AccuracyMeasures =>
  JSON.parse(
    JSON.stringify(measures, (_, value) => (typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value)),
  )

const monthsBefore = (date: string, months: number): string => {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const then = new Date(Date.UTC(year, month - 1 - months, Math.min(day, 28)))
  return dayOf(then)
}
