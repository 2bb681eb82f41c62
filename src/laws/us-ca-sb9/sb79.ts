// SB 79: what may be built near a station, by the tier of the station, the distance to it and the size of the city.
// Gov. Code 65912.155-65912.162, and the regional map method of April 2026.

import { distanceMi } from '../../domain/distance.ts'
import { overlayOf, type RuleAnswer } from '../../intelligence/rules/rule.ts'
import { decimal } from '../../intelligence/scores/number-format.ts'
import type { Sb9Facts } from './facts.ts'

const feetPerMile = 5280
const acreSqft = 43_560
/** Beyond a quarter mile only in a city of this size. */
const largeCity = 35_000

/** Height in feet and homes per acre, by tier. */
const rings = [
  { toFt: 200, 1: [95, 160], 2: [85, 140] },
  { toFt: feetPerMile / 4, 1: [75, 120], 2: [65, 100] },
  { toFt: feetPerMile / 2, 1: [65, 100], 2: [55, 80] },
] as const

export function sb79(facts: Sb9Facts): RuleAnswer {
  const { overlays, city } = facts
  if (city && !city.incorporated)
    return { outcome: 'pass', value: city.name, because: 'SB 79 does not apply on unincorporated land.' }
  const near = stopsWithin(facts)
  const answers = near
    .flatMap((stop) => (stop.tier === undefined ? [] : [{ ...stop, tier: stop.tier }]))
    .map(answerOf(facts))
  const known =
    answers.find(({ outcome }) => outcome === 'warn') ??
    answers.find(({ outcome }) => outcome === 'unknown') ??
    answers[0]
  if (known) return known
  if (near[0]) return { outcome: 'pass', value: near[0].name, because: `${near[0].name} has no daily service.` }
  const value = overlayOf(overlays, 'transitHalfMile')
  if (value === 'yes')
    return {
      outcome: 'warn',
      value,
      because:
        'Near transit: SB 79 may allow at least 5 units of 55 to 95 ft. It depends on the tier of the stop, the distance to its entrance and, beyond a quarter mile, a city of 35,000.',
    }
  return value === 'no'
    ? { outcome: 'pass', value, because: 'Not within half a mile of a transit stop.' }
    : { outcome: 'unknown', value, because: 'It is unknown whether a qualifying transit stop is within half a mile.' }
}

type Stop = NonNullable<Sb9Facts['transitStops']>[number] & { feet: number }

/** Nearest first. The law measures from the edge of the lot, which is estimated as that of a square. */
function stopsWithin({ transitStops = [], lat, lng, lotSqft = 0 }: Sb9Facts): Stop[] {
  if (lat === undefined || lng === undefined) return []
  return transitStops
    .map((stop) => ({
      ...stop,
      feet: Math.max(0, distanceMi({ lat, lng }, stop) * feetPerMile - Math.sqrt(lotSqft) / 2),
    }))
    .filter(({ feet }) => feet <= feetPerMile / 2)
    .toSorted((a, b) => a.feet - b.feet)
}

const answerOf =
  ({ city, lotSqft }: Sb9Facts) =>
  ({ name, tier, feet }: Stop & { tier: 1 | 2 }): RuleAnswer => {
    const value = `${decimal(Math.round(feet / 50) * 50)} ft`
    const where = `About ${value} from ${name}, tier ${tier}`
    if (feet > feetPerMile / 4) {
      if (city?.population === undefined)
        return { outcome: 'unknown', value, because: `${where}: the population of the city is unknown.` }
      if (city.population < largeCity)
        return {
          outcome: 'pass',
          value,
          because: `${where}: beyond a quarter mile, and ${city.name} has fewer than ${decimal(largeCity)} people.`,
        }
    }
    const [heightFt, perAcre] = rings.find(({ toFt }) => feet <= toFt)![tier]
    const most = lotSqft === undefined ? undefined : Math.floor((lotSqft / acreSqft) * perAcre)
    if (most !== undefined && most < 5)
      return { outcome: 'pass', value, because: `${where}: the lot holds fewer than the 5 units that SB 79 requires.` }
    return {
      outcome: 'warn',
      value,
      because: `${where}: SB 79 may allow ${heightFt} ft and ${perAcre} units per acre${most === undefined ? '' : ` (${most} on this lot)`}, and requires at least 5. Local exclusions are not checked.`,
    }
  }
