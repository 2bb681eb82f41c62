// Runs the worked examples of a pack.
import type { MarketPack } from '../domain/packs/pack.ts'
import { vectorDifferences } from '../laws/check-vectors.ts'
import { readVectors } from './load-pack.ts'
import type { BrokenPack } from './read-file.ts'

/** One error for each example that gives another result, with its line. */
export const failedVectors = (pack: MarketPack): { count: number; failed: BrokenPack[] } => {
  const { dir, cities } = pack
  const { vectors, error } = readVectors(dir, new Set(cities.map(({ slug }) => slug))) ?? { vectors: [] }
  const failed = vectors.flatMap((vector, at) =>
    vectorDifferences(pack, vector).map((text) => error!(['vectors', at, 'name'], `${vector.name}: ${text}`)),
  )
  return { count: vectors.length, failed }
}
