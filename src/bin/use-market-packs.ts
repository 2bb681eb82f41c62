// Loads the market packs of this process: those of the program and those of PACKS_DIR. Called before anything asks for a market.
import { packFolders } from '../config.ts'
import { usePacks } from '../domain/packs/use-packs.ts'
import { laws } from '../laws/list.ts'
import { failedVectors } from '../packs/failed-vectors.ts'
import type { PackCapabilities } from '../packs/load-pack.ts'
import { builtInPacks, type LoadedPacks, loadPacks } from '../packs/load-packs.ts'

export const packCapabilities: PackCapabilities = {
  laws: new Map(laws.map(({ id, state }) => [id, state])),
}

/** A pack whose worked examples give other results is left out like one with a mistake in a file: its numbers are not those that its author checked. */
export const useMarketPacks = (folders: readonly string[] = packFolders()): LoadedPacks => {
  const loaded = loadPacks([builtInPacks, ...folders], packCapabilities)
  usePacks(loaded.packs, loaded.problems)
  const wrong = new Map(loaded.packs.map((pack) => [pack, failedVectors(pack).failed[0]]))
  const problems = [...wrong].flatMap(([{ dir }, broken]) =>
    broken ? [{ pack: dir, file: broken.file, line: broken.line, reason: broken.reason }] : [],
  )
  if (problems.length === 0) return loaded
  const checked = {
    packs: loaded.packs.filter((pack) => !wrong.get(pack)),
    problems: [...loaded.problems, ...problems],
  }
  usePacks(checked.packs, checked.problems)
  return checked
}
