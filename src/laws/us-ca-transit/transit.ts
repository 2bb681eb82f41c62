// Buildings near transit: Gov. Code 65912.155-65912.162 (SB 79), from July 1, 2026. Cities may exempt sites or adopt a plan of their
// own: what they decided is a dated fact of the pack, and an ordinance that was not read leaves the answer unknown. Not legal advice.

import { distanceMi } from '../../domain/distance.ts'
import type { UseFinding } from '../../domain/findings/laws.ts'
import {
  fail,
  overlayOf,
  pass,
  type RuleAnswer,
  rulesOf,
  traceOf,
  unknownFact,
  warn,
} from '../../intelligence/rules/rule.ts'
import { decimal } from '../../intelligence/scores/number-format.ts'
import type { LawFacts, LawOf, Traced } from '../law.ts'
import { lawfulUse, useFinding } from '../lawful-use.ts'
import { hadTenant, replacementInCalifornia } from '../rented-homes.ts'
import { acreSqft, isInState, isOnOwnLot, needsCoastalPermit, zoneUse } from '../site-tests.ts'

const limits = {
  leastHomes: 5,
  leastPerAcre: 30,
  averageUnitSqft: 1750,
  /** Above this number a share of the homes is for lower incomes. */
  marketHomes: 10,
  /** Above this height labor rules apply. */
  laborFt: 85,
  rentControlled: 2,
} as const

type Facts = LawFacts & {
  station: ReturnType<typeof bestStation>
  homes: number | undefined
  least: number | undefined
}

const noStation = 'Does not apply: no station is known within half a mile.'

const stationTest = (facts: Facts): RuleAnswer => {
  const { station, city, overlays } = facts
  if (station) {
    const value = `${decimal(Math.round(station.feet / 50) * 50)} ft`
    return pass(`About ${value} from ${station.name}, tier ${station.tier}.`, value)
  }
  const [near] = stopsWithin(facts)
  if (near) return fail(`${near.name} has no daily service.`, near.name)
  const value = overlayOf(overlays, 'transitHalfMile')
  if (value === 'no' || facts.stations || (facts.transitStops && facts.lat !== undefined && value === 'unknown'))
    return fail(`No station on record within half a mile${city ? ` in or near ${city.name}` : ''}.`, 'no')
  return unknownFact('Which station is near, and how far it is, is unknown.', value)
}

const { absolute, obligation } = rulesOf<Facts>('use')

const rules = [
  absolute(
    'NOT_IN_STATE: The parcel is in California',
    'Gov. Code 65912.155',
    { confidence: 'high' },
    isInState('CA', 'SB 79'),
  ),
  absolute(
    'NOT_IN_FORCE: SB 79 is in force',
    'SB 79 (2025)',
    { confidence: 'high', effectiveUntil: '2026-07-01' },
    fail('SB 79 takes effect on July 1, 2026.'),
  ),
  absolute('INCORPORATED: Inside a city', 'Gov. Code 65912.157; regional map method of April 2026', ({ city }) => {
    if (!city) return unknownFact('The city is unknown.')
    return city.incorporated ? pass(`In ${city.name}.`, city.name) : fail('Not on unincorporated land.', city.name)
  }),
  absolute('NO_OWN_LOT: The land is a lot of its own', 'Gov. Code 65912.157', isOnOwnLot),
  absolute('ZONE: Zoned for homes, mixed use or business', 'Gov. Code 65912.157(a)', (facts) => {
    const value = facts.district?.codes[0] ?? facts.zoning ?? 'unknown'
    return zoneUse(facts) === 'single' || zoneUse(facts) === 'multi'
      ? pass(`${value} allows homes.`, value)
      : unknownFact(`It is unknown what ${facts.zoning ?? 'the zoning'} allows.`, value)
  }),
  absolute('STATION: A station with daily service within half a mile', 'Gov. Code 65912.156', stationTest),
  absolute('ENTRANCE: Distance to the entrance of the station', 'Gov. Code 65912.156', ({ station }) =>
    station
      ? unknownFact('Measured to the station on the map; the law measures to its nearest entrance.')
      : pass(noStation),
  ),
  absolute('POPULATION: Beyond a quarter mile, a city of 35,000', 'Gov. Code 65912.157(a)', ({ station, city }) => {
    if (!station) return pass(noStation)
    if (station.ring < 2) return pass('Within a quarter mile.')
    if (city?.population === undefined) return unknownFact('The population of the city is unknown.')
    const value = decimal(city.population)
    return city.population >= largeCity
      ? pass(`${city.name} has at least 35,000 people.`, value)
      : unknownFact(
          `Beyond a quarter mile in a city under 35,000 people the law sets no standards, and whether the use stays allowed is disputed.`,
          value,
        )
  }),
  absolute(
    'LEAST_HOMES: At least five homes and 30 per acre',
    'Gov. Code 65912.157(b)',
    ({ station, homes, least }) => {
      if (!station) return pass(noStation)
      if (homes === undefined || least === undefined) return unknownFact('The lot size is unknown.')
      const value = `${homes} homes`
      return homes >= least
        ? pass(`At least ${least} and at most ${homes} homes.`, value)
        : fail(`The lot holds ${homes} homes, and at least ${least} are required.`, value)
    },
  ),
  absolute('LOCAL_ORDINANCE: What the city has decided', 'Gov. Code 65912.161', ({ cityFacts, city, overlays }) => {
    const fact = cityFacts?.transitOrdinance
    const where = city?.name ?? 'the city'
    if (!fact) return unknownFact(`The local ordinance of ${where} was not checked.`)
    const { standards, exempt = [] } = fact.value
    const from = `${fact.source} (${fact.asOf})`
    if (standards === 'unread') return unknownFact(`${where} has standards of its own that were not read: ${from}.`)
    if (exempt.some((name) => overlays[name] === 'yes'))
      return fail(`${where} has exempted such sites: ${from}.`, 'exempt')
    if (exempt.some((name) => overlayOf(overlays, name) === 'unknown'))
      return unknownFact(`Whether the site is of a kind that ${where} has exempted is unknown: ${from}.`)
    return pass(
      standards === 'local'
        ? `The standards of ${where} apply: ${from}.`
        : `The standards of the state apply: ${from}.`,
      standards,
    )
  }),
  absolute(
    'RENT_CONTROLLED: At most two rent-controlled homes are demolished',
    'Gov. Code 65912.157(e)',
    { confidence: 'low' },
    ({ overlays, units, propertyType }) => {
      const value = overlayOf(overlays, 'rentControlled')
      if (
        value === 'no' ||
        propertyType === 'single_family' ||
        propertyType === 'land' ||
        (units ?? 99) <= limits.rentControlled
      )
        return pass('At most two rent-controlled homes stand there.', value)
      return value === 'yes' && units !== undefined
        ? fail(`${units} rent-controlled homes stand there, if tenants lived in them in the last seven years.`, value)
        : unknownFact('It is unknown how many rent-controlled homes stand there.', value)
    },
  ),
  obligation(
    'AFFORDABLE_SHARE: Homes for lower incomes above ten homes',
    'Gov. Code 65912.157(f)',
    ({ homes = 0, station }) => {
      const labor = (station?.heightFt ?? 0) > limits.laborFt ? ' Above 85 ft labor rules apply.' : ''
      return homes > limits.marketHomes
        ? warn(
            `Above ten homes 7% are for extremely low, 10% for very low or 13% for low incomes, or the city’s share if higher.${labor}`,
            `${homes} homes`,
          )
        : pass(`None up to ten homes.${labor}`)
    },
  ),
  obligation(
    'PATH: How it is approved',
    'Gov. Code 65913.4; PRC 21080.66 (AB 130), PRC 21080.1 (SB 131)',
    warn(
      'The law has no path of approval of its own: without a hearing if the project meets Gov. Code 65913.4, else by hearings. AB 130 may exempt it from environmental review.',
    ),
  ),
  obligation(
    'REPLACEMENT: Replacement of homes let to lower incomes',
    replacementInCalifornia.citation,
    { confidence: 'low' },
    ({ overlays }) =>
      hadTenant(overlays)
        ? warn(replacementInCalifornia.text)
        : unknownFact('It is unknown whether a lower-income household lived there in the last five years.'),
  ),
  obligation('COASTAL_PERMIT: Coastal development permit', 'Coastal Act', needsCoastalPermit),
]

const transit = (parcel: LawFacts, on: string): Traced<UseFinding> => {
  const station = bestStation(parcel)
  const { lotSqft, cityFacts } = parcel
  // A plan of the city sets floor area instead of density: the homes are then those of the largest average size.
  const local = cityFacts?.transitOrdinance?.value.floorAreaRatios?.[station?.ring ?? 0]
  const floorAreaSqft = station && lotSqft !== undefined ? Math.floor((local ?? station.ratio) * lotSqft) : undefined
  const homes =
    local && floorAreaSqft !== undefined ? Math.floor(floorAreaSqft / limits.averageUnitSqft) : station?.homes
  const least =
    lotSqft === undefined
      ? undefined
      : Math.max(limits.leastHomes, Math.ceil((limits.leastPerAcre * lotSqft) / acreSqft))
  const trace = traceOf(rules, { ...parcel, station, homes, least }, on)
  // Where the law may set no standards at all, no homes are shown.
  const disputed = trace.some(({ code, outcome }) => code === 'POPULATION' && outcome === 'unknown')
  const use = lawfulUse(trace, {
    ...{
      scheme: 'transit',
      approval: 'unknown',
      decidedBy: 'city staff or commission, by the path that the project meets',
    },
    ...(disputed || !station
      ? {}
      : {
          homes,
          leastHomes: least,
          sizes: {
            ...{ averageUnitSqft: limits.averageUnitSqft, floorAreaSqft },
            heightFt: local === undefined ? station.heightFt : undefined,
          },
        }),
    decisive: ['STATION', 'POPULATION', 'LEAST_HOMES', 'LOCAL_ORDINANCE', 'ZONE'],
  })
  return useFinding(trace, [use])
}

export const usCaTransit: LawOf<'transit'> = {
  id: 'us-ca-transit',
  state: 'CA',
  leads: 'transit',
  title: 'Buildings near transit (SB 79)',
  asOf: '2026-11-17',
  url: 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=GOV&sectionNum=65912.157',
  since: '2026-07-01',
  assess: transit,
}

// The station that decides what the transit law allows on a parcel: its tier, the distance to it and the size of the city.
// Gov. Code 65912.157, and the regional map method of April 2026.
const feetPerMile = 5280
/** Beyond a quarter mile the law sets standards only in a city of this size. */
const largeCity = 35_000

/** Height in feet, homes per acre and floor-area ratio, by tier. */
const rings = [
  { toFt: 200, 1: [95, 160, 4.5], 2: [85, 140, 4] },
  { toFt: feetPerMile / 4, 1: [75, 120, 3.5], 2: [65, 100, 3] },
  { toFt: feetPerMile / 2, 1: [65, 100, 3], 2: [55, 80, 2.5] },
] as const

type Stop = NonNullable<LawFacts['transitStops']>[number]

/** Nearest first. The law measures from the edge of the lot, which is estimated as that of a square. */
const stopsWithin = (facts: LawFacts): (Pick<Stop, 'name' | 'tier'> & { feet: number })[] => {
  const { transitStops = [], lat, lng, lotSqft = 0, stations } = facts
  // A map of stations is newer than the pack and measures from the edge of the lot.
  if (stations) return [...stations]
  if (lat === undefined || lng === undefined) return []
  return transitStops
    .map((stop) => ({
      ...stop,
      feet: Math.max(0, distanceMi({ lat, lng }, stop) * feetPerMile - Math.sqrt(lotSqft) / 2),
    }))
    .filter(({ feet }) => feet <= feetPerMile / 2)
    .toSorted((a, b) => a.feet - b.feet)
}

/** The station with daily service that allows the most homes per acre. */
const bestStation = (facts: LawFacts) =>
  stopsWithin(facts)
    .flatMap(({ name, tier, feet }) => {
      const ring = rings.findIndex(({ toFt }) => feet <= toFt) as 0 | 1 | 2
      if (tier === undefined) return []
      const [heightFt, perAcre, ratio] = rings[ring][tier]
      /** By density. */
      const homes = facts.lotSqft === undefined ? undefined : Math.floor((facts.lotSqft / acreSqft) * perAcre)
      return [{ name, tier, feet, ring, heightFt, perAcre, ratio, homes }]
    })
    .toSorted((a, b) => b.perAcre - a.perAcre)[0]
