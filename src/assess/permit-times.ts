// How long permits for new houses take in each city, which is part of a project's duration. Read once per valuation.
import { hash } from 'node:crypto'
import type { MarketId } from '../domain/facts.ts'
import type { PermitTimes } from '../intelligence/proforma/project-duration.ts'
import { kaplanMeier } from '../intelligence/statistics/survival.ts'
import type { Db } from '../store/engine/database.ts'
import { permitLifeTables } from '../store/permits/timelines.ts'
import { fewestPermits } from '../wire/permit-timelines.ts'

export const permitTimes = async (db: Db, market: MarketId, since: string, to: string): Promise<PermitTimes> => {
  const groups = await permitLifeTables(db, {
    market,
    classes: ['new_house'],
    from: since,
    to,
    knownOn: to,
    groupBy: ['city'],
  })
  const cities: Record<string, PermitTimes['cities'][string]> = {}
  for (const { citySlug, toIssue } of groups) {
    const curve = kaplanMeier(toIssue)
    const p50 = curve.quantile(0.5)
    if (curve.cases >= fewestPermits && p50 !== undefined)
      cities[citySlug ?? ''] = { n: curve.cases, p50, p90: curve.quantile(0.9) }
  }
  return { since, cities }
}

/** A change of the times is not news about a property. */
export const permitTimesVersion = ({ cities }: PermitTimes): string =>
  hash('sha1', JSON.stringify(cities), 'hex').slice(0, 8)
