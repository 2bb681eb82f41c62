// Where all of a market is a historic district, an old house of unknown historic status is not free to be demolished.
import type { Overlays, Tristate } from '../../domain/facts.ts'
import type { Market } from '../../domain/packs/markets.ts'

/** Whether the house is listed or contributes to a historic district. Outside every district it contributes to none. */
export const historicStatus = (overlays: Overlays): Tristate => {
  const { historicListed, historicContributing, historicDistrict } = overlays
  if (historicListed === 'yes' || historicContributing === 'yes') return 'yes'
  const contributes = historicContributing === 'no' || historicDistrict === 'no' ? 'no' : 'unknown'
  return historicListed === 'no' && contributes === 'no' ? 'no' : 'unknown'
}

/** `presumed`: as old as the houses that the commission keeps. `doubtful`: decisions differ. The years are those of the market pack. */
export const historicDoubt = (
  { yearBuilt, overlays }: { yearBuilt?: number; overlays: Overlays },
  review: Market['demolitionReview'],
): 'presumed' | 'doubtful' | undefined => {
  if (!review || yearBuilt === undefined || historicStatus(overlays) !== 'unknown') return undefined
  if (yearBuilt < (review.presumedHistoricBefore ?? 0)) return 'presumed'
  return yearBuilt < (review.doubtfulBefore ?? 0) ? 'doubtful' : undefined
}
