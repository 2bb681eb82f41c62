// Loads the market packs of this process: those of the program and those of PACKS_DIR. Called before anything asks for a market.
import { packFolders } from '../config.ts'
import { usePacks } from '../contract/use-packs.ts'
import { flipAssumptions } from '../intelligence/flippability.ts'
import { laws } from '../laws/list.ts'
import type { PackCapabilities } from '../packs/load-pack.ts'
import { builtInPacks, type LoadedPacks, loadPacks } from '../packs/load-packs.ts'

export const packCapabilities: PackCapabilities = {
  laws: new Set(laws.map(({ id }) => id)),
  flipAssumptions: new Set(Object.keys(flipAssumptions)),
}

export const useMarketPacks = (folders: readonly string[] = packFolders()): LoadedPacks => {
  const loaded = loadPacks([builtInPacks, ...folders], packCapabilities)
  usePacks(loaded.packs, loaded.problems)
  return loaded
}
