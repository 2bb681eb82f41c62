// The rules of a city by its name alone, whichever of the loaded packs has it.
import * as assumptions from '../../src/domain/assumptions/assumptions.ts'
import { cityIn, type MarketPack } from '../../src/domain/packs/pack.ts'
import { packs } from '../../src/domain/packs/use-packs.ts'
import * as zoning from '../../src/domain/packs/zoning-tables.ts'

export const packWith = (city: string): MarketPack | undefined => packs().find((pack) => cityIn(pack, city))

export const assumptionsFor = (city: string) => assumptions.assumptionsFor(packWith(city), city)

export const districtOf = (city: string, code: string | undefined) => zoning.districtOf(packWith(city), city, code)

export const districtsOf = (city: string) => zoning.districtsOf(packWith(city), city)
