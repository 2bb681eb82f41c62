// Measures the value model on the sales of two counties, as every change of a setting must be judged: mean of several seeds.
// node tools/backtest/backtest-counties.ts FOLDER [--seeds 1,2,3] [--only accuracy,range] [--set leaves=20]

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { readSaleRow, type SaleRow } from '../../src/assess/sale-row.ts'
import { assessorLevels, backtestLabels, rebuiltKey } from '../../src/backtest/backtest-rebuilds.ts'
import { usualCondition } from '../../src/intelligence/condition/condition.ts'
import { conditionPrior, valueInCondition } from '../../src/intelligence/valuation/condition-value.ts'
import { fitMarket } from '../../src/intelligence/valuation/fit-market.ts'
import type { MarketModel } from '../../src/intelligence/valuation/market-model.ts'
import { medianOf } from '../../src/intelligence/valuation/quantiles.ts'
import { studyRatios } from '../../src/intelligence/valuation/ratio-study.ts'
import { seededRandom } from '../../src/intelligence/valuation/seeded-random.ts'
import { logLevel } from '../../src/intelligence/valuation/time-index.ts'
import {
  dateOf,
  dayOf,
  type LocatedHome,
  type ValuationSale,
} from '../../src/intelligence/valuation/valuation-facts.ts'
import { comparablesOf, valueHome } from '../../src/intelligence/valuation/value-home.ts'

type Sale = ValuationSale & LocatedHome
type Figures = Record<string, number | undefined>

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '1,2,3' }, only: { type: 'string' }, set: { type: 'string' } },
})
const folder = positionals[0] ?? '../shared/data'
const seeds = options.seeds.split(',').map(Number)
const assumptions = Object.fromEntries(
  (options.set?.split(',') ?? []).map((each) => each.split('=')).map(([name, value]) => [name!, Number(value)]),
)

const rowsOf = (file: string): Record<string, string>[] =>
  parse(readFileSync(join(folder, file), 'utf8'), { columns: true })

const salesOf = (rows: readonly SaleRow[]): Sale[] =>
  rows.flatMap((row) => {
    const read = readSaleRow(row)
    return 'sale' in read ? [read.sale as Sale] : []
  })

const king = salesOf(
  rowsOf('sales/king-county-2014-2015.csv').map((row, i) => ({
    saleId: `${row.id}-${i}`,
    soldOn: row.date!.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3'),
    priceUsd: row.price,
    livingSqft: row.sqft_living,
    lotSqft: row.sqft_lot,
    beds: row.bedrooms,
    baths: row.bathrooms,
    yearBuilt: row.yr_built,
    lat: row.lat,
    lng: row.long,
    propertyType: 'single_family',
    // Some ids have lost their leading zeros; those of the labels have not.
    propertyId: row.id!.padStart(10, '0'),
    quality: String((100 * (Number(row.grade) - 1)) / 12),
    condition: String(assessorLevels[Number(row.condition)] ?? ''),
    view: row.view,
    waterfront: row.waterfront,
    yearRenovated: row.yr_renovated,
    stories: row.floors,
    basementSqft: row.sqft_basement,
  })),
)
const added = ['quality', 'condition', 'view', 'waterfront', 'yearRenovated', 'stories', 'basementSqft'] as const
const without = (sale: Sale, names: readonly (keyof Sale)[]): Sale => {
  const copy = { ...sale }
  for (const name of names) delete copy[name]
  return copy
}
const plain = king.map((sale) => without(sale, [...added, 'propertyId']))
const lucas = salesOf(rowsOf('sales/lucas-county-1993-1997.csv'))

const kingFrom = '2015-03-27'
const before = (sales: readonly Sale[], day: string) => sales.filter(({ soldOn }) => soldOn < day)
const since = (sales: readonly Sale[], day: string) => sales.filter(({ soldOn }) => soldOn >= day)
const fitOn = (sales: readonly Sale[], day: string, seed: number): MarketModel =>
  fitMarket(before(sales, day), day, { seed, assumptions })!

const valued = (model: MarketModel, sales: readonly Sale[]) =>
  sales.flatMap((sale) => {
    const { priceUsd, soldOn, saleId: _, ...home } = sale
    const value = valueHome(model, home, soldOn)
    const inside = value && priceUsd >= value.lowUsd && priceUsd <= value.highUsd
    if (!value) return []
    const [low, high] = [Math.log(value.lowUsd), Math.log(value.highUsd)]
    const missed = Math.max(0, low - Math.log(priceUsd), Math.log(priceUsd) - high)
    const score = high - low + 10 * missed
    return [{ sale, priceUsd, valueUsd: value.valueUsd, inside, score, high: value.confidence === 'high' }]
  })
type Valued = ReturnType<typeof valued>

const percent = <T>(all: readonly T[], is: (each: T) => unknown): number | undefined =>
  all.length === 0 ? undefined : (100 * all.filter(is).length) / all.length
const inRange = (sales: Valued) => percent(sales, ({ inside }) => inside)

const study = (sales: Valued): Figures => {
  const { mdape, within10, cod, prd, prb, medianRatio } = studyRatios(sales)!
  return {
    mdape,
    within10,
    cod,
    prd,
    prb,
    medianRatio,
    inRange: inRange(sales),
    interval: sales.reduce((sum, { score }) => sum + score, 0) / sales.length,
    high: percent(sales, (s) => s.high),
  }
}

/** By tenth of the value. */
const byValue = (sales: Valued): Figures => {
  const sorted = [...sales].sort((a, b) => a.valueUsd - b.valueUsd)
  const size = sorted.length / 10
  return Object.fromEntries(
    Array.from({ length: 10 }, (_, k) => [
      `t${k + 1}`,
      inRange(sorted.slice(Math.round(k * size), Math.round((k + 1) * size))),
    ]),
  )
}

/** Largest and smallest share inside among the groups of at least 100 sales. */
const byArea = (sales: Valued): Figures => {
  const areas = Map.groupBy(sales, ({ sale }) => `${sale.lat.toFixed(1)}, ${sale.lng.toFixed(1)}`)
  const shares = [...areas.values()].filter((area) => area.length >= 100).map((area) => inRange(area)!)
  return { least: Math.min(...shares), most: Math.max(...shares) }
}

const facts = ['lotSqft', 'yearBuilt', 'beds', 'baths', 'propertyType'] as const

/** Coverage and error with facts left out of the homes to value. */
const missing = (model: MarketModel, sales: readonly Sale[]): Record<string, Figures> => {
  const random = seededRandom(5)
  const cases: Record<string, (sale: Sale) => Sale> = {
    'each fact with probability 1/2': (sale) =>
      without(
        sale,
        facts.filter(() => random() < 0.5),
      ),
    'no lot': (sale) => without(sale, ['lotSqft']),
    'no year': (sale) => without(sale, ['yearBuilt']),
    'no lot, year, rooms, type': (sale) => without(sale, facts),
  }
  return Object.fromEntries(
    Object.entries(cases).map(([name, change]) => {
      const { mdape, inRange: share, high } = study(valued(model, sales.map(change)))
      return [name, { mdape, inRange: share, high }]
    }),
  )
}

/** Fitted on the northern half; by distance south of it. */
const distances = (seed: number): Record<string, Figures> => {
  const border = medianOf(plain.map(({ lat }) => lat))
  const model = fitOn(
    plain.filter(({ lat }) => lat >= border),
    kingFrom,
    seed,
  )
  const groups = Object.entries({
    inside: [-99, 0],
    '0-2 km': [0, 2],
    '2-5 km': [2, 5],
    '5-15 km': [5, 15],
    '15-30 km': [15, 30],
  })
  return Object.fromEntries(
    groups.map(([name, [from, to]]) => {
      const asked = since(plain, kingFrom).filter(({ lat }) => {
        const km = (border - lat) * 110.574
        return km > from! && km <= to!
      })
      const given = valued(model, asked)
      return [name, { n: asked.length, valued: (100 * given.length) / asked.length, inRange: inRange(given) }]
    }),
  )
}

/** Share of homes with three sales within 1 mile, 12 months, 25% of size and 15 years of age among the first six. */
const comparables = (model: MarketModel, sales: readonly Sale[], day: string): Figures => {
  const asked = since(sales, day).filter((_, i) => i % 5 === 0)
  const byId = new Map(sales.map((sale) => [sale.saleId, sale]))
  const enough = percent(asked, (home) => {
    const six = comparablesOf(model, home, home.soldOn).slice(0, 6)
    const alike = six.filter(({ saleId, soldOn, distanceKm }) => {
      const sale = byId.get(saleId)!
      return (
        distanceKm <= 1.609344 &&
        dayOf(home.soldOn) - dayOf(soldOn) <= 365 &&
        Math.abs(sale.livingSqft! / home.livingSqft! - 1) <= 0.25 &&
        Math.abs((sale.yearBuilt ?? 0) - (home.yearBuilt ?? 0)) <= 15
      )
    })
    return alike.length >= 3
  })
  return { n: asked.length, threeOfSix: enough }
}

/** Homes sold twice within a year: the after-repair value of the first sale, without either price, against the second price. */
const flips = (seed: number): Figures => {
  const sales = king.map((sale) => without(sale, added))
  const last = sales.reduce((latest, { soldOn }) => (soldOn > latest ? soldOn : latest), '')
  const model = fitOn(sales, dateOf(dayOf(last) + 1), seed)
  const pairs: { bought: number; arv: number }[] = []
  model.sales.previous.forEach((first, second) => {
    if (first < 0 || model.sales.day[second]! - model.sales.day[first]! > 365) return
    const sale = sales.find(({ saleId }) => saleId === model.sales.saleId[first])!
    const on = logLevel(model.index, model.sales.day[second]!) - logLevel(model.index, model.sales.day[first]!)
    const valueUsd = sale.priceUsd * Math.exp(-model.unexplained[first]!)
    const usual = usualCondition(sale, sale.soldOn)
    const arv = Math.exp(on) * valueInCondition(conditionPrior(), { valueUsd, usual }, Math.max(85, usual))
    pairs.push({ bought: sale.priceUsd / valueUsd, arv: arv / model.sales.priceUsd[second]! })
  })
  return {
    n: pairs.length,
    bought: medianOf(pairs.map((p) => p.bought)),
    afterRepair: medianOf(pairs.map((p) => p.arv)),
  }
}

const quarters = (sales: Valued): Figures =>
  Object.fromEntries(
    [1, 2, 3, 4].flatMap((quarter) => {
      const part = sales.filter(({ sale }) => Math.ceil(Number(sale.soldOn.slice(5, 7)) / 3) === quarter)
      return [
        [`ratio Q${quarter}`, studyRatios(part)?.medianRatio],
        [`in Q${quarter}`, inRange(part)],
      ]
    }),
  )

const refit = (sales: readonly Sale[], days: number, seed: number): Valued => {
  const last = dayOf(sales.reduce((latest, { soldOn }) => (soldOn > latest ? soldOn : latest), ''))
  const all: Valued = []
  for (let day = dayOf(kingFrom); day <= last; day += days)
    all.push(...valued(fitOn(sales, dateOf(day), seed), before(since(sales, dateOf(day)), dateOf(day + days))))
  return all
}

/** 20 repeats of five folds; the figures of the base rate and of a plain logistic regression beside them. */
const teardown = (): Figures => {
  const rows = rowsOf('labels/king-county-teardown-half.csv')
  const labels = new Map(rows.map(({ id, soldOn, tornDown }) => [rebuiltKey(id!, soldOn!), tornDown === '1']))
  const { rebuilt, rows: n, fitted, plain: rival } = backtestLabels(king, labels, 20)
  const { auc, brier, slope, slope90, mean, overstated } = fitted
  const baseBrier = (rebuilt / n) * (1 - rebuilt / n)
  const [slopeLow, slopeHigh] = slope90
  return {
    n,
    rebuilt,
    auc: auc.mean,
    plainAuc: rival.auc.mean,
    brier,
    baseBrier,
    slope,
    slopeLow,
    slopeHigh,
    mean,
    overstated,
  }
}

const prefixed = (prefix: string, rows: Record<string, Figures>) =>
  Object.fromEntries(Object.entries(rows).map(([name, figures]) => [`${prefix}: ${name}`, figures]))

const measures: Record<string, (seed: number) => Record<string, Figures>> = {
  king: (seed) => {
    const model = fitOn(plain, kingFrom, seed)
    const later = since(plain, kingFrom)
    const values = valued(model, later)
    return prefixed('King', {
      all: study(values),
      'tenths of value': byValue(values),
      areas: byArea(values),
      ...missing(model, later),
    })
  },
  facts: (seed) => {
    const values = valued(fitOn(king, kingFrom, seed), since(king, kingFrom))
    return prefixed('King with facts', { all: study(values), 'tenths of value': byValue(values) })
  },
  lucas: (seed) => {
    const model = fitOn(lucas, '1997-01-01', seed)
    const later = since(lucas, '1997-01-01')
    const values = valued(model, later)
    return prefixed('Lucas 1997', {
      all: study(values),
      quarters: quarters(values),
      'tenths of value': byValue(values),
      areas: byArea(values),
      ...missing(model, later),
    })
  },
  half: (seed) => ({
    'Lucas from July 1997': study(valued(fitOn(lucas, '1997-07-01', seed), since(lucas, '1997-07-01'))),
  }),
  refit: (seed) => ({ 'King, refit every 14 days': study(refit(plain, 14, seed)) }),
  distance: (seed) => prefixed('North of King', distances(seed)),
  comparables: (seed) => ({
    'King comparables': comparables(fitOn(king, kingFrom, seed), king, kingFrom),
    'Lucas comparables': comparables(fitOn(lucas, '1997-01-01', seed), lucas, '1997-01-01'),
  }),
  flips: (seed) => ({ 'King, sold twice within a year': flips(seed) }),
  teardown: () => ({ 'Teardown, out of fold': teardown() }),
}

for (const [name, measure] of Object.entries(measures)) {
  if (options.only && !options.only.split(',').includes(name)) continue
  const runs = seeds.map(measure)
  for (const [row, first] of Object.entries(runs[0]!)) {
    const figures = Object.keys(first).map((key) => {
      const each = runs.flatMap((run) => run[row]![key] ?? [])
      const mean = each.reduce((sum, value) => sum + value, 0) / each.length
      return `${key} ${each.length ? Number(mean.toFixed(Math.abs(mean) < 3 ? 4 : 2)) : '-'}`
    })
    console.log(`${row} | ${figures.join(' | ')}`)
  }
}
