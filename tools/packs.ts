// The market packs of the tools: those of the program and those of PACKS_DIR.
import { packFolders } from '../src/config.ts'
import { usePacks } from '../src/domain/packs/use-packs.ts'
import { laws } from '../src/laws/list.ts'
import { builtInPacks, loadPacks } from '../src/packs/load-packs.ts'

const { packs, problems } = loadPacks([builtInPacks, ...packFolders()], {
  laws: new Map(laws.map(({ id, state }) => [id, state])),
  checksSample: true,
})
usePacks(packs, problems)
