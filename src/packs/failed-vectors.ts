// Runs the worked examples of a pack that is in use.
import type { MarketPack } from '../contract/use-packs.ts'
import { vectorDifferences } from '../laws/check-vectors.ts'
import { readVectors } from './load-pack.ts'
import type { BrokenPack } from './read-file.ts'

/** One error for each example that gives another result, with its line. */
export const failedVectors = ({ dir, cities }: MarketPack): { count: number; failed: BrokenPack[] } => {
  const { vectors, error } = readVectors(dir, new Set(cities.map(({ slug }) => slug))) ?? { vectors: [] }
  const failed = vectors.flatMap((vector, at) =>
    vectorDifferences(vector).map((text) => error!(['vectors', at, 'name'], `${vector.name}: ${text}`)),
  )
  return { count: vectors.length, failed }
}
