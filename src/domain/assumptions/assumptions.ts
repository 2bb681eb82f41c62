// The assumptions of the pro forma and the flip: the value of the market's pack, else the default in data/assumptions.json and
// data/flip-assumptions.json.

import table from '../../../data/assumptions.json' with { type: 'json' }
import flipTable from '../../../data/flip-assumptions.json' with { type: 'json' }
import { keysOf, tableOf, valueAt } from '../../common/typed.ts'
import type { AssumptionsFile } from '../packs/market-pack.ts'
import { cityIn, type MarketPack, oncePerPack } from '../packs/pack.ts'
import { assumptionText, type DefaultAssumption, type NamedAssumption } from './assumption.ts'
import { termReplacing } from './replaced-assumptions.ts'

/** Figures that follow from other assumptions unless a caller gives them: then they are final. */
export const finalNames = [
  'costPerSqft',
  'months',
  'aduCostPerSqft',
  'aduLeastCostUsd',
  'aduConversionCostPerSqft',
] as const satisfies readonly (keyof typeof table)[]
export type FinalName = (typeof finalNames)[number]

export type AssumptionName = Exclude<keyof typeof table, FinalName>
export type Assumptions = Readonly<Record<AssumptionName, number> & Partial<Record<FinalName, number>>>

/** Names of earlier versions and what replaces them. They are accepted in stored sets, reported and not used. */
export const retiredAssumptions: Readonly<Record<string, string>> = {
  drawPct: 'Interest comes from the monthly schedule.',
  aduCapRatePct: 'Use aduNetCapRatePct, which is on income after property tax and insurance.',
  carryPctMonth: 'Financing, tax and insurance of a renovation come from the monthly schedule.',
  monthsBesidesPermit: 'Use designMonths, buildBaseMonths, buildMonthsPer1000Sqft and saleMonths.',
}

export type FlipAssumptionName = keyof typeof flipTable

/** The defaults, used wherever a pack gives no value of its own. */
export const assumptionTable = table as unknown as Readonly<
  Record<AssumptionName | FinalName, NamedAssumption & { local?: boolean }>
>
export const flipAssumptionTable = flipTable as unknown as Readonly<Record<FlipAssumptionName, NamedAssumption>>

export const isFinalName = (name: string): name is FinalName => finalNames.some((each) => each === name)

export const assumptionNames = keysOf(table).filter((name): name is AssumptionName => !isFinalName(name))

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
  return valueAt(assumptionsByCity(pack), slug, () => assumptionsOf(pack, slug))
}

const assumptionsOf = (pack: Pack, slug: string): Assumptions => {
  const valueIn = (name: AnyName): number | undefined => {
    const packValue = marketAssumption(pack, name)
    return packValue?.byCity?.[slug] ?? packValue?.value
  }
  // Costs of units that a pack gives are final, as those of a caller.
  const aduNames = finalNames.filter((name) => name.startsWith('adu') && valueIn(name) !== undefined)
  return {
    ...tableOf(assumptionNames, (name) => valueIn(name) ?? assumptionTable[name].value),
    ...tableOf(aduNames, (name) => valueIn(name)!),
  }
}

const defaultAssumptions = assumptionsOf(undefined, '')

/** Whether the pack of a market gives no value, so that the default is used. Every mark of a default follows from this function. */
export const isDefault = (pack: Pack, name: AnyName): boolean => marketAssumption(pack, name) === undefined

type AnyName = AssumptionName | FinalName | FlipAssumptionName

/** The pack's own value of an assumption with its reason and source; undefined if it has none. */
export function marketAssumption(pack: Pack, name: AnyName) {
  const { assumptions, flip } = pack?.assumptions ?? {}
  // Packs of version 3 give the base cost as `costPerSqft`, which is what it is at 2,500 sq ft.
  if (name === 'baseCostPerSqft' || name === 'costPerSqft')
    return assumptions?.baseCostPerSqft ?? assumptions?.costPerSqft
  return (name in flipAssumptionTable ? flip : assumptions)?.[name]
}

/** Published days from application to permit of new houses in a city, and on whose word. */
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
    const entry = flip ?? assumptionTable[name as AssumptionName]
    if (!entry) return []
    const { label, value, unit } = entry
    const parameter = termReplacing(name)
    const set = `Set ${flip ? 'flip' : 'assumptions'}.${name} in assumptions.json of the market pack${parameter ? `, or pass ${parameter} to the pro forma` : ''}.`
    return [{ name, label, value, unit, text: assumptionText(entry), set }]
  })
