// Small-lot subdivision: up to ten lots for one home each. Gov. Code 66499.41 (SB 684 from July 1, 2024; SB 1123 opens vacant
// single-family land from July 1, 2025). The number of lots follows from zoning and area. Not legal advice.

import type { UseFinding } from '../../domain/findings/laws.ts'
import { fail, overlay, overlayOf, pass, rulesOf, traceOf, unknownFact, warn } from '../../intelligence/rules/rule.ts'
import { decimal, plural, sqft } from '../../intelligence/scores/number-format.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import type { LawFacts, LawOf, Traced } from '../law.ts'
import { lawfulUse, useFinding } from '../lawful-use.ts'
import { hadTenant } from '../rented-homes.ts'
import { acreSqft, isInState, isOnOwnLot, needsCoastalPermit, zoneUse } from '../site-tests.ts'

const limits = {
  mostLots: 10,
  /** By zoning: the largest site and the smallest lot. */
  multi: { acres: 5, lotSqft: 600 },
  single: { acres: 1.5, lotSqft: 1200 },
  averageUnitSqft: 1750,
  /** Share of the state's default density that must be built where the housing element names no number. */
  leastShare: 0.66,
  /** Default density in homes per acre, Gov. Code 65583.2(c)(3)(B): cities of 25,000 people and more, and smaller ones. */
  density: { metropolitan: 30, suburban: 20, people: 25_000 },
} as const

type Facts = LawFacts
const shared = 'Gov. Code 66499.41(a)(9)'

/** Land of the law: the zoning decides which limits apply. */
const landOf = (facts: Facts) => {
  const use = zoneUse(facts)
  return use === 'multi' || use === 'single' ? { use, ...limits[use] } : undefined
}

const lotsOf = (facts: Facts): number | undefined => {
  const land = landOf(facts)
  return land && facts.lotSqft !== undefined
    ? Math.min(limits.mostLots, Math.floor(facts.lotSqft / land.lotSqft))
    : undefined
}

const leastHomes = ({ lotSqft, city }: Facts): number | undefined => {
  if (lotSqft === undefined || city?.population === undefined) return undefined
  const { metropolitan, suburban, people } = limits.density
  const perAcre = city.population >= people ? metropolitan : suburban
  return Math.ceil((limits.leastShare * perAcre * lotSqft) / acreSqft)
}

const { absolute, obligation } = rulesOf<Facts>('use')

const rules = [
  absolute(
    'NOT_IN_STATE: The parcel is in California',
    'Gov. Code 66499.41',
    { confidence: 'high' },
    isInState('CA', 'Small-lot subdivision'),
  ),
  absolute('NO_OWN_LOT: The land is a lot of its own', 'Gov. Code 66499.41(a)', isOnOwnLot),
  absolute('ZONE: Zoned for several homes, or vacant single-family land', 'Gov. Code 66499.41(a)(2)', (facts) => {
    const value = facts.district?.codes[0] ?? facts.zoning ?? 'unknown'
    const use = zoneUse(facts)
    if (use === undefined) return unknownFact('It is unknown what the zoning allows.', value)
    if (use === 'other') return unknownFact(`It is unknown whether ${value} allows homes.`, value)
    const because = use === 'multi' ? `${value} allows several homes.` : `${value} is a single-family district.`
    return pass(because, value)
  }),
  absolute('VACANT: Single-family land is vacant', 'Gov. Code 66499.41(a)(2)(B); SB 1123 (2024)', (facts) => {
    if (zoneUse(facts) === 'multi') return pass('Not required where several homes are allowed.')
    if (isVacantLot(facts)) return pass('Vacant land.', 'land')
    if (facts.livingSqft || facts.yearBuilt || facts.propertyType === 'single_family')
      return fail(
        'A house stands there. It would count as vacant only if it were abandoned and uninhabitable.',
        'house',
      )
    return unknownFact('It is unknown whether the land is vacant.')
  }),
  absolute(
    'NOT_IN_FORCE: The law covers single-family land',
    'SB 1123 (2024)',
    { confidence: 'high', effectiveUntil: '2025-07-01' },
    (facts) =>
      zoneUse(facts) === 'single'
        ? fail('Single-family land is covered from July 1, 2025.')
        : pass('Land for several homes is covered since July 1, 2024.'),
  ),
  absolute('AREA: At most five acres, 1.5 acres of single-family land', 'Gov. Code 66499.41(a)(2)-(3)', (facts) => {
    const land = landOf(facts)
    if (facts.lotSqft === undefined || !land) return unknownFact('The lot size or the zoning is unknown.')
    const value = `${decimal(Math.round((100 * facts.lotSqft) / acreSqft) / 100)} acres`
    return facts.lotSqft <= land.acres * acreSqft
      ? pass(`At most ${land.acres} acres.`, value)
      : fail(`Larger than ${land.acres} acres.`, value)
  }),
  absolute(
    'LOTS: At least two lots of 600 sq ft, 1,200 of single-family land',
    'Gov. Code 66499.41(a)(1), (a)(3)',
    (facts) => {
      const [lots, land] = [lotsOf(facts), landOf(facts)]
      if (lots === undefined || !land) return unknownFact('The lot size or the zoning is unknown.')
      return lots >= 2
        ? pass(`${lots} lots of at least ${sqft(land.lotSqft)}.`, `${lots} lots`)
        : fail(`Two lots need ${sqft(2 * land.lotSqft)}.`, `${lots}`)
    },
  ),
  absolute(
    'DENSITY: At least 66% of the default density',
    'Gov. Code 66499.41(a)(4), 65583.2(c)(3)(B)',
    { confidence: 'low' },
    (facts) => {
      const [least, lots] = [leastHomes(facts), lotsOf(facts)]
      if (least === undefined || lots === undefined)
        return unknownFact('The population of the city or the lot size is unknown.')
      const value = `${plural(least, 'home')} at least`
      return least <= lots
        ? pass(`${value}, unless the housing element names another number.`, value)
        : fail(`${least} homes are required, and at most ${lots} lots are possible.`, value)
    },
  ),
  absolute('TENANT_5Y: No tenant in the last five years', 'Gov. Code 66499.41(a)(8)', ({ overlays }) => {
    if (hadTenant(overlays)) return fail('A tenant lived there in the last five years.', 'yes')
    return overlays.tenantLast5y === 'no'
      ? pass('No tenant in the last five years.', 'no')
      : unknownFact('It is unknown whether a tenant lived there in the last five years.')
  }),
  absolute(
    'ELLIS_15Y: Withdrawn from rent in the last 15 years',
    'Gov. Code 66499.41(a)(8)',
    overlay(
      'ellisLast15y',
      'Withdrawn from the rental market in the last 15 years.',
      'No Ellis Act withdrawal in the last 15 years.',
    ),
  ),
  absolute(
    'PRIOR_SPLIT: Made by an earlier split',
    'Gov. Code 66499.41(a)(7)',
    overlay('priorSb9Split', 'The lot was made by an SB 9 split.', 'Not made by an SB 9 split.'),
  ),
  absolute('FIRE: High or very high fire hazard severity zone', shared, ({ overlays }) => {
    if ([overlays.highFire, overlays.veryHighFire].includes('yes'))
      return fail('In a high or very high fire hazard zone.', 'yes')
    return overlays.highFire === 'no' && overlays.veryHighFire === 'no'
      ? pass('Outside the high and very high fire hazard zones.', 'no')
      : unknownFact('It is unknown whether it is in a high fire hazard zone.')
  }),
  ...(
    [
      ['FARMLAND', 'farmland', 'Protected farmland', 'absolute'],
      ['WETLAND', 'wetland', 'Wetland', 'absolute'],
      ['HABITAT', 'habitat', 'Protected habitat or conservation plan', 'absolute'],
      ['CONSERVATION_EASEMENT', 'conservationEasement', 'Conservation easement', 'absolute'],
      ['HAZWASTE', 'hazardousWaste', 'Hazardous-waste site, unless cleared', 'conditional'],
      ['FLOOD', 'floodZone', 'Flood hazard area, unless built to its standards', 'conditional'],
      ['FAULT_ZONE', 'faultZone', 'Earthquake fault zone, unless built to the seismic code', 'conditional'],
    ] as const
  ).map(([code, name, title, force]) =>
    absolute(`${code}: ${title}`, shared, { force }, overlay(name, `${title}.`, 'Not on this parcel.')),
  ),
  absolute('SEWER: Public water and municipal sewer', 'Gov. Code 66499.41(a)(5)', ({ overlays }) => {
    const value = overlayOf(overlays, 'septic')
    if (value === 'unknown') return unknownFact('It is unknown whether the lot is connected to the sewer.')
    return value === 'yes'
      ? fail('On septic: a municipal sewer is required.', value)
      : pass('Connected to the sewer.', value)
  }),
  absolute(
    'URBAN_USES: Surrounded by urban uses',
    'Gov. Code 66499.41(a)(6)',
    unknownFact('What adjoins the parcel is not on record.'),
  ),
  obligation(
    'HOMES: Homes of at most 1,750 sq ft on average',
    'Gov. Code 66499.41(a)(3)',
    warn('One home on each lot, on average at most 1,750 sq ft. Existing dwellings may not be sold apart.'),
  ),
  obligation(
    'COASTAL_PERMIT: Coastal development permit',
    'Coastal Act, which the law leaves in place',
    needsCoastalPermit,
  ),
]

export const smallLots = (facts: Facts, on: string): Traced<UseFinding> => {
  const trace = traceOf(rules, facts, on)
  const lots = lotsOf(facts)
  const ratio = lots === undefined ? undefined : lots >= 8 ? 1.25 : lots >= 3 ? 1 : undefined
  const use = lawfulUse(trace, {
    ...{ scheme: 'small_lots', approval: 'ministerial', decidedBy: 'city staff, within 60 days' },
    ...{ lots, homes: lots, leastHomes: leastHomes(facts) },
    sizes: {
      averageUnitSqft: limits.averageUnitSqft,
      leastLotSqft: landOf(facts)?.lotSqft,
      // A city may not ask for less than this ratio, Gov. Code 65913.11.
      floorAreaSqft: ratio && Math.floor(ratio * facts.lotSqft!),
    },
    decisive: ['ZONE', 'LOTS', 'VACANT'],
  })
  return useFinding(trace, [use])
}

export const usCaSmallLots: LawOf<'small_lots'> = {
  id: 'us-ca-small-lots',
  state: 'CA',
  leads: 'small_lots',
  title: 'Small-lot subdivision (SB 684, SB 1123)',
  asOf: '2026-11-17',
  url: 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=GOV&sectionNum=66499.41',
  since: '2024-07-01',
  assess: smallLots,
}
