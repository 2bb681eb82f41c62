// Loads every market pack of some folders. A broken pack is left out with its reason; the others load.
import { existsSync, readdirSync } from 'node:fs'
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
  for (const dir of folders.flatMap(packFolders)) {
    try {
      const pack = loadPack(dir, abilities)
      rejectDuplicates(pack, loaded.packs)
      loaded.packs.push(pack)
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

/** Throws when another market has an id, number, name or city slug of the pack. */
export const rejectDuplicates = ({ dir, market, cities }: MarketPack, others: readonly MarketPack[]): void => {
  const manifest = join(dir, 'pack.json')
  for (const other of others) {
    const same = (what: string, file = manifest) =>
      new BrokenPack(file, undefined, `${what} is already used by the market ${other.market.id}`)
    if (market.id === other.market.id) throw same(`id "${market.id}"`)
    if (market.number === other.market.number) throw same(`number ${market.number}`)
    const name = namesOf(market).find((each) => namesOf(other.market).includes(each))
    if (name !== undefined) throw same(`name or alias "${name}"`)
    if (market.default && other.market.default) throw same('default')
    const slug = cities.find((city) => other.cities.some((each) => each.slug === city.slug))?.slug
    if (slug !== undefined)
      throw same(
        `city slug "${slug}" (add the state: "${slug}-${market.state.toLowerCase()}")`,
        join(dir, 'cities.json'),
      )
  }
}

const namesOf = ({ id, name, aliases }: MarketPack['market']): string[] =>
  [id, name, ...aliases].map((each) => each.toLowerCase().replace(/[^a-z0-9]/g, ''))
