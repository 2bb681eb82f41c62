// The market packs of the tools: those of the program and those of PACKS_DIR.
import { packCapabilities } from '../src/bin/use-market-packs.ts'
import { packFolders } from '../src/config.ts'
import { usePacks } from '../src/domain/packs/use-packs.ts'
import { builtInPacks, loadPacks } from '../src/packs/load-packs.ts'

const { packs, problems } = loadPacks([builtInPacks, ...packFolders()], { ...packCapabilities, checksSample: true })
usePacks(packs, problems)
