// The assumptions of the pro forma and the flip: the value of the market's pack, else the default in data/assumptions.json and
// data/flip-assumptions.json.

import table from '../../../data/assumptions.json' with { type: 'json' }
import flipTable from '../../../data/flip-assumptions.json' with { type: 'json' }
import { keysOf, tableOf } from '../../common/typed.ts'
import type { AssumptionsFile } from '../packs/market-pack.ts'
import { cityIn, type MarketPack, oncePerPack } from '../packs/pack.ts'
import { assumptionText, type DefaultAssumption, type NamedAssumption } from './assumption.ts'
import { termReplacing } from './replaced-assumptions.ts'

export type AssumptionName = keyof typeof table
export type Assumptions = Readonly<Record<AssumptionName, number>>

export type FlipAssumptionName = keyof typeof flipTable

/** The defaults, used wherever a pack gives no value of its own. */
export const assumptionTable = table as unknown as Readonly<
  Record<AssumptionName, NamedAssumption & { local?: boolean }>
>
export const flipAssumptionTable = flipTable as unknown as Readonly<Record<FlipAssumptionName, NamedAssumption>>

export const assumptionNames = keysOf(table)

/** Prices and terms that differ from place to place. The others are settings of the method. */
export const localAssumptions = assumptionNames.filter((name) => assumptionTable[name].local)

export type MarketAssumptions = Pick<AssumptionsFile, 'assumptions' | 'flip' | 'condition' | 'permitDays'>

/** The part of a pack that these functions read; undefined for a market without a pack, which has the defaults. */
type Pack = Pick<MarketPack, 'assumptions'> | undefined

const assumptionsByCity = oncePerPack((_pack) => new Map<string, Assumptions>())

/** City by name or slug. A city that is not known gets the values of the market. */
export function assumptionsFor(pack: MarketPack | undefined, city: string): Assumptions {
  if (!pack) return defaultAssumptions
  const slug = cityIn(pack, city)?.slug ?? ''
  const known = assumptionsByCity(pack)
  const before = known.get(slug)
  if (before) return before
  const values = assumptionsOf(pack, slug)
  known.set(slug, values)
  return values
}

const assumptionsOf = (pack: Pack, slug: string): Assumptions => {
  const own = pack?.assumptions.assumptions
  return tableOf(
    assumptionNames,
    (name) => own?.[name]?.byCity?.[slug] ?? own?.[name]?.value ?? assumptionTable[name].value,
  )
}

const defaultAssumptions = assumptionsOf(undefined, '')

/** Whether the pack of a market gives no value, so that the default is used. Every mark of a default follows from this function. */
export const isDefault = (pack: Pack, name: AssumptionName | FlipAssumptionName): boolean =>
  marketAssumption(pack, name) === undefined

/** The pack's own value of an assumption with its reason and source; undefined if it has none. */
export const marketAssumption = (pack: Pack, name: AssumptionName | FlipAssumptionName) =>
  (name in flipAssumptionTable ? pack?.assumptions.flip : pack?.assumptions.assumptions)?.[name]

/** Published days from application to permit in a city, and on whose word. */
export const publishedPermitDays = (pack: Pack, slug: string): { days: number; basis: string } | undefined => {
  const { byCity, basis = '' } = pack?.assumptions.permitDays ?? {}
  return byCity?.[slug] === undefined ? undefined : { days: byCity[slug], basis }
}

/** The local assumptions of the pro forma for which a market has no value of its own. */
export const defaultedAssumptions = (pack: Pack): readonly AssumptionName[] =>
  localAssumptions.filter((name) => isDefault(pack, name))

/** The same, with the assumptions of a flip. */
export const allDefaultedAssumptions = (pack: Pack): readonly string[] => [
  ...defaultedAssumptions(pack),
  ...keysOf(flipAssumptionTable).filter((name) => isDefault(pack, name)),
]

export const flipAssumptionFor = (pack: Pack, name: FlipAssumptionName): number =>
  marketAssumption(pack, name)?.value ?? flipAssumptionTable[name].value

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
