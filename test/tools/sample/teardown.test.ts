import { expect, test } from 'vitest'
import { newHouseLimits } from '../../../src/assess/new-house-limits.ts'
import { citySlug } from '../../../src/domain/packs/markets.ts'
import { packOf } from '../../../src/domain/packs/use-packs.ts'
import { districtOf } from '../../../src/domain/packs/zoning-tables.ts'
import { proforma } from '../../../src/intelligence/proforma/proforma.ts'
import { projectAssumptions } from '../../../src/intelligence/proforma/project-duration.ts'
import { buildSize } from '../../../src/intelligence/site/allowable-area.ts'
import { buildingEnvelope } from '../../../src/intelligence/site/envelope.ts'
import { isoDate } from '../../../tools/sample/calendar.ts'
import { stateOf } from '../../../tools/sample/feeds.ts'
import { homeAt } from '../../../tools/sample/parcels.ts'
import { valueUsd } from '../../../tools/sample/price.ts'
import { defaultSeed } from '../../../tools/sample/random.ts'
import { sampleOf, trueTeardownProbability } from './generate-sample.ts'

const data = sampleOf(defaultSeed, '2026-11-15')
const demolitions = data.permits.filter((permit) => permit.kind === 'demolition')

const salesByParcel = Map.groupBy(data.sales, (sale) => sale.parcel)
const housesByParcel = Map.groupBy(
  data.permits.filter((permit) => permit.kind === 'newHouse'),
  (permit) => permit.parcel,
)

test('a demolition follows a sale by three months to two years, and a new house follows it', () => {
  expect(demolitions.length).toBeGreaterThan(150)
  for (const demolition of demolitions) {
    const { parcel, appliedOn } = demolition
    const gaps = (salesByParcel.get(parcel) ?? []).map((sale) => appliedOn - sale.soldOn)
    expect(gaps.some((days) => days >= 80 && days <= 730)).toBe(true)
    const house = housesByParcel.get(parcel)?.find((permit) => Math.abs(permit.appliedOn - appliedOn) < 200)
    expect(house).toBeDefined()
    expect(house?.issuedOn).toBeGreaterThanOrEqual(demolition.issuedOn as number)
  }
})

test('demolished homes had a higher teardown probability than other homes sold', () => {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const demolished = demolitions.map((permit) => data.teardown(permit.parcel, permit.appliedOn))
  const sold = data.sales.map((sale) => data.teardown(sale.parcel, sale.soldOn))
  expect(mean(demolished)).toBeGreaterThan(3 * mean(sold))
})

test('a historic house is never torn down, and a recent one is unlikely to be', () => {
  const protectedOnes = data.parcels.filter((parcel) => {
    const { historicListed, historicContributing } = parcel.overlays
    return historicListed === 'yes' || historicContributing === 'yes'
  })
  expect(protectedOnes.length).toBeGreaterThan(200)
  expect(Math.max(...protectedOnes.map((parcel) => trueTeardownProbability(data, parcel)))).toBe(0)
  const recent = data.parcels.filter((parcel) => homeAt(parcel, data.today).yearBuilt > 2005)
  expect(Math.max(...recent.map((parcel) => trueTeardownProbability(data, parcel)))).toBeLessThan(0.2)
})

test('an older and smaller home on the same lot is more likely to be torn down', () => {
  const parcel = data.parcels.find((p) => trueTeardownProbability(data, p) > 0.05)
  expect(parcel).toBeDefined()
  if (!parcel) return
  const home = homeAt(parcel, data.today)
  const better = { ...parcel, homes: [{ ...home, yearBuilt: 1999, condition: 0.95, livingSqft: parcel.envelopeSqft }] }
  expect(trueTeardownProbability(data, better)).toBeLessThan(trueTeardownProbability(data, parcel) / 5)
})

test('new houses sell for what is known of them, whatever building then returns at the asking prices of homes for sale', () => {
  const { today } = data
  const soldHouse = (market: string) =>
    data.sales.flatMap(({ parcel, home, soldOn, priceUsd }) =>
      parcel.zone.market === market
        ? [
            {
              ...home,
              lat: parcel.lat,
              lng: parcel.lng,
              citySlug: citySlug(parcel.zone.city)!,
              soldOn: isoDate(soldOn),
              priceUsd,
            },
          ]
        : [],
    )
  const limits = new Map(['sf-peninsula', 'nantucket'].map((market) => [market, newHouseLimits(soldHouse(market))]))
  const deals = data.listings.flatMap((listing) => {
    const { parcel, home, asks } = listing
    const { zone, zoning, lotSqft } = parcel
    if (!['active', 'coming_soon'].includes(stateOf(listing, today))) return []
    const pack = packOf(zone.market)
    const facts = { ...home, ...parcel, lotSqft, zoning }
    const envelope = buildingEnvelope(facts, districtOf(pack, zone.city, zoning))
    const newHouses = limits.get(zone.market)!.of({ ...parcel, citySlug: citySlug(zone.city)! })
    const costs = projectAssumptions(pack, zone.city, undefined)
    const buildSqft = buildSize(envelope, home.livingSqft, costs.assumptions, newHouses).sqft
    if (buildSqft === undefined) return []
    const built = {
      ...home,
      propertyType: 'single_family' as const,
      livingSqft: buildSqft,
      yearBuilt: 2026,
      condition: 0.98,
    }
    const arvPerSqft = valueUsd(parcel, built, today) / buildSqft
    const priceUsd = (asks.findLast(({ from }) => from <= today) ?? asks[0]!).usd
    const comps = { arvPerSqft, compCount: 8, confidence: 'high' as const }
    const { returnPct } = proforma({ pack, facts, priceUsd, envelope, newHouses, comps, ...costs })
    return returnPct === undefined ? [] : [returnPct]
  })
  const returns = deals.sort((a, b) => a - b)
  expect(returns.length).toBeGreaterThan(50)
  expect(returns.at(-1)).toBeLessThan(60)
  for (const { zone } of data.parcels) {
    expect(zone.newPpsfUsd / zone.ppsfUsd).toBeGreaterThan(1.07)
    expect(zone.newPpsfUsd / zone.ppsfUsd).toBeLessThan(1.27)
  }
})
