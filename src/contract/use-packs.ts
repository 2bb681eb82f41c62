// The loaded market packs in the form the program uses, and the function that activates them.
import { setApnForms } from './address.ts'
import { type MarketAssumptions, setAssumptions } from './assumptions.ts'
import type { MarketId } from './facts.ts'
import type { ApnForm } from './market-pack.ts'
import { type City, type Market, setMarkets } from './markets.ts'
import type { District } from './zoning.ts'
import { setDistricts } from './zoning-tables.ts'

export interface MarketPack {
  /** The pack's folder. */
  dir: string
  market: Market
  cities: readonly City[]
  districts: readonly District[]
  assumptions: MarketAssumptions
}

export let packs: readonly MarketPack[] = []

export const packOf = (market: MarketId): MarketPack | undefined => packs.find((pack) => pack.market.id === market)

/** Called once at the start of a process, and by tests. */
export const usePacks = (loaded: readonly MarketPack[]): void => {
  packs = loaded
  setMarkets(loaded)
  setDistricts(loaded.flatMap(({ districts }) => districts))
  setAssumptions(new Map(loaded.map(({ market, assumptions }) => [market.id, assumptions])))
  setApnForms(loaded.flatMap(({ market }) => market.apn.map((form): [string, ApnForm] => [market.state, form])))
}
