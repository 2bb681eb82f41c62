import { jurisdictions } from '../domain/packs/markets.ts'
import { kaplanMeier, type SurvivalCurve } from '../intelligence/statistics/survival.ts'
import { seriesSources } from '../store/assessments/market-series.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { type PermitLifeTables, permitLifeTables } from '../store/permits/timelines.ts'
import { getPermitTimelines } from '../wire/operations/permit-timelines.ts'
import { fewestPermits, type PermitTimeline } from '../wire/permit-timelines.ts'
import { windowStart } from '../wire/plans.ts'
import { implement } from './context.ts'
import { cursorPageOf, historyWindow, listAnswer } from './listing-page.ts'
import { placeOf, servedSource } from './market-series.ts'

export const getPermitTimelinesRun = implement(getPermitTimelines, async ({ db, caller, now }, input) => {
  const { market, citySlug } = placeOf(input)
  const since = windowStart(caller.limits, now)
  const page = cursorPageOf(caller, input)
  const from = [input.from, since]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1)
  const { permitClass: classes, minValuation, to, groupBy = [] } = input
  const question = { market, citySlug, classes, minValuation, from, to, groupBy }
  const [groups, sources, current] = await Promise.all([
    permitLifeTables(db, question),
    seriesSources(db, { market, ...(citySlug === undefined ? {} : { citySlug }) }, ['permits']),
    asOf(db, ['permits'], market),
  ])
  const sample = sources.some((source) => source.sample) ? { sample: true } : {}
  const pageGroups = groups
    .slice(page.offset, page.offset + page.limit)
    .map((group) => ({ ...timelineOf(group, kaplanMeier(group.toIssue), kaplanMeier(group.toFinal)), ...sample }))
  return {
    ...listAnswer(page, pageGroups, groups.length, { asOf: current, window: historyWindow(caller.limits, now) }),
    sources: sources.map(servedSource),
  }
})

/** "Not after three years" is counted in days. */
const threeYears = 3 * 365

const timelineOf = (group: PermitLifeTables, issue: SurvivalCurve, final: SurvivalCurve): PermitTimeline => {
  const { citySlug, permitClass, year, n, open, withoutApplicationDate, invalidDates, observedTo } = group
  const city = jurisdictions().find(({ slug }) => slug === citySlug)
  const named = {
    ...(citySlug === null ? {} : { city: city?.name ?? citySlug, citySlug }),
    ...(permitClass === null ? {} : { permitClass }),
    ...(year === null ? {} : { year }),
    n,
  }
  if (n < fewestPermits) return named
  const quantiles = (curve: SurvivalCurve) =>
    curve.cases < fewestPermits
      ? undefined
      : {
          n: curve.cases,
          p25: curve.quantile(0.25),
          p50: curve.quantile(0.5),
          p80: curve.quantile(0.8),
          p90: curve.quantile(0.9),
        }
  const openPct = (curve: SurvivalCurve) => {
    const share = curve.cases < fewestPermits ? undefined : curve.openAfter(threeYears)
    return share === undefined ? undefined : Math.round(share * 1000) / 10
  }
  return {
    ...named,
    open,
    toIssue: quantiles(issue),
    toFinal: quantiles(final),
    stalledPct: openPct(final),
    neverIssuedPct: openPct(issue),
    basis: {
      text: `${n} permits by Kaplan–Meier${observedTo === null ? '' : `, open ones counted to ${observedTo}`}; ${withoutApplicationDate} without an application date${invalidDates > 0 ? `, ${invalidDates} with dates in the wrong order left out` : ''}.`,
      withoutApplicationDate,
      invalidDates,
      ...(observedTo === null ? {} : { observedTo }),
    },
  }
}
