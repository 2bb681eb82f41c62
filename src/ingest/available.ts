// The public feeds that ship with Lotline, switched off: source files with a `feed` block in packs/<market>/sources and in
// sources/available.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceConfig } from '../domain/packs/source-config.ts'
import { type BrokenSource, type ConfiguredSource, readSourceFolder } from './config.ts'

export interface AvailableFeed extends Omit<NonNullable<SourceConfig['feed']>, 'expect' | 'about'> {
  /** Undefined if the rows belong to the market of their city. */
  market: string | undefined
  license: string
  sources: ConfiguredSource[]
}

const root = join(import.meta.dirname, '../..')

/** `packFolders` hold further packs. */
export const feedFolders = async (packFolders: readonly string[] = []): Promise<string[]> => {
  const packs = [join(root, 'packs'), ...packFolders]
  const found = await Promise.all(
    packs.map(async (folder) => (await readdir(folder).catch(() => [])).map((pack) => join(folder, pack, 'sources'))),
  )
  return [...found.flat(), join(root, 'sources/available')]
}

/** `broken` are the files that cannot be used. */
export const availableFeeds = async (folders: readonly string[]) => {
  const feeds = new Map<string, AvailableFeed>()
  const allBroken: BrokenSource[] = []
  for (const folder of folders) {
    const { sources, broken } = await readSourceFolder(folder)
    allBroken.push(...broken)
    for (const source of sources) {
      const { feed, market, licence = 'not stated' } = source.config
      if (!feed) continue
      const { id, confidence, asOf } = feed
      const held = feeds.get(id) ?? { id, confidence, asOf, market, license: licence, sources: [] }
      held.sources.push(source)
      feeds.set(id, held)
    }
  }
  // Parcels first: sales and permits are matched to them.
  for (const { sources } of feeds.values())
    sources.sort((a, b) => order.indexOf(a.config.holds) - order.indexOf(b.config.holds))
  return { feeds: [...feeds.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), broken: allBroken }
}
const order: readonly string[] = ['parcels', 'sales', 'listings', 'permits', 'rents', 'layer']
