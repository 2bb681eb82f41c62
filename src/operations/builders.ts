import { badRequest, notFound } from '../common/errors.ts'
import { dayOf } from '../domain/day.ts'
import { jurisdictions } from '../domain/packs/markets.ts'
import { kaplanMeier } from '../intelligence/statistics/survival.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { generatedData } from '../store/ingest/generated.ts'
import {
  type BuilderQuestion,
  type BuilderRow,
  builderDays,
  buildersOf,
  marketOfBuilder,
} from '../store/permits/builders.ts'
import { type Builder, fewestBuilderPermits } from '../wire/builders.ts'
import { getBuilder, listBuilderPermits, listBuilders } from '../wire/operations/builders.ts'
import { windowStart } from '../wire/plans.ts'
import { type Context, implement } from './context.ts'
import { cursorPageOf, historyWindow, listAnswer } from './listing-page.ts'
import { placeOf } from './market-series.ts'
import { findPermits } from './permits.ts'

export const listBuildersRun = implement(listBuilders, async (context, input) => {
  const { db, caller, now } = context
  const { market, citySlug } = placeOf(input)
  const page = cursorPageOf(caller, input)
  const since = windowStart(caller.limits, now)
  const { permitClass: classes, q, sort = since === undefined ? 'permits12m' : 'permits' } = input
  if (since !== undefined && (sort === 'permits12m' || sort === 'units12m'))
    throw badRequest(
      `sort=${sort} needs a key without a history window: this key reads permits since ${since}. Use permits, valuation or lastIssued.`,
    )
  const [{ builders, total }, current] = await Promise.all([
    builderPage(context, { market, citySlug, classes, q, sort }, page),
    asOf(db, ['permits'], market),
  ])
  return listAnswer(page, builders, total, { asOf: current, window: historyWindow(caller.limits, now) })
})

export const getBuilderRun = implement(getBuilder, async (context, { id }) => ({
  success: true as const,
  data: await oneBuilder(context, id),
  asOf: await asOf(context.db, ['permits']),
}))

export const listBuilderPermitsRun = implement(listBuilderPermits, async (context, { id, ...page }) => {
  await oneBuilder(context, id)
  return findPermits(context, { builderId: id, market: marketOfBuilder(id), ...page })
})

const oneBuilder = async (context: Context, id: string): Promise<Builder> => {
  const market = marketOfBuilder(id)
  const { builders } = market
    ? await builderPage(context, { market, id, sort: 'permits' }, { limit: 1, offset: 0 })
    : { builders: [] }
  const [builder] = builders
  if (!builder) throw notFound(`There is no builder "${id.replace(/\p{Cc}/gu, '·')}". GET /v1/builders lists them.`)
  return builder
}

const builderPage = async (
  context: Context,
  question: Omit<BuilderQuestion, 'yearFrom' | 'since'>,
  page: { limit: number; offset: number },
): Promise<{ builders: Builder[]; total: number }> => {
  const { db, caller, now } = context
  const since = windowStart(caller.limits, now)
  const yearFrom = dayOf(new Date(now.getTime() - 365 * 86_400_000))
  const [{ rows, total }, generated] = await Promise.all([
    buildersOf(db, { ...question, yearFrom, since }, page),
    generatedData(db),
  ])
  const about = {
    publicUrl: context.publicUrl,
    ...(generated(question.market, ['permits']) ? { sample: true } : {}),
  }
  if (since !== undefined) return { builders: rows.map((row) => builderOf(row, about)), total }
  const ids = rows.map(({ builderId }) => builderId)
  // Pages show the days of one builder only, and reading them costs as much as the rest of the list.
  const withDays = context.surface !== 'page' || question.id !== undefined
  const days = Map.groupBy(withDays ? await builderDays(db, question, ids) : [], ({ builderId }) => builderId)
  const builders = rows.map((row) => {
    const curve = kaplanMeier(days.get(row.builderId) ?? [])
    return builderOf(row, about, { p50: curve.quantile(0.5), p90: curve.quantile(0.9) })
  })
  return { builders, total }
}

/** `toFinal` is given for all records of a builder. A key with a history window gets no figures over a longer time. */
const builderOf = (
  row: BuilderRow,
  { publicUrl, ...sample }: { publicUrl: string; sample?: boolean },
  toFinal?: Builder['toFinal'],
): Builder => {
  const [name = '', ...aliases] = row.names
  const hasSums = row.permits >= fewestBuilderPermits
  return {
    id: row.builderId,
    name,
    aliases,
    role: 'contractor',
    license: row.licenses?.[0],
    cities: row.cities.map((slug) => jurisdictions().find((city) => city.slug === slug)?.name ?? slug),
    classes: row.classes,
    permits: row.permits,
    ...(toFinal ? { permits12m: row.permits12m } : {}),
    ...(toFinal && hasSums
      ? {
          units12m: row.units12m ?? undefined,
          toFinal,
          finaledPct: Math.round((1000 * row.finaled) / row.permits) / 10,
        }
      : {}),
    ...(hasSums ? { valuation: row.valuation ?? undefined } : {}),
    lastIssued: row.lastIssued ?? undefined,
    url: `${publicUrl}/builders/${row.builderId}`,
    ...sample,
  }
}
