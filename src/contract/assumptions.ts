// The pro forma's assumptions, from data/assumptions.json, as they stand for one city.

import table from '../../data/assumptions.json' with { type: 'json' }
import type { Assumption } from './assumption.ts'
import type { MarketId } from './facts.ts'
import { findCity } from './markets.ts'

/** A value for everywhere, and others for a market or a city where they differ. */
export interface ScopedAssumption extends Assumption {
  byMarket?: Partial<Record<MarketId, number>>
  byCity?: Readonly<Record<string, number>>
}

export type AssumptionName = keyof typeof table
export type Assumptions = Readonly<Record<AssumptionName, number>>

export const assumptionTable = table as unknown as Readonly<Record<AssumptionName, ScopedAssumption>>

export const assumptionNames = Object.keys(table) as AssumptionName[]

const resolved = new Map<string, Assumptions>()

/** City by name or slug; a city that is not known gets the values for everywhere. */
export function assumptionsFor(city: string): Assumptions {
  const place = findCity(city)
  const slug = place?.slug ?? ''
  const before = resolved.get(slug)
  if (before) return before
  const values = Object.fromEntries(
    assumptionNames.map((name) => {
      const { value, byMarket, byCity } = assumptionTable[name]
      return [name, byCity?.[slug] ?? (place && byMarket?.[place.market]) ?? value]
    }),
  ) as Assumptions
  resolved.set(slug, values)
  return values
}
