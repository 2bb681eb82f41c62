import { pick } from '../common/typed.ts'
import { datasets } from '../domain/facts.ts'
import type { Accuracy } from '../domain/findings/coverage-and-accuracy.ts'
import { citySlug, findCity } from '../domain/packs/markets.ts'
import { forecastLedger, latestAccuracy } from '../store/assessments/accuracy.ts'
import { coverage, overlayCoverage } from '../store/ingest/coverage.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { generatedData } from '../store/ingest/generated.ts'
import { getAccuracy, getCoverage } from '../wire/operations/coverage.ts'
import { implement } from './context.ts'
import { cursorPageOf, listAnswer } from './listing-page.ts'

const inMarket = (row: { market: string }, market: string | undefined) => market === undefined || row.market === market

export const getCoverageRun = implement(getCoverage, async ({ db, caller, now }, input) => {
  const page = cursorPageOf(caller, input)
  const [all, current, overlays] = await Promise.all([coverage(db, now), asOf(db, datasets), overlayCoverage(db)])
  const wanted = input.city === undefined ? undefined : (findCity(input.city)?.slug ?? citySlug(input.city))
  const rows = all.filter((row) => inMarket(row, input.market) && (wanted === undefined || row.citySlug === wanted))
  const answer = listAnswer(page, rows.slice(page.offset, page.offset + page.limit), rows.length, { asOf: current })
  return { ...answer, overlays: overlays.filter((row) => inMarket(row, input.market)) }
})

export const getAccuracyRun = implement(getAccuracy, async ({ db, caller }, input) => {
  const page = cursorPageOf(caller, input)
  const [rows, generated, ledger, current] = await Promise.all([
    latestAccuracy(db),
    generatedData(db),
    forecastLedger(db),
    asOf(db, datasets),
  ])
  const marketRows = rows.filter((row) => inMarket(row, input.market))
  const figures = marketRows.map(
    (row): Accuracy => ({
      model: row.name,
      market: row.market,
      measuredAt: row.measuredAt.toISOString(),
      ...pick(row, 'data', 'modelVersion', 'measures'),
      ...(generated(row.market, ['listings', 'sales']) ? { sample: true } : {}),
    }),
  )
  const answer = listAnswer(page, figures.slice(page.offset, page.offset + page.limit), figures.length, {
    asOf: current,
  })
  return { ...answer, live: ledger.live.filter((row) => inMarket(row, input.market)) }
})
