// The historic-charm score of a house, 0-100: it describes age, location, historic status, listing language and fireplaces.
// It does not affect prices. Computed in markets whose pack names their historic towns.

import type { Confidence, ListingFacts, Overlays, ParcelFacts } from '../../domain/facts.ts'
import type { Finding, ScorePart } from '../../domain/findings/findings.ts'
import type { Charm } from '../../domain/packs/market-pack.ts'
import { plural } from '../scores/number-format.ts'
import { scorePart } from '../scores/score-part.ts'
import { type Phrase, scanPhrases } from './phrase-scan.ts'

export type CharmFacts = Pick<ParcelFacts, 'yearBuilt' | 'fireplaces' | 'lat' | 'lng' | 'zoning'> &
  Pick<ListingFacts, 'remarks'> &
  Pick<Overlays, 'historicContributing'>

export const charmInputs = [
  'yearBuilt',
  'remarks',
  'fireplaces',
  'lat',
  'lng',
  'zoning',
  'historicContributing',
] as const satisfies readonly (keyof CharmFacts)[]

/** Maximum points of each part; together 100. Three periods of old seaports: before 1850, 1850-1900, 1900-1930. */
export const charmPoints = { age: 35, location: 20, contributing: 15, words: 20, fireplaces: 10 } as const

/** `old` names the historic towns and districts of the market. */
export const historicCharm = (facts: CharmFacts, old: Charm): Finding => {
  const known = (input: (typeof charmInputs)[number]) => facts[input] !== undefined && facts[input] !== 'unknown'
  const used = charmInputs.filter(known)
  const missing = charmInputs.filter((input) => !known(input))
  if (facts.yearBuilt === undefined && !facts.remarks?.trim()) return { parts: [], used, missing, confidence: 'low' }
  const parts: ScorePart[] = [
    agePart(facts),
    locationPart(facts, old),
    contributingPart(facts),
    ...wordParts(facts),
    fireplacePart(facts),
  ].filter((part) => part !== undefined)
  const sum = parts.reduce((total, part) => total + part.points, 0)
  if (sum < 0) parts.push({ name: 'floor', points: -sum, because: 'The score has a minimum of 0' })
  const confidence: Confidence =
    used.length >= 6 ? 'high' : facts.yearBuilt !== undefined && facts.remarks ? 'medium' : 'low'
  return { score: Math.max(0, sum), parts, used, missing, confidence }
}

/** `texts` are separated by commas. */
const weighted = (weight: number, texts: string) => texts.split(/,\s+/).map((text) => ({ text, weight }))

const antiqueWords: readonly (Phrase & { weight: number })[] = [
  ...weighted(
    1,
    `antique, whaling captain, whaling captain's, sea captain, sea captain's, 12 over 12, roof walk, widows walk,
    widow's walk, greek revival, federal style, quaker, lean to house, preservation easement,
    preservation restriction`,
  ),
  ...weighted(
    0.8,
    `wide plank, wide board, wide pine, period details, period detail, rose covered, original fireplaces,
    exposed beams, hand hewn`,
  ),
  ...weighted(
    0.4,
    `cedar shingle, cedar shingled, cobblestone, gabled, old historic district, walled garden, fireplaces,
    historic charm, historic`,
  ),
]

const newWords: readonly Phrase[] = ['new construction', 'newly built', 'brand new', 'newly constructed'].map(
  (text) => ({ text }),
)

const agePart = ({ yearBuilt }: CharmFacts): ScorePart | undefined => {
  if (yearBuilt === undefined) return undefined
  const most = charmPoints.age
  const share = yearBuilt < 1850 ? 1 : yearBuilt < 1900 ? 0.75 : yearBuilt <= 1930 ? 0.45 : yearBuilt < 1950 ? 0.15 : 0
  return { name: 'age', points: most * share, because: `Built in ${yearBuilt}` }
}

const locationPart = (facts: CharmFacts, old: Charm): ScorePart | undefined => {
  const most = charmPoints.location
  const district = facts.zoning?.toUpperCase().replace(/[^A-Z]/g, '')
  if (district && old.districts.includes(district))
    return { name: 'location', points: most, because: `In the ${facts.zoning} historic zoning district` }
  if (facts.lat === undefined || facts.lng === undefined || old.towns.length === 0) return undefined
  const towns = old.towns.map((town) => ({ ...town, distanceM: distanceM(facts.lat!, facts.lng!, town.lat, town.lng) }))
  const nearest = towns.reduce((a, b) => (b.distanceM / b.fadeM < a.distanceM / a.fadeM ? b : a))
  return scorePart(
    'location',
    most * Math.exp(-((nearest.distanceM / nearest.fadeM) ** 2)),
    `${(nearest.distanceM / metersPerMile).toFixed(1)} miles from ${nearest.name}`,
  )
}

const contributingPart = ({ historicContributing }: CharmFacts): ScorePart | undefined =>
  historicContributing === 'yes'
    ? scorePart('contributing', charmPoints.contributing, 'A contributing building in the historic district')
    : historicContributing === 'no'
      ? { name: 'contributing', points: 0, because: 'Not a contributing building' }
      : undefined

const wordParts = ({ remarks }: CharmFacts): ScorePart[] => {
  if (!remarks) return []
  const weightByWord = new Map(
    scanPhrases(remarks, antiqueWords)
      .filter((hit) => hit.scope === 'applies')
      .map((hit) => [hit.phrase.text, hit.phrase.weight]),
  )
  const weight = [...weightByWord.values()].reduce((sum, one) => sum + one, 0)
  const parts: ScorePart[] = []
  // The points saturate: a third antique phrase adds less than the first.
  if (weight > 0)
    parts.push(
      scorePart(
        'description',
        charmPoints.words * (1 - Math.exp(-weight / 1.2)),
        `The listing mentions ${[...weightByWord.keys()].map((text) => `“${text}”`).join(', ')}`,
      ),
    )
  const modern = scanPhrases(remarks, newWords).find((hit) => hit.scope === 'applies')
  if (modern) parts.push({ name: 'newness', points: -15, because: `The listing mentions “${modern.phrase.text}”` })
  return parts
}

const fireplacePart = ({ fireplaces }: CharmFacts): ScorePart | undefined => {
  if (fireplaces === undefined) return undefined
  const share = fireplaces >= 4 ? 1 : fireplaces >= 2 ? 0.6 : 0
  return scorePart('fireplaces', charmPoints.fireplaces * share, plural(fireplaces, 'fireplace'))
}

const metersPerMile = 1609.344

/** Planar distance, accurate enough over an island. */
const distanceM = (lat: number, lng: number, toLat: number, toLng: number): number => {
  const north = (toLat - lat) * 111_320
  const east = (toLng - lng) * 111_320 * Math.cos((lat * Math.PI) / 180)
  return Math.hypot(north, east)
}
