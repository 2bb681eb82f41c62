// How much of what would be torn down preservation lets go.

import type { TeardownFacts } from './teardown-facts.ts'

export interface DemolitionCeiling {
  /** Share of wanted demolitions that would be allowed. */
  readonly share: number
  readonly because: string
}

/**
 * What preservation lets through. On Nantucket no building may be razed without the commission's permit (Nantucket
 * code ch. 124): the shares are assumptions by age and standing, to be fitted once votes are recorded.
 */
export const demolitionShares = {
  listed: {
    value: 0.05,
    range: [0, 0.2],
    reason: 'a listed building is demolished only after failing every alternative',
  },
  contributing: {
    value: 0.1,
    range: [0.05, 0.2],
    reason: 'the commission keeps contributing buildings, at most moving them',
  },
  islandBefore1900: { value: 0.1, range: [0.05, 0.2], reason: 'treated as contributing' },
  islandBefore1945: { value: 0.4, range: [0.3, 0.6], reason: 'votes are split' },
  islandBefore1975: { value: 0.65, range: [0.5, 0.8], reason: 'some mid-century houses are judged significant' },
  islandLater: { value: 0.9, range: [0.8, 1], reason: 'move-off or demolition is usually granted' },
  islandUnknown: { value: 0.5, range: [0.1, 0.9], reason: 'year built not known' },
} as const

export const demolitionCeiling = (facts: TeardownFacts): DemolitionCeiling | undefined => {
  const pick = (key: keyof typeof demolitionShares, who: string): DemolitionCeiling => ({
    share: demolitionShares[key].value,
    because: `${who}: about ${Math.round(100 * demolitionShares[key].value)} % of wanted demolitions would be allowed`,
  })
  if (facts.historicListed === 'yes') return pick('listed', 'Listed as historic')
  if (facts.historicContributing === 'yes') return pick('contributing', 'Contributes to a historic district')
  if (facts.market !== 'nantucket') return undefined
  const built = facts.yearBuilt
  if (built === undefined) return pick('islandUnknown', 'Nantucket, year built not known')
  if (built < 1900) return pick('islandBefore1900', `Nantucket, built ${built}`)
  if (built < 1945) return pick('islandBefore1945', `Nantucket, built ${built}`)
  if (built < 1975) return pick('islandBefore1975', `Nantucket, built ${built}`)
  return pick('islandLater', `Nantucket, built ${built}`)
}
