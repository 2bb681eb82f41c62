// How often houses of a city are demolished, against the whole market: some towns rebuild, their neighbors do not.
import type { Rebuild } from '../store/assessments/market-facts.ts'

export interface CityPaces {
  /** 2 is twice as often as in the market; `during` narrows to permits from a day to before another. */
  of(citySlug: string, during?: { from: string; until: string }, ownId?: string): number | undefined
}

/** So many demolitions, spread as the market's are, stand beside a city's own: few of them prove little. */
const shrinkDemolitions = 3

export const cityPaces = (rebuilds: readonly Rebuild[], homes: ReadonlyMap<string, number>): CityPaces => {
  const demolitions = rebuilds.filter(({ permitClass }) => permitClass === 'whole_house_demolition')
  const byCity = Map.groupBy(demolitions, ({ citySlug }) => citySlug)
  const allHomes = [...homes.values()].reduce((sum, count) => sum + count, 0)
  return {
    of: (citySlug, during, ownId) => {
      const held = homes.get(citySlug)
      const within = (each: Rebuild) =>
        each.propertyId !== ownId && (!during || (each.issuedOn >= during.from && each.issuedOn < during.until))
      const all = during ? demolitions.filter(within).length : demolitions.length
      if (!held || all === 0) return undefined
      const expected = (all * held) / allHomes
      const seen = (byCity.get(citySlug) ?? []).filter(within).length
      return Math.round((100 * (seen + shrinkDemolitions)) / (expected + shrinkDemolitions)) / 100
    },
  }
}
