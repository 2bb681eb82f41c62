import { dayOf } from '../domain/day.ts'
import { sourcesWithout } from '../store/exports/exports.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { builtNearby } from '../store/permits/built-nearby.ts'
import type { BuiltHouse } from '../wire/built-nearby.ts'
import { getBuiltNearby } from '../wire/operations/properties.ts'
import { windowStart } from '../wire/plans.ts'
import { implement } from './context.ts'
import { historyWindow } from './listing-page.ts'
import { visibleProperty } from './visible-property.ts'

const radiusMi = 1
const years = 5
const mostHouses = 50

export const getBuiltNearbyRun = implement(getBuiltNearby, async (context, { id }) => {
  const { db, caller, now, surface } = context
  const { property, facts } = await visibleProperty(context, id)
  const from = dayOf(new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate())))
  const { lat, lng } = facts
  const [rows, current] = await Promise.all([
    lat === undefined || lng === undefined
      ? []
      : builtNearby(db, {
          market: property.market,
          center: { lat, lng },
          radiusMi,
          from,
          since: windowStart(caller.limits, now),
          withoutSources: await sourcesWithout(db, surface),
          most: mostHouses,
        }),
    asOf(db, ['permits', 'sales'], property.market),
  ])
  const data = rows.map(
    ({ livingSqft, finaledOn, builder, sample, sqft, issuedOn, address, ...row }): BuiltHouse => ({
      ...row,
      distanceMi: Math.round(row.distanceMi * 100) / 100,
      issuedOn: issuedOn!,
      ...(address === null ? {} : { address }),
      months: monthsBetween(row.lotSoldOn, row.resoldOn),
      differenceUsd: row.resaleUsd - row.lotPriceUsd,
      ...(finaledOn === null ? {} : { finaledOn }),
      ...((livingSqft ?? sqft) === null ? {} : { sqft: Math.round((livingSqft ?? sqft)!) }),
      ...(builder === null ? {} : { builder }),
      ...(sample ? { sample } : {}),
    }),
  )
  return { success: true, data, radiusMi, years, asOf: current, historyWindow: historyWindow(caller.limits, now) }
})

const monthsBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / (86_400_000 * 30.4375))
