// A town with a home in every state that pages and lists tell apart, computed as a market is. Its records never change, so that
// whole answers about it can be kept.
import { assessMarket } from '../../src/assess/assess-market.ts'
import { recordAccuracy } from '../../src/store/assessments/accuracy.ts'
import { sql } from '../../src/store/engine/database.ts'
import { recountMarket } from '../../src/store/ingest/dataset-counts.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { indexBuilders } from '../../src/store/permits/builders.ts'
import { builderKey } from '../../src/wire/builders.ts'
import { completedRun, listing, permit, property, sale } from '../setup/rows.ts'
import { countyRents, smallMarket, today } from '../setup/small-market.ts'
import { startSite, type TestSite } from './site.ts'

const house = {
  property_type: 'single_family',
  living_sqft: 1_400,
  lot_sqft: 7_000,
  beds: 3,
  baths: 2,
  year_built: 1951,
}
const lot = { zoning: 'R-1', lot_width_ft: 60, lot_depth_ft: 117, county: 'Santa Clara', zip: '94301' }
const no = { historicListed: 'no', historicContributing: 'no', historicDistrict: 'no', floodZone: 'no', fireZone: 'no' }

/** Homes by what is special about them. `of` is the listing; without it the home is not for sale. */
export const homes: Readonly<Record<string, { of?: object; home?: object }>> = {
  plain: { of: { price_usd: 1_900_000, remarks: 'Original kitchen.' } },
  costly: {
    of: { price_usd: 3_900_000, original_price_usd: 4_200_000, beds: 5, baths: 4, listed_on: '2026-09-01' },
    home: { beds: 5, baths: 4 },
  },
  pending: { of: { status: 'pending', pending_on: '2026-10-25', price_usd: 2_100_000 } },
  soon: {
    of: { status: 'coming_soon', price_usd: 2_050_000, beds: 2, baths: 1, listed_on: '2026-11-10' },
    home: { beds: 2, baths: 1 },
  },
  withdrawn: { of: { status: 'withdrawn', price_usd: 2_000_000 } },
  sold: { of: { status: 'sold', sold_on: '2026-10-20', sold_price_usd: 2_250_000, price_usd: 2_150_000 } },
  unpriced: { of: { price_usd: null } },
  lot: {
    of: { property_type: 'land', price_usd: 1_500_000 },
    home: { property_type: 'land', living_sqft: null, beds: null, baths: null, year_built: null },
  },
  empty: { home: { property_type: 'land', living_sqft: null, beds: null, baths: null, year_built: null } },
  condo: { of: { property_type: 'condo', price_usd: 1_200_000 }, home: { property_type: 'condo', lot_sqft: null } },
  unzoned: { of: { price_usd: 1_950_000 }, home: { zoning: null } },
  lotless: { of: { price_usd: 1_850_000 }, home: { lot_sqft: null, lot_width_ft: null, lot_depth_ft: null } },
  historic: { of: { price_usd: 2_300_000 }, home: { overlays: { ...no, historicListed: 'yes' } } },
  flooded: { of: { price_usd: 1_700_000 }, home: { overlays: { ...no, floodZone: 'yes' } } },
  unplaced: { of: { price_usd: 1_800_000 }, home: { lat: null, lng: null } },
  large: {
    of: { price_usd: 3_200_000 },
    home: { lot_sqft: 14_400, lot_width_ft: 90, lot_depth_ft: 160, corner_lot: true },
  },
  built: { home: { living_sqft: 3_100, year_built: 2024 } },
  merged: { home: { removed_at: new Date('2026-11-03T00:00:00Z') } },
}
export const homeId = (name: string) => `p_001${name}`

export const startTown = async (): Promise<TestSite> => {
  // Every question is asked at the same moment.
  const unlimited = { allowed: true, limit: 1_000, remaining: 999, resetMs: 60_000 }
  const limits = { hit: () => unlimited, peek: () => unlimited, close: async () => {} }
  let now = today
  const site = await startSite({ service: { limits }, clock: () => now })
  const { setNow } = site
  // Of the service and of its pages.
  site.setNow = (at = today) => {
    now = at
    setNow(at)
  }
  site.setNow(today)
  const { db } = site
  await smallMarket(db, 60)
  await countyRents(db)
  for (const [at, [name, { of, home }]] of Object.entries(homes).entries()) {
    const place = { lat: 37.43 + at * 0.0004, lng: -122.13 + at * 0.0003 }
    const facts = { ...house, ...lot, overlays: no, ...place, ...home }
    const id = await property(db, { id: homeId(name), address: `${200 + at} ${name} Ave`, ...facts })
    if (of) await listing(db, { listing_id: `L-${name}`, property_id: id, ...house, ...of })
  }
  const [first, second] = [homeId('plain'), homeId('built')]
  await sql`insert into parcel_outline (market, property_id, source_id, polygons, bounds)
    select market, id, 'test', ${JSON.stringify([[ring(37.43, -122.13)]])}, '((-122.1298,37.4303),(-122.13,37.43))' from property where id = ${first}`.execute(
    db,
  )
  const matched = { property_id: second, match_method: 'apn', match_confidence: 'high', lat: 37.434, lng: -122.127 }
  await sale(db, {
    sale_id: 'lot',
    ...matched,
    ...house,
    sold_on: '2022-05-02',
    price_usd: 1_600_000,
    address: '216 built Ave',
  })
  await sale(db, {
    sale_id: 'house',
    ...matched,
    ...house,
    living_sqft: 3_100,
    year_built: 2024,
    sold_on: '2025-02-03',
    price_usd: 4_100_000,
    address: '216 built Ave',
  })
  const permits: readonly (Record<string, unknown> & { permit_id: string })[] = [
    {
      permit_id: 'NEW',
      property_id: second,
      permit_class: 'new_house',
      applied_on: '2022-06-01',
      issued_on: '2022-12-01',
      finaled_on: '2024-11-20',
      status: 'finaled',
      valuation_usd: 1_250_000,
      contractor: 'Acme Builders',
      units: 1,
      sqft: 3_100,
      description: 'New two-story house',
      lat: 37.434,
      lng: -122.127,
    },
    {
      permit_id: 'DEMO',
      property_id: second,
      permit_class: 'whole_house_demolition',
      class_words: ['demolish', 'house'],
      issued_on: '2022-11-01',
      status: 'finaled',
      contractor: 'Acme Builders',
    },
    {
      permit_id: 'ADU',
      property_id: first,
      permit_class: 'adu',
      issued_on: '2026-11-02',
      applied_on: '2026-06-02',
      valuation_usd: 240_000,
      contractor: 'Bright Homes',
      units: 1,
      description: 'Detached accessory unit',
      match_method: 'address',
      match_confidence: 'medium',
    },
    {
      permit_id: 'ROOF',
      permit_class: 'roof',
      issued_on: '2026-10-01',
      valuation_usd: 20_000,
      contractor: 'Bright Homes',
      city: 'Menlo Park',
      description: 'Reroof',
      address: '9 Elm St',
    },
    {
      permit_id: 'WAITS',
      permit_class: 'addition',
      issued_on: null,
      applied_on: '2026-10-30',
      status: 'applied',
      city: 'Menlo Park',
      description: 'Second story',
    },
    {
      permit_id: 'A/B 1',
      issued_on: '2026-09-09',
      status: 'expired',
      valuation_usd: 5_000,
      description: '<b>Fence</b> & gate',
    },
  ]
  for (const each of permits)
    await permit(db, { city: 'Palo Alto', contractor_key: builderKey(String(each.contractor ?? '')), ...each })
  const island = { market: 'nantucket', city: 'Nantucket', lat: 41.28, lng: -70.1 }
  await property(db, { id: 'p_002cottage', address: '4 Sankaty Rd', ...house, ...island })
  await listing(db, {
    listing_id: 'L-cottage',
    property_id: 'p_002cottage',
    market: 'nantucket',
    city: 'Nantucket',
    price_usd: 2_600_000,
  })
  await completedRun(db, 'test', new Date('2026-11-14T06:00:00Z'))
  await indexPermits(db)
  await indexBuilders(db, 'sf-peninsula')
  for (const market of ['sf-peninsula', 'nantucket'] as const) {
    await recountMarket(db, market)
    await assessMarket(db, market, { now: today })
  }
  const figure = { name: 'value-held-out', data: 'sales of 2026', modelVersion: '1', measuredAt: today }
  const measures = { mdape: 6.57, within10: 61.2, prb: -0.0124, ece: 0.031, n: 1_200, rows: 1_300, from: '2025-01-05' }
  await recordAccuracy(db, { ...figure, market: 'sf-peninsula', measures })
  await recordAccuracy(db, { ...figure, market: 'nantucket', measures: { mdape: 9.48, n: 80, rows: 80 } })
  // The database sets these.
  await sql`update assess_run set started_at = ${today}, finished_at = ${today}`.execute(db)
  await sql`update market_series set updated_at = ${today}`.execute(db)
  return site
}

const ring = (lat: number, lng: number) =>
  [
    [0, 0],
    [0, 0.00032],
    [0.0002, 0.00032],
    [0.0002, 0],
    [0, 0],
  ].map(([x, y]) => [lng + x!, lat + y!])
