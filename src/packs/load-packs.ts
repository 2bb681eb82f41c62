// Loads every market pack of some folders. A broken pack is left out with its reason; the others load.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MarketPack } from '../domain/packs/pack.ts'
import type { PackProblem } from '../domain/packs/use-packs.ts'
import { loadPack, type PackCapabilities } from './load-pack.ts'
import { BrokenPack } from './read-file.ts'

/** The packs that come with the program. */
export const builtInPacks = join(import.meta.dirname, '../../packs')

export interface LoadedPacks {
  packs: MarketPack[]
  problems: PackProblem[]
}

/** Packs of an earlier folder take precedence: a later pack may not use their ids, numbers, names or city slugs. */
export const loadPacks = (folders: readonly string[], abilities: PackCapabilities): LoadedPacks => {
  const loaded: LoadedPacks = { packs: [], problems: [] }
  const unreadable = folders.filter((folder) => existsSync(folder) && !statSync(folder).isDirectory())
  loaded.problems.push(
    ...unreadable.map((folder) => ({ pack: folder, file: folder, reason: 'is not a folder of market packs' })),
  )
  for (const dir of folders.filter((folder) => !unreadable.includes(folder)).flatMap(packFolders)) {
    try {
      loaded.packs.push(loadPack(dir, abilities, loaded.packs))
    } catch (error) {
      if (!(error instanceof BrokenPack)) throw error
      const { file, line, reason, others } = error
      const more =
        others.length === 0 ? '' : `; ${others.length} more files have mistakes: run lotline pack check ${dir}`
      loaded.problems.push({ pack: dir, file, line, reason: reason + more })
    }
  }
  return loaded
}

/** The folders with a pack.json. */
const packFolders = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'schema')
        .map((entry) => join(folder, entry.name))
        .sort()
    : []
