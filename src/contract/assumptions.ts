// The assumptions of the pro forma and the flip: the value of the market's pack, else the default in data/assumptions.json and
// data/flip-assumptions.json.

import table from '../../data/assumptions.json' with { type: 'json' }
import flipTable from '../../data/flip-assumptions.json' with { type: 'json' }
import { assumptionText, type DefaultAssumption, type NamedAssumption } from './assumption.ts'
import type { MarketId } from './facts.ts'
import type { AssumptionsFile } from './market-pack.ts'
import { findCity } from './markets.ts'
import { termReplacing } from './replaced-assumptions.ts'

export type AssumptionName = keyof typeof table
export type Assumptions = Readonly<Record<AssumptionName, number>>

export type FlipAssumptionName = keyof typeof flipTable

/** The defaults, used wherever a pack gives no value of its own. */
export const assumptionTable = table as unknown as Readonly<
  Record<AssumptionName, NamedAssumption & { local?: boolean }>
>
export const flipAssumptionTable = flipTable as unknown as Readonly<Record<FlipAssumptionName, NamedAssumption>>

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

/** Whether the pack of a market gives no value, so that the default is used. Every mark of a default follows from this function. */
export const isDefault = (market: MarketId, name: AssumptionName | FlipAssumptionName): boolean =>
  marketAssumption(market, name) === undefined

/** The pack's own value of an assumption with its reason and source; undefined if it has none. */
export const marketAssumption = (market: MarketId, name: AssumptionName | FlipAssumptionName) =>
  (name in flipAssumptionTable ? byMarket.get(market)?.flip : byMarket.get(market)?.assumptions)?.[name]

/** The local assumptions of the pro forma for which a market has no value of its own. */
export const defaultedAssumptions = (market: MarketId): readonly AssumptionName[] =>
  localAssumptions.filter((name) => isDefault(market, name))

/** The same, with the assumptions of a flip. */
export const allDefaultedAssumptions = (market: MarketId): readonly string[] => [
  ...defaultedAssumptions(market),
  ...(Object.keys(flipAssumptionTable) as FlipAssumptionName[]).filter((name) => isDefault(market, name)),
]

export const flipAssumptionFor = (name: FlipAssumptionName, market: MarketId): number =>
  byMarket.get(market)?.flip?.[name]?.value ?? flipAssumptionTable[name].value

/** Defaults with their values in words and how to replace them. Names that this version does not know are left out. */
export const describeDefaults = (names: readonly string[]): DefaultAssumption[] =>
  [...new Set(names)].flatMap((name) => {
    const flip = flipAssumptionTable[name as FlipAssumptionName]
    const found = flip ?? assumptionTable[name as AssumptionName]
    if (!found) return []
    const { label, value, unit } = found
    const parameter = termReplacing(name)
    const set = `Set ${flip ? 'flip' : 'assumptions'}.${name} in assumptions.json of the market pack${parameter ? `, or pass ${parameter} to the pro forma` : ''}.`
    return [{ name, label, value, unit, text: assumptionText(found), set }]
  })
