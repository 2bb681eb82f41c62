// Ten worked examples with the figures of an independent implementation, which shares no code with this one. Every example brings its
// own terms; the schemes compute it.
import { describe, expect, it } from 'vitest'
import type { Assumptions } from '../../src/domain/assumptions/assumptions.ts'
import type { ParcelFacts } from '../../src/domain/facts.ts'
import { priceAtTarget, schedule } from '../../src/intelligence/cash-flow/schedule.ts'
import { bestUses } from '../../src/intelligence/decision/best-use.ts'
import { aduEconomics } from '../../src/intelligence/proforma/adu-economics.ts'
import { projectOffer, projectPlan } from '../../src/intelligence/proforma/project.ts'
import { addUnit } from '../../src/schemes/add-unit.ts'
import { renovate, rent } from '../../src/schemes/as-it-is.ts'
import {
  buildingHomes,
  dividedLots,
  duplex,
  smallLotHouses,
  smallLots,
  splitHouseStays,
  splitHouses,
} from '../../src/schemes/by-law.ts'
import { computeSchemes, offersOf } from '../../src/schemes/compute.ts'
import { dwellingOf, lotHouse, lotPrice } from '../../src/schemes/homes.ts'
import { basementOf, newHouseBuild, unitOf, withParts } from '../../src/schemes/new-house.ts'
import type { Build } from '../../src/schemes/scheme.ts'
import type { LawUse, SchemeSite } from '../../src/schemes/site.ts'
import { assumptionsFor } from '../setup/city-rules.ts'

const cities = {
  'San Mateo': { perSqft: 1150, sqft: 1620, lotSqft: 5300 },
  'Palo Alto': { perSqft: 1850, sqft: 1950, lotSqft: 7200 },
  'Redwood City': { perSqft: 1200, sqft: 1720, lotSqft: 6300 },
  'San Carlos': { perSqft: 1330, sqft: 2000, lotSqft: 6300 },
  'Daly City': { perSqft: 870, sqft: 1370, lotSqft: 3100 },
  Nantucket: { perSqft: 1455, sqft: 3528, lotSqft: 20500 },
} as const
type CityName = keyof typeof cities

/** What all examples share: one loan, one rate, fees of 5.2 a square foot and 60,000 for a net new home, no transfer tax. */
const shared: Partial<Assumptions> = {
  ...{ acquisitionPct: 1, sellingCostPct: 5.5, transferTaxPct: 0, highTransferTaxPct: 0, propertyTaxPct: 1.15 },
  ...{ insurancePct: 1, loanToCostPct: 65, ratePct: 8.5, pointsPct: 1.5, softCostPct: 15, contingencyPct: 8 },
  ...{ impactFeesPerSqft: 5.2, impactPerHomeUsd: 40_000, connectionUsd: 20_000, targetRoiPct: 15 },
}

const siteOf = (
  city: CityName,
  lot: Partial<ParcelFacts>,
  {
    own = {},
    permit = 8,
    maxSqft,
    ...rest
  }: Omit<Partial<SchemeSite>, 'permit'> & {
    own?: Partial<Assumptions>
    permit?: number
    maxSqft?: number
  } = {},
): SchemeSite => ({
  facts: {
    ...{
      id: 'x',
      market: 'sf-peninsula',
      city,
      address: '1 Main St',
      propertyType: 'single_family',
      units: 1,
      slopePct: 0,
    },
    overlays: { historicListed: 'no' },
    ...lot,
  } as ParcelFacts,
  pack: undefined,
  assumptions: { ...assumptionsFor(city), ...shared, ...own } as Assumptions,
  permit: { months: permit, basis: 'the example', unused: 'designMonths' },
  envelope: {
    ...(maxSqft === undefined ? {} : { maxSqft, livableSqft: maxSqft }),
    ...{ candidates: [], confidence: 'high', missing: [], notes: [], stories: 2 },
  },
  comps: { compCount: 0, confidence: 'low' },
  uses: [],
  place: cities[city],
  ...rest,
})

const near = (found: number | undefined, expected: number, tolerance: number) =>
  expect(Math.abs((found ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance)

/** Total cost within 0.5%, the return within 0.3 points, land at 15% and at the own target within 1%. */
const expectFigures = (
  site: SchemeSite,
  build: Build | undefined,
  price: number,
  {
    total,
    returnPct,
    land,
    atTarget,
    months,
  }: {
    total: number
    returnPct: number
    land?: number | null
    atTarget?: number | null
    months: number
  },
) => {
  const { project, target } = build!
  const planAt = (at: number) => ({ ...projectPlan(at, project, site.assumptions), completedValue: uncapped })
  const { totalCost, profit, months: found } = schedule(planAt(price))
  near(totalCost, total, 0.005 * total)
  near((100 * profit) / totalCost, returnPct, 0.3)
  expect(found).toBe(months)
  for (const [pct, offer] of [
    [15, land],
    [site.assumptions[target], atTarget],
  ] as const) {
    if (offer === undefined) continue
    const most = priceAtTarget(planAt, pct)
    if (offer === null) expect(most).toBeLessThanOrEqual(0)
    else near(most, offer, 0.01 * offer)
  }
}

/** The independent schedule limits no loan to 70% of the completed value. */
const uncapped = Number.POSITIVE_INFINITY

const sanMateo = { livingSqft: 1150, lotSqft: 5300 }
const smallLot = { contingencyPct: 8, furtherContingencyPct: 10 }

describe('1: San Mateo, 5,300 sq ft, a house of 1,150 sq ft in poor condition', () => {
  const renovated = (conditionNow: number, afterRepairValueUsd: number, own: Partial<Assumptions> = {}) =>
    siteOf('San Mateo', sanMateo, {
      own,
      renovation: { afterRepairValueUsd, conditionNow, daysToPending: 30.4, confidence: 'medium' },
    })

  it('a renovation from C5 to C2', () => {
    const site = renovated(35, 1_707_778)
    const [{ build } = {}] = renovate.variants(site)
    const { project } = build!
    near(project.hardCost, 316_013, 1)
    expectFigures(site, build, 1_450_000, {
      total: 1_957_616,
      returnPct: -17.6,
      land: 932_797,
      atTarget: 955_974,
      months: 9,
    })
    expectFigures(site, build, 1_030_000, { total: 1_507_516, returnPct: 7.1, months: 9 })
  })

  it('let as it is', () => {
    const site = siteOf('San Mateo', sanMateo, {
      ...{ rentUsd: 4_600, value: { value: 1_450_000, low: 1_300_000, high: 1_600_000, confidence: 'medium' } },
      own: { operatingCostPct: 18, landlordInsurancePct: 0.45, vacancyPct: 5 },
    })
    const [{ bears } = {}] = rent.variants(site)
    near(bears!.yieldPctAt!(1_450_000), 1.6, 0.051)
    near(bears!.maximumOffer, 520_552, 10)
  })

  it('a new house of 2,250 sq ft', () => {
    const site = siteOf('San Mateo', sanMateo, { maxSqft: 2250 })
    expectFigures(site, newHouseBuild(site).build, 1_450_000, {
      ...{ total: 3_141_004, returnPct: -17.2, land: 682_368, atTarget: 682_368, months: 21 },
    })
  })

  it('a split with two houses of 1,250 sq ft', () => {
    const site = siteOf('San Mateo', sanMateo, { own: smallLot })
    expectFigures(site, splitHouses(site, 1250), 1_450_000, {
      ...{ total: 3_748_444, returnPct: -25.1, land: 311_246, atTarget: 254_765, months: 26 },
    })
  })

  it('two units of 1,225 sq ft', () => {
    const site = siteOf('San Mateo', sanMateo, { own: { furtherContingencyPct: 8 } })
    expectFigures(site, duplex(site, 1225), 1_450_000, {
      ...{ total: 3_629_688, returnPct: -25.9, land: 306_477, atTarget: 252_200, months: 22 },
    })
  })

  it('a rear lot that is sold while the house stays', () => {
    const vacant = siteOf('San Mateo', { lotSqft: 5300, propertyType: 'land', units: undefined }, { own: smallLot })
    const buyer = lotHouse(vacant, 1200, 2120, true)!
    expectFigures(vacant, buyer, 174_389, { total: 1_135_977, returnPct: 15.1, land: 175_602, months: 18 })
    const site = siteOf('San Mateo', sanMateo, {
      ...{
        own: smallLot,
        district: undefined,
        place: { ...cities['San Mateo'], land: { usd: 174_389, lotSqft: 2120, count: 5 } },
      },
      value: { value: 1_450_000, low: 1_300_000, high: 1_600_000, confidence: 'high' },
    })
    expect(lotPrice(site, 2120, false)?.usd).toBe(174_389)
    expect(lotPrice(site, 2120, true)?.usd).toBeCloseTo(0.95 * 174_389, 0)
    // Sales of much larger lots are sales of another product.
    expect(lotPrice(site, 1270, true)).toBeUndefined()
    const stays = splitHouseStays(site)!
    // The example takes 8% off the house; the lot exponent takes 8.8% for 40% of the lot.
    near(stays.project.resaleGross, 0.95 * 174_389 + 1_450_000 * 0.6 ** 0.18, 2)
    expect(projectOffer(stays.project, site.assumptions, 18)).toBeLessThan(1_450_000)
  })

  const units = (kind: 'detached' | 'conversion' | 'junior', sqft: number, rent: number, perSqft: number) => ({
    units: [{ kind, sqft }],
    maxUnits: 1,
    rents: Object.fromEntries(
      [0, 1, 2].map((beds) => [beds, { amount: rent, basis: '', asOf: '2026-11-01', source: '' }]),
    ),
    cityPerSqft: perSqft,
  })
  const lawful: LawUse = {
    ...{ scheme: 'add_unit', allowed: 'yes', approval: 'ministerial', homes: 2 },
    ...{ conditions: [], untestedRules: [], because: [] },
  }

  it('an accessory unit of 749 sq ft, bought, built and resold', () => {
    // The rent is that of the unit: the size of the example is the size that the rent is of.
    const atSize = 3_300 / Math.sqrt(749 / 600)
    const site = siteOf('San Mateo', sanMateo, {
      ...{ accessory: units('detached', 749, atSize, 1150), uses: [lawful], own: { propertyTaxPct: 1.15 } },
      value: { value: 1_450_000, low: 1_300_000, high: 1_600_000, confidence: 'high' },
    })
    const [{ build } = {}] = addUnit.variants(site)
    const economics = aduEconomics(
      { kind: 'detached', sqft: 749 },
      site.accessory as never,
      site.assumptions,
      () => false,
    )!
    near(economics.valueAdded, 387_608, 400)
    near(economics.noi!, 26_356, 50)
    expectFigures(site, build, 1_450_000, { total: 2_066_055, returnPct: -15.9, land: 961_156, months: 20 })
    expect(build!.gainUsd).toBe(economics.gainUsd)
    // In the low case the unit adds 60% of its cost to the value of the house.
    near(build!.low.resaleGross, 1_450_000 + 0.6 * economics.costUsd, 2)
  })

  it('8: not sold apart where the city has not opted in; at a loss of 105,296 where it has', () => {
    const accessory = units('detached', 749, 3_300 / Math.sqrt(749 / 600), 1150)
    const value = { value: 1_850_000, low: 1_700_000, high: 2_000_000, confidence: 'high' } as const
    const optIn = (answer: 'yes' | 'no') => ({
      aduCondoOptIn: {
        fact: 'aduCondoOptIn',
        value: answer,
        source: 'the city',
        asOf: '2026-01-01',
        confidence: 'medium',
      } as const,
    })
    const of = (answer: 'yes' | 'no') =>
      addUnit
        .variants(siteOf('San Mateo', sanMateo, { accessory, value, uses: [lawful], cityFacts: optIn(answer) }))
        .find(({ variant }) => variant === 'sell_unit')!
    expect(of('no').allowed).toBe('no')
    expect(of('no').build).toBeUndefined()
    const sold = of('yes').build!
    near(sold.units[1]!.priceUsd, 449_756, 1)
    near(sold.gainUsd, -105_296, 10)
  })
})

describe('2: Palo Alto, 7,200 sq ft, an old house of 1,500 sq ft', () => {
  const site = (own: Partial<Assumptions> = {}) =>
    siteOf(
      'Palo Alto',
      { livingSqft: 1500, lotSqft: 7200 },
      {
        ...{ own, permit: 9, maxSqft: 2690 },
        cityFacts: {
          basementOutsideFloorArea: {
            ...{
              fact: 'basementOutsideFloorArea',
              value: 'yes',
              source: 'code',
              asOf: '2026-01-01',
              confidence: 'medium',
            },
          },
        },
      },
    )

  it('a house of 2,690 sq ft', () => {
    const own = site()
    expectFigures(own, newHouseBuild(own).build, 2_900_000, {
      ...{ total: 5_420_232, returnPct: -7.5, land: 1_982_278, months: 23 },
    })
  })

  it('with a basement and a unit it bears more in the base case, and the plain house in the low case: the plain house is best', () => {
    const own = siteWithUnit()
    const offers = offersOf(computeSchemes(own))
    const plain = offers.find(({ kind }) => kind === 'new_house')!
    const full = offers.find(({ kind, variant }) => kind === 'new_house_and_unit' && variant === 'basement')!
    const { build } = newHouseBuild(own)
    const all = withParts(own, build!, [basementOf(own, build!, 1400), unitOf(own)!])
    expectFigures(own, all, 2_900_000, { total: 6_922_971, returnPct: 0.3, land: 2_150_113, months: 26 })
    expect(full.maximumOffer).toBeGreaterThan(plain.maximumOffer)
    expect(full.maximumOfferLow!).toBeLessThan(plain.maximumOfferLow!)
    expect(bestUses(offers).best?.kind).toBe('new_house')
  })

  /** The unit at 45% of the city's price per square foot, and 1,400 sq ft of basement: the ground floor of 2,800. */
  const siteWithUnit = (): SchemeSite => ({
    ...site({ softCostPct: 16, contingencyPct: 10 }),
    accessory: {
      ...{ units: [{ kind: 'detached', sqft: 800 }], maxUnits: 1, cityPerSqft: 1850 },
      rents: { 2: { amount: 9_000, basis: '', asOf: '2026-11-01', source: '' } },
    },
    uses: [
      {
        ...{ scheme: 'add_unit', allowed: 'yes', approval: 'ministerial', homes: 2 },
        ...{ conditions: [], untestedRules: [], because: [] },
      },
    ],
  })
})

it('3: Redwood City, 6,300 sq ft: without and with a hearing', () => {
  const lot = { livingSqft: 1300, lotSqft: 6300 }
  const plain = siteOf('Redwood City', lot, { maxSqft: 2415 })
  expectFigures(plain, newHouseBuild(plain).build, 1_600_000, {
    ...{ total: 3_401_004, returnPct: -14.6, land: 837_093, months: 21 },
  })
  const heard = siteOf('Redwood City', lot, { maxSqft: 2980, permit: 12 })
  expectFigures(heard, newHouseBuild(heard).build, 1_600_000, {
    ...{ total: 3_757_124, returnPct: -9.5, land: 922_112, months: 26 },
  })
})

it.each([
  [2580, { livingSqft: 1400, lotSqft: 6300 }, 3_836_405, -8.4, 1_218_641, 21],
  [3000, { livingSqft: 1400, lotSqft: 6300 }, 4_083_754, -3.6, 1_325_418, 22],
  [2580, { livingSqft: 1300, lotSqft: 5500 }, 3_836_951, -10.6, 1_153_778, 21],
] as const)('4 and 7: San Carlos, a house of %i sq ft', (maxSqft, lot, total, returnPct, land, months) => {
  const site = siteOf('San Carlos', lot, { maxSqft })
  expectFigures(site, newHouseBuild(site).build, 1_900_000, { total, returnPct, land, months })
})

it('5: Daly City, a garage conversion and a junior unit', () => {
  const { assumptions } = siteOf('Daly City', {})
  const economics = (kind: 'conversion' | 'junior', rent: number) =>
    aduEconomics(
      { kind, sqft: 400 },
      // The rent is that of the unit, whatever its size.
      { rents: { 0: { amount: rent / Math.sqrt(400 / 450), basis: '', asOf: '', source: '' } }, cityPerSqft: 870 },
      assumptions,
      () => false,
    )!
  const conversion = economics('conversion', 2_150)
  near(conversion.costUsd, 127_534, 1)
  near(conversion.noi!, 18_630, 10)
  near(conversion.valueAdded, 121_600, 10)
  const junior = economics('junior', 1_700)
  near(junior.costUsd, 83_266, 1)
  near(junior.valueAdded, 66_613, 1)
  near(junior.noi!, 14_933, 10)
})

it('6: San Mateo, vacant: four homes of 1,350 sq ft bear nothing, and a law that bars them leaves no figures', () => {
  const lot = { lotSqft: 6000, propertyType: 'land', units: undefined, livingSqft: undefined } as const
  const site = siteOf('San Mateo', lot, {
    own: { furtherContingencyPct: 9, sharedAccessPct: 8, splitUsd: 150_000, furtherLotUsd: 35_000 },
  })
  expectFigures(site, smallLotHouses(site, 4, 1350), 1_300_000, {
    ...{ total: 6_423_714, returnPct: -19, land: null, atTarget: null, months: 34 },
  })
  const barred: LawUse = {
    ...{ scheme: 'small_lots', allowed: 'no', approval: 'ministerial', lots: 5, leastHomes: 3 },
    ...{ conditions: [], untestedRules: [], because: ['In a high fire hazard zone.'] },
  }
  const [variant] = smallLots.variants({ ...site, uses: [barred] })
  expect(variant).toMatchObject({ allowed: 'no', because: ['In a high fire hazard zone.'] })
  expect(variant!.build).toBeUndefined()
})

it('7: San Carlos near a station: more homes bear less', () => {
  const site = (own: Partial<Assumptions>) =>
    siteOf(
      'San Carlos',
      { livingSqft: 1300, lotSqft: 5500 },
      { own: { furtherContingencyPct: 8, condoPapersUsd: 60_000, ...own } },
    )
  // The example takes the school fee on gross area: 8,750 and 13,125 sq ft.
  const fees = (gross: number, net: number) => ({ impactFeesPerSqft: (5.2 * (gross - 1300)) / (net - 1300) })
  const townhouses = site({
    ...fees(8750, 7000),
    ...{ buildingCostPerSqft: 480, transitPermitMonths: 14, buildingBuildMonths: 15, buildingSaleMonths: 5 },
  })
  expectFigures(townhouses, buildingHomes(townhouses, 'townhouses', 5, 1400), 1_900_000, {
    ...{ total: 9_074_869, returnPct: -4.8, land: 524_426, months: 34 },
  })
  const flats = site(fees(13125, 10500))
  expectFigures(flats, buildingHomes(flats, 'flats', 10, 1050), 1_900_000, {
    ...{ total: 13_426_008, returnPct: -12.8, land: null, atTarget: null, months: 44 },
  })
})

it('9: Nantucket, a second house of 1,800 sq ft', () => {
  const site = siteOf(
    'Nantucket',
    { market: 'nantucket', lotSqft: 10_400, livingSqft: 1300 },
    {
      own: {
        ...{
          baseCostPerSqft: 950,
          sellingCostPct: 6,
          propertyTaxPct: 0,
          furtherContingencyPct: 10,
          extraBuildMonths: 1,
        },
        ...{ impactFeesPerSqft: 0, impactPerHomeUsd: 0, connectionUsd: 60_000 },
      },
      permit: 7,
      value: { value: 1, low: 1, high: 1, confidence: 'high' },
    },
  )
  expectFigures(site, dwellingOf(site, 1800, 2, 'targetUnitPct'), 0, { total: 2_459_118, returnPct: -15.2, months: 21 })
})

it.each([
  [2_300_000, 12.8, 3_333_053, 3_425_017],
  [1_900_000, -6.8, 2_735_986, 2_811_944],
])('10: Nantucket, two lots at %i', (each, returnPct, land, atTarget) => {
  const site = siteOf(
    'Nantucket',
    { market: 'nantucket', lotSqft: 84_000, livingSqft: 1500 },
    {
      own: { acquisitionPct: 2.5, sellingCostPct: 6, propertyTaxPct: 0.32, demoBaseUsd: 45_000, targetDividePct: 12 },
      place: { ...cities.Nantucket, land: { usd: each, lotSqft: 42_000, count: 5 } },
    },
  )
  expectFigures(site, dividedLots(site, 2, false), 3_400_000, {
    total: 3_833_316,
    returnPct,
    land,
    atTarget,
    months: 12,
  })
})
