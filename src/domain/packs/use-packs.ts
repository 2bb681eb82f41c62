// The loaded market packs in the form the program uses, and the function that activates them.
import { setApnForms } from '../address/address.ts'
import type { MarketId } from '../facts.ts'
import type { ApnForm } from './market-pack.ts'
import { setMarkets } from './markets.ts'
import type { MarketPack } from './pack.ts'

/** Why a pack was not loaded. */
export interface PackProblem {
  /** The pack's folder. */
  pack: string
  file: string
  line?: number
  reason: string
}

let inUse: { packs: readonly MarketPack[]; problems: readonly PackProblem[] } = { packs: [], problems: [] }

export const packs = (): readonly MarketPack[] => inUse.packs
export const packProblems = (): readonly PackProblem[] => inUse.problems

/** "packs/springfield/cities.json:18: south must be less than north" */
export const problemText = ({ file, line, reason }: PackProblem): string =>
  `${file}${line === undefined ? '' : `:${line}`}: ${reason}`

export const packOf = (market: MarketId): MarketPack | undefined =>
  inUse.packs.find((pack) => pack.market.id === market)

/** Called once at the start of a process, and by tests. */
export const usePacks = (loaded: readonly MarketPack[], problems: readonly PackProblem[] = []): void => {
  inUse = { packs: loaded, problems }
  setMarkets(loaded)
  setApnForms(loaded.flatMap(({ market }) => market.apn.map((form): [string, ApnForm] => [market.state, form])))
}
