// The pro forma's assumptions for one city: the value of its market's pack, else the default in data/assumptions.json.

import table from '../../data/assumptions.json' with { type: 'json' }
import type { Assumption } from './assumption.ts'
import type { MarketId } from './facts.ts'
import type { AssumptionsFile } from './market-pack.ts'
import { findCity } from './markets.ts'

export type AssumptionName = keyof typeof table
export type Assumptions = Readonly<Record<AssumptionName, number>>

/** The defaults, used wherever a pack gives no value of its own. */
export const assumptionTable = table as unknown as Readonly<Record<AssumptionName, Assumption & { local?: boolean }>>

export const assumptionNames = Object.keys(table) as AssumptionName[]

/** Prices and terms that differ from place to place. The others are settings of the method. */
export const localAssumptions = assumptionNames.filter((name) => assumptionTable[name].local)

export type MarketAssumptions = Pick<AssumptionsFile, 'assumptions' | 'flip'>

let byMarket = new Map<MarketId, MarketAssumptions>()
const resolved = new Map<string, Assumptions>()

export function setAssumptions(loaded: ReadonlyMap<MarketId, MarketAssumptions>): void {
  byMarket = new Map(loaded)
  resolved.clear()
}

/** City by name or slug. A city that is not known gets the values of the market, if that is given, else the defaults. */
export function assumptionsFor(city: string, market?: MarketId): Assumptions {
  const place = findCity(city, market)
  const within = place?.market ?? market ?? ''
  const slug = place?.slug ?? ''
  const key = `${within} ${slug}`
  const before = resolved.get(key)
  if (before) return before
  const own = byMarket.get(within)?.assumptions
  const values = Object.fromEntries(
    assumptionNames.map((name) => [
      name,
      own?.[name]?.byCity?.[slug] ?? own?.[name]?.value ?? assumptionTable[name].value,
    ]),
  ) as Assumptions
  resolved.set(key, values)
  return values
}

/** An assumption with the value, reason and source that hold in a market; `isDefault` if its pack gives none. */
export function assumptionIn(name: AssumptionName, market: MarketId): Assumption & { isDefault: boolean } {
  const own = byMarket.get(market)?.assumptions[name]
  const { local: _local, ...standard } = assumptionTable[name]
  if (!own) return { ...standard, isDefault: true }
  const { value, reason, source, confidence } = own
  return { ...standard, value, reason, source, confidence, isDefault: false }
}

/** The local assumptions for which a market has no value of its own. */
export const defaultedAssumptions = (market: MarketId): readonly AssumptionName[] =>
  localAssumptions.filter((name) => byMarket.get(market)?.assumptions[name] === undefined)

/** A market's own values for a flip; names are those of flipAssumptions. */
export const flipAssumptionsOf = (market: MarketId): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(byMarket.get(market)?.flip ?? {}).map(([name, { value }]) => [name, value]))
