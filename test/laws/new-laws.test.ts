// Small-lot subdivision, buildings near transit, Nantucket's further dwellings and Massachusetts lot division: parcels with the result
// that follows from the text of the law.
import { describe, expect, it } from 'vitest'
import type { LawFacts } from '../../src/laws/law.ts'
import { lawById, lawsOf, missingLaws, notApplicable } from '../../src/laws/list.ts'
import { packWith } from '../setup/city-rules.ts'
import { northOf, parcelIn, vacant } from './parcels.ts'

const today = '2026-11-17'
const usesOf = (law: string, facts: LawFacts, on = today) => lawById(law)!.assess(facts, on).uses!
const resultOf = (law: string, facts: LawFacts, on = today) => {
  const [{ allowed, homes, leastHomes, lots }] = usesOf(law, facts, on) as [ReturnType<typeof usesOf>[number]]
  return [allowed, homes, leastHomes, lots]
}
const acre = 43_560

describe('small-lot subdivision', () => {
  const lot = (changes: Parameters<typeof parcelIn>[2] = {}, zoning = 'R1-C', city = 'San Mateo') =>
    parcelIn(city, zoning, changes)
  const land = (changes: Parameters<typeof parcelIn>[2] = {}) => lot({ ...vacant, ...changes })

  it.each([
    // San Mateo has 105,661 people: 66% of 30 homes per acre. 6,000 sq ft: floor(6,000 / 1,200) = 5 lots, ceil(2.73) = 3 homes.
    ['vacant single-family land of 6,000 sq ft', land(), ['likely', 5, 3, 5]],
    ['3,000 sq ft: two lots fit, and two homes are required', land({ lotSqft: 3000 }), ['likely', 2, 2, 2]],
    ['2,399 sq ft: no two lots of 1,200', land({ lotSqft: 2399 }), ['no', undefined, undefined, undefined]],
    ['half an acre: ten lots, ten required', land({ lotSqft: acre / 2 }), ['likely', 10, 10, 10]],
    [
      'one acre: 20 homes required, ten lots possible',
      land({ lotSqft: acre }),
      ['no', undefined, undefined, undefined],
    ],
    ['above 1.5 acres', land({ lotSqft: 1.5 * acre + 1 }), ['no', undefined, undefined, undefined]],
    ['a house on single-family land', lot(), ['no', undefined, undefined, undefined]],
    ['a house in a district for several homes: no vacancy test', lot({ lotSqft: 9000 }, 'R-2'), ['likely', 10, 5, 10]],
    ['four homes of 600 sq ft', lot({ lotSqft: 2400 }, 'R-3'), ['likely', 4, 2, 4]],
    ['a high fire hazard zone', land({ overlays: { highFire: 'yes' } }), ['no', undefined, undefined, undefined]],
    [
      'a very high fire hazard zone',
      land({ overlays: { veryHighFire: 'yes' } }),
      ['no', undefined, undefined, undefined],
    ],
    [
      'a tenant four years ago in a house since razed',
      land({ overlays: { tenantLast5y: 'yes' } }),
      ['no', undefined, undefined, undefined],
    ],
    [
      'a tenant two years ago',
      land({ overlays: { tenantLast3y: 'yes', tenantLast5y: 'unknown' } }),
      ['no', undefined, undefined, undefined],
    ],
    ['on septic', land({ overlays: { septic: 'yes' } }), ['no', undefined, undefined, undefined]],
    [
      'a lot made by an earlier split',
      land({ overlays: { priorSb9Split: 'yes' } }),
      ['no', undefined, undefined, undefined],
    ],
    ['farmland', land({ overlays: { farmland: 'yes' } }), ['no', undefined, undefined, undefined]],
    ['a flood zone is a condition', land({ overlays: { floodZone: 'yes' } }), ['likely', 5, 3, 5]],
    ['unknown zoning', lot({ ...vacant }, 'HR'), ['unknown', undefined, 3, undefined]],
  ])('%s', (_name, facts, expected) => {
    expect(resultOf('us-ca-small-lots', facts)).toEqual(expected)
  })

  it('covers land for several homes from July 1, 2024 and vacant single-family land from July 1, 2025', () => {
    expect(resultOf('us-ca-small-lots', land(), '2025-06-30')[0]).toBe('no')
    expect(resultOf('us-ca-small-lots', land(), '2025-07-01')[0]).toBe('likely')
    expect(resultOf('us-ca-small-lots', lot({}, 'R-2'), '2025-06-30')[0]).toBe('likely')
    expect(lawsOf(packWith('San Mateo')!.market, '2024-06-30').map(({ id }) => id)).not.toContain('us-ca-small-lots')
  })

  it('says sizes, who decides, conditions and what is unknown, each with its citation', () => {
    const [use] = usesOf('us-ca-small-lots', land({ overlays: { floodZone: 'yes', septic: 'unknown' } }))
    expect(use).toMatchObject({
      approval: 'ministerial',
      decidedBy: expect.stringContaining('60 days'),
      sizes: { averageUnitSqft: 1750, leastLotSqft: 1200, floorAreaSqft: 6000 },
    })
    expect(use!.conditions.map(({ code }) => code)).toEqual(['FLOOD', 'HOMES'])
    expect(use!.untestedRules.map(({ code }) => code)).toEqual(['SEWER', 'URBAN_USES'])
    for (const { citation } of [...use!.conditions, ...use!.untestedRules]) expect(citation).toMatch(/Gov\. Code/)
    // Eight lots and more: a ratio of 1.25.
    expect(usesOf('us-ca-small-lots', land({ lotSqft: 10_000 }))[0]!.sizes?.floorAreaSqft).toBe(12_500)
  })

  it('a small city has the lower default density', () => {
    const [, , least] = resultOf('us-ca-small-lots', parcelIn('Millbrae', 'R-1', { ...vacant, lotSqft: 12_000 }))
    expect(least).toBe(Math.ceil((0.66 * 20 * 12_000) / acre))
  })
})

describe('buildings near transit', () => {
  const at = (city: string, zoning: string, station: string, feet: number, lotSqft = 6000, changes = {}) =>
    parcelIn(city, zoning, { ...northOf(city, station, feet, lotSqft), ...changes })
  const sanCarlos = (feet: number, lotSqft = 5500, changes = {}) =>
    at('San Carlos', 'RS-6', 'San Carlos Caltrain', feet, lotSqft, changes)
  const redwood = (feet: number, lotSqft = 6000, changes = {}) =>
    at('Redwood City', 'R-1', 'Redwood City Caltrain', feet, lotSqft, changes)

  it.each([
    // 120 homes per acre on 5,500 sq ft: floor(15.15) = 15; at least max(5, ceil(3.79)).
    ['tier 1 within a quarter mile', sanCarlos(700), ['likely', 15, 5]],
    ['beside the station: 160 per acre', sanCarlos(190), ['likely', 20, 5]],
    ['just beyond 200 ft', sanCarlos(210), ['likely', 15, 5]],
    [
      'beyond a quarter mile in a city under 35,000: no homes shown',
      sanCarlos(1400),
      ['unknown', undefined, undefined],
    ],
    ['beyond a quarter mile in a larger city: 100 per acre', redwood(1400), ['likely', 13, 5]],
    ['at the edge of half a mile', redwood(2630), ['likely', 13, 5]],
    ['beyond half a mile', redwood(2700), ['no', undefined, undefined]],
    ['a lot too small for five homes', sanCarlos(700, 1800), ['no', undefined, undefined]],
    ['an acre: at least 30 homes', redwood(1000, acre), ['likely', 120, 30]],
    ['an ordinance that was not read', at('San Mateo', 'R1-C', 'San Mateo Caltrain', 700), ['unknown', 16, 5]],
    // Palo Alto sets floor area instead: 1.75 × 10,000 / 1,750 = 10 homes.
    ['a plan of the city’s own', at('Palo Alto', 'R-1', 'Palo Alto Caltrain', 700, 10_000), ['likely', 10, 7]],
    [
      'a listed house in Mountain View',
      at('Mountain View', 'R1', 'Mountain View Caltrain', 700, 6000, { overlays: { historicListed: 'yes' } }),
      ['no', undefined, undefined],
    ],
    [
      'one in Redwood City, which exempts none',
      redwood(700, 6000, { overlays: { historicListed: 'yes' } }),
      ['likely', 16, 5],
    ],
    [
      'one rented house does not bar it',
      redwood(700, 6000, { overlays: { tenantLast3y: 'yes', rentControlled: 'yes' } }),
      ['likely', 16, 5],
    ],
    [
      'four rent-controlled homes do',
      redwood(700, 6000, { propertyType: 'multi_family', units: 4, overlays: { rentControlled: 'yes' } }),
      ['no', undefined, undefined],
    ],
    [
      'a station without daily service',
      at('Burlingame', 'R-1', 'Broadway Caltrain', 300),
      ['no', undefined, undefined],
    ],
    [
      'unincorporated land',
      parcelIn('San Mateo County', 'R-1/S-74', northOf('Redwood City', 'Redwood City Caltrain', 700)),
      ['no', undefined, undefined],
    ],
  ])('%s', (_name, facts, expected) => {
    expect(resultOf('us-ca-transit', facts).slice(0, 3)).toEqual(expected)
  })

  it.each([
    [1, 190, 95, 4.5],
    [1, 210, 75, 3.5],
    [1, 1310, 75, 3.5],
    [1, 1330, 65, 3],
    [1, 2630, 65, 3],
    [2, 190, 85, 4],
    [2, 1310, 65, 3],
    [2, 1330, 55, 2.5],
  ] as const)('tier %i at %i ft: %i ft of height and a floor-area ratio of %d', (tier, feet, heightFt, ratio) => {
    const facts = redwood(feet, 10_000)
    const transitStops = facts.transitStops!.map((stop) => ({ ...stop, tier }))
    const [use] = usesOf('us-ca-transit', { ...facts, transitStops })
    expect(use!.sizes).toMatchObject({ heightFt, floorAreaSqft: ratio * 10_000, averageUnitSqft: 1750 })
  })

  it('starts on July 1, 2026, names the unread ordinance, and asks for homes for lower incomes above ten', () => {
    // Stations of a map count instead of those of the pack.
    expect(resultOf('us-ca-transit', { ...redwood(700), stations: [] })[0]).toBe('no')
    const stations = [{ name: 'Map Station', tier: 1, feet: 150 } as const]
    expect(resultOf('us-ca-transit', { ...redwood(9000), stations })[0]).toBe('likely')
    expect(resultOf('us-ca-transit', redwood(700), '2026-06-30')[0]).toBe('no')
    expect(resultOf('us-ca-transit', redwood(700), '2026-07-01')[0]).toBe('likely')
    const [unread] = usesOf('us-ca-transit', at('San Mateo', 'R1-C', 'San Mateo Caltrain', 700))
    expect(unread!.because).toEqual(['The local ordinance of San Mateo was not checked.'])
    const codes = (lotSqft: number) =>
      usesOf('us-ca-transit', redwood(700, lotSqft))[0]!.conditions.map(({ code }) => code)
    expect([codes(3600).includes('AFFORDABLE_SHARE'), codes(6000).includes('AFFORDABLE_SHARE')]).toEqual([false, true])
    expect(unread).toMatchObject({ approval: 'unknown' })
  })

  it('of two stations the one that allows more homes decides', () => {
    const facts = redwood(1400)
    const near = { name: 'Nearer', tier: 2 as const, lat: facts.lat!, lng: facts.lng! }
    expect(resultOf('us-ca-transit', { ...facts, transitStops: [...facts.transitStops!, near] })[1]).toBe(19)
  })

  it('the stations and populations are those of the pack', () => {
    const { market, cities } = packWith('Palo Alto')!
    const tiers = new Map(market.transitStops!.map(({ name, tier }) => [name, tier]))
    expect([tiers.get('Menlo Park Caltrain'), tiers.get('Daly City BART'), tiers.get('Atherton Caltrain')]).toEqual([
      1,
      1,
      undefined,
    ])
    const large = cities.filter(({ population = 0 }) => population >= 35_000).map(({ name }) => name)
    expect(large).toEqual(
      expect.arrayContaining(['Daly City', 'South San Francisco', 'San Bruno', 'San Mateo', 'Redwood City']),
    )
    for (const name of ['Millbrae', 'Burlingame', 'Belmont', 'San Carlos', 'Menlo Park', 'Colma', 'Brisbane'])
      expect(large).not.toContain(name)
  })
})

describe('Nantucket', () => {
  const island = (zoning: string, changes: Parameters<typeof parcelIn>[2] = {}) =>
    parcelIn('Nantucket', zoning, { stories: 2, garageSqft: 0, ...changes })
  const dwellings = (facts: LawFacts) =>
    usesOf('us-ma-nantucket-dwellings', facts).map(({ allowed, homes, sizes }) => [
      allowed,
      homes,
      sizes?.largestUnitSqft,
    ])

  it.each([
    // 25% of 10,400 is 2,600; the house covers 1,300. 1,300 × 1.8 = 2,340.
    [
      'a second and a third dwelling',
      island('R-10', { lotSqft: 10_400, livingSqft: 2600 }),
      [
        ['yes', 2, 2340],
        ['conditional', 3, 900],
      ],
    ],
    [
      'a lot under 5,000 sq ft has no third',
      island('R-5', { lotSqft: 4900, livingSqft: 1000 }),
      [
        ['yes', 2, 2628],
        ['no', undefined, undefined],
      ],
    ],
    [
      'no ground cover is left',
      island('LUG-1', { lotSqft: 40_000, livingSqft: 5600 }),
      [
        ['no', undefined, undefined],
        ['no', undefined, undefined],
      ],
    ],
    [
      'a second dwelling is on record',
      island('R-10', { lotSqft: 10_400, livingSqft: 2600, units: 2 }),
      [
        ['conditional', 3, 900],
        ['no', undefined, undefined],
      ],
    ],
    [
      'three are on record',
      island('R-10', { lotSqft: 10_400, livingSqft: 2600, units: 3 }),
      [
        ['no', undefined, undefined],
        ['no', undefined, undefined],
      ],
    ],
    [
      'unknown number of dwellings',
      island('R-10', { lotSqft: 10_400, livingSqft: 2600, units: undefined }),
      [
        ['unknown', 3, 900],
        ['unknown', 2, 2340],
      ],
    ],
    [
      'vacant land: two dwellings on all of the ground cover',
      island('R-20', { ...vacant, lotSqft: 20_000 }),
      [
        ['yes', 2, 4500],
        ['conditional', 3, 900],
      ],
    ],
    [
      'a conservation restriction',
      island('R-10', { lotSqft: 10_400, overlays: { conservationEasement: 'yes' } }),
      [
        ['no', undefined, undefined],
        ['no', undefined, undefined],
      ],
    ],
  ])('dwellings: %s', (_name, facts, expected) => {
    expect(dwellings(facts)).toEqual(expected)
  })

  it('the commission is a condition of every dwelling, septic another', () => {
    const [use] = usesOf(
      'us-ma-nantucket-dwellings',
      island('R-10', { lotSqft: 10_400, livingSqft: 2600, overlays: { septic: 'yes' } }),
    )
    expect(use).toMatchObject({ approval: 'design_review', decidedBy: 'Historic District Commission' })
    expect(use!.conditions.map(({ code }) => code)).toEqual(['SEPTIC', 'REVIEW'])
  })

  it.each([
    // LUG-1 asks for 40,000 sq ft and 100 ft: min(84,000 / 40,000, 230 / 100) = 2.
    ['area and frontage for two', island('LUG-1', { ...vacant, lotSqft: 84_000, lotWidthFt: 230 }), ['likely', 2]],
    [
      'area for three, frontage for two',
      island('LUG-1', { ...vacant, lotSqft: 130_000, lotWidthFt: 230 }),
      ['likely', 2],
    ],
    ['frontage for one', island('LUG-1', { ...vacant, lotSqft: 84_000, lotWidthFt: 199 }), ['no', undefined]],
    ['area for one', island('LUG-2', { ...vacant, lotSqft: 84_000, lotWidthFt: 400 }), ['no', undefined]],
    ['unknown frontage', island('LUG-1', { lotSqft: 84_000, lotWidthFt: undefined }), ['unknown', undefined]],
    ['four lots in R-10', island('R-10', { lotSqft: 45_000, lotWidthFt: 320 }), ['likely', 4]],
    [
      'a conservation restriction',
      island('LUG-1', { lotSqft: 84_000, lotWidthFt: 230, overlays: { conservationEasement: 'yes' } }),
      ['no', undefined],
    ],
  ])('division: %s', (_name, facts, expected) => {
    const [{ allowed, lots }] = usesOf('us-ma-anr', facts) as [ReturnType<typeof usesOf>[number]]
    expect([allowed, lots]).toEqual(expected)
  })

  it('a division needs no hearing; the way and the place of the house are not on record', () => {
    const [use] = usesOf('us-ma-anr', island('LUG-1', { lotSqft: 84_000, lotWidthFt: 230 }))
    expect(use).toMatchObject({ approval: 'ministerial', decidedBy: expect.stringContaining('21 days') })
    expect(use!.untestedRules.map(({ code }) => code)).toEqual(['WAY', 'HOUSE'])
  })
})

it('a market says which laws of its state it lacks', () => {
  const of = (state: string, stateName: string, laws: string[]) =>
    missingLaws({ state, stateName, laws: laws.map((id) => ({ id, since: '2020-01-01' })) })
  expect(of('OR', 'Oregon', [])[0]).toMatch(
    /^laws of Oregon: Lotline tests none.*Not tested: ORS 197A\.420.*"Add a law"$/,
  )
  expect(of('TN', 'Tennessee', [])[0]).not.toContain('Not tested')
  expect(of('MA', 'Massachusetts', ['us-ma-anr'])).toEqual([
    expect.stringMatching(/Add us-ma-adu to "laws" of pack\.json$/),
  ])
  expect(of('MA', 'Massachusetts', ['us-ma-anr', 'us-ma-adu'])).toEqual([])
})

it('a list without its law says whether the day, the pack or the state is the reason', () => {
  const town = { name: 'Easton', state: 'MA', stateName: 'Massachusetts' }
  const why = (laws: string[], day?: string) =>
    notApplicable('accessory_unit', { ...town, laws: laws.map((id) => ({ id, since: '2025-02-02' })) }, day)
  expect(why(['us-ma-adu'])).toBeUndefined()
  expect(why(['us-ma-adu'], '2025-02-02')).toBeUndefined()
  expect(why(['us-ma-adu'], '2024-12-23')).toMatch(
    /: the law “[^”]+” was not in force on Dec 23, 2024, as of which Easton is assessed/,
  )
  expect(why([])).toMatch(/does not name\. Its operator can add us-ma-adu to "laws" of pack\.json\.$/)
  // The rules of one town are not those of the state.
  expect(notApplicable('local_dwellings', { ...town, laws: [] })).toMatch(
    /tested by Second and third dwellings \(Nantucket\), and Easton is in Massachusetts\.$/,
  )
})
