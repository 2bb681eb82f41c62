// Demolition rate of a city relative to its market: some cities rebuild often, their neighbors do not.
import type { Rebuild } from '../store/assessments/market-facts.ts'

/** Shrinkage: this many demolitions at the market's rate are added, so that a city with few does not get an extreme rate. */
const shrinkDemolitions = 3

export const cityDemolitionRates = (rebuilds: readonly Rebuild[], homes: ReadonlyMap<string, number>) => {
  const demolitions = rebuilds.filter(({ permitClass }) => permitClass === 'whole_house_demolition')
  const byCity = Map.groupBy(demolitions, ({ citySlug }) => citySlug)
  const allHomes = [...homes.values()].reduce((sum, count) => sum + count, 0)
  return {
    /** 2 means twice the market's rate. `during` limits the permits to `from` (inclusive) and `until` (exclusive). */
    of: (citySlug: string, during?: { from: string; until: string }, ownId?: string) => {
      const homeCount = homes.get(citySlug)
      const within = (each: Rebuild) =>
        each.propertyId !== ownId && (!during || (each.issuedOn >= during.from && each.issuedOn < during.until))
      const all = during ? demolitions.filter(within).length : demolitions.length
      if (!homeCount || all === 0) return undefined
      const expected = (all * homeCount) / allHomes
      const seen = (byCity.get(citySlug) ?? []).filter(within).length
      return Math.round((100 * (seen + shrinkDemolitions)) / (expected + shrinkDemolitions)) / 100
    },
  }
}
