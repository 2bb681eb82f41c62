// How large a new house on a lot usually is, from the houses lately built: so many times the ordinary home
// around it, by city, rising with how its lot compares with its neighbors'.
// The zoning says what may be built; builders say what is.

/** The ordinary home and lot around a place. */
interface Around {
  readonly livingSqft?: number
  readonly medianLotSqft?: number
}

export interface NewHouse {
  readonly citySlug: string
  readonly livingSqft: number
  readonly lotSqft: number
  readonly around: Around
}

export interface NewHouseSizes {
  /** Log size per log lot. */
  readonly elasticity: number
  readonly houses: number
  readonly of: (home: { citySlug: string; lotSqft?: number; around: Around }) => number | undefined
}

export const newHouseAssumptions = {
  elasticity: {
    value: 0.5,
    unit: 'log size per log lot',
    range: [0.2, 0.9],
    reason: 'floor-area formulas fall with the lot, so size rises about with its root',
    source: 'assumption, replaced by the market’s own new houses',
  },
  shrinkHouses: {
    value: 6,
    unit: 'houses',
    range: [2, 20],
    reason: 'how many new houses of a city outweigh the market’s level',
    source: 'assumption',
  },
  slopeWeight: {
    value: 8,
    unit: 'houses of ordinary spread',
    range: [2, 30],
    reason: 'how many houses outweigh the assumed elasticity',
    source: 'assumption',
  },
} as const

/** Fewer new houses than this say nothing. */
const enough = 8

export const fitNewHouseSizes = (given: readonly NewHouse[]): NewHouseSizes => {
  const houses = given.filter(({ livingSqft, lotSqft }) => livingSqft > 300 && lotSqft > 500)
  const { elasticity: prior, shrinkHouses, slopeWeight } = newHouseAssumptions
  if (houses.length < enough) return { elasticity: prior.value, houses: houses.length, of: () => undefined }
  const points = houses.flatMap(({ citySlug, livingSqft, lotSqft, around }) =>
    around.livingSqft && around.medianLotSqft
      ? [{ citySlug, x: Math.log(lotSqft / around.medianLotSqft), y: Math.log(livingSqft / around.livingSqft) }]
      : [],
  )
  if (points.length < enough) return { elasticity: prior.value, houses: points.length, of: () => undefined }
  const byCity = Map.groupBy(points, ({ citySlug }) => citySlug)
  // Within cities only: between them a larger lot goes with dearer land too.
  let xy = slopeWeight.value * 0.1 * prior.value
  let xx = slopeWeight.value * 0.1
  for (const own of byCity.values()) {
    const meanX = mean(own.map(({ x }) => x))
    const meanY = mean(own.map(({ y }) => y))
    for (const { x, y } of own) {
      xy += (x - meanX) * (y - meanY)
      xx += (x - meanX) ** 2
    }
  }
  const elasticity = Math.min(prior.range[1], Math.max(prior.range[0], xy / xx))
  const level = mean(points.map(({ x, y }) => y - elasticity * x))
  const levels = new Map(
    [...byCity].map(([citySlug, own]) => {
      const sum = own.reduce((total, { x, y }) => total + y - elasticity * x - level, 0)
      return [citySlug, level + sum / (own.length + shrinkHouses.value)]
    }),
  )
  return {
    elasticity,
    houses: houses.length,
    of: ({ citySlug, lotSqft, around }) =>
      lotSqft === undefined || lotSqft <= 0 || !around.livingSqft || !around.medianLotSqft
        ? undefined
        : Math.round(
            around.livingSqft *
              Math.exp((levels.get(citySlug) ?? level) + elasticity * Math.log(lotSqft / around.medianLotSqft)),
          ),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
