// Grades listing photos that have no grade yet with the configured vision model. Opt-in; stops at the spend cap, which
// applies to all markets together.
import type { MarketId } from '../domain/facts.ts'
import type { Vision } from '../sources/vision.ts'
import { loadPhotos, type PhotoLimits } from '../sources/vision-photos.ts'
import { saveGrade, ungradedListings } from '../store/assessments/vision-cache.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import { groupOf } from '../store/engine/shard-groups.ts'

export type PhotoRuns = Partial<Record<MarketId, Awaited<ReturnType<typeof gradeMarketPhotos>>>>

export const gradePhotos = async (
  db: Db,
  markets: readonly MarketId[],
  vision: Vision,
  onProgress: (market: MarketId, done: number, total: number) => void = () => {},
  limits: PhotoLimits = {},
): Promise<PhotoRuns> => {
  const runs: PhotoRuns = {}
  for (const market of markets)
    runs[market] = await gradeMarketPhotos(db, market, vision, (done, total) => onProgress(market, done, total), limits)
  return runs
}

const gradeMarketPhotos = async (
  from: Db,
  market: MarketId,
  vision: Vision,
  onProgress: (done: number, total: number) => void,
  limits: PhotoLimits,
) => {
  const db = groupOf(from, market)
  const before = vision.spent()
  const listings = await ungradedListings(db, market)
  /** `capped`: listings left for another run because the cap was reached. */
  const run = { listings: listings.length, graded: 0, fromCache: 0, failed: 0, capped: 0, spentUsd: 0 }
  for (const [at, listing] of listings.entries()) {
    const { photos } = await loadPhotos(listing.photoUrls, limits)
    const outcome = await vision.analyze(photos)
    if (outcome.kind === 'capped') {
      run.capped = listings.length - at
      break
    }
    if (outcome.kind === 'analyzed') {
      await inTransaction(db, (tx) => saveGrade(tx, market, listing, outcome.result))
      run.graded++
      if (outcome.cached) run.fromCache++
    } else run.failed++
    onProgress(at + 1, listings.length)
  }
  run.spentUsd = Math.round((vision.spent() - before) * 1e4) / 1e4
  return run
}
