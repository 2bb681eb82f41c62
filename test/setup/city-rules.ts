// The rules of a city by its name alone, whichever of the loaded packs has it.
import * as assumptions from '../../src/contract/assumptions.ts'
import { cityIn, type MarketPack } from '../../src/contract/pack.ts'
import { packs } from '../../src/contract/use-packs.ts'
import * as zoning from '../../src/contract/zoning-tables.ts'

export const packWith = (city: string): MarketPack | undefined => packs().find((pack) => cityIn(pack, city))

export const assumptionsFor = (city: string) => assumptions.assumptionsFor(packWith(city), city)

export const districtOf = (city: string, code: string | undefined) => zoning.districtOf(packWith(city), city, code)

export const districtsOf = (city: string) => zoning.districtsOf(packWith(city), city)
