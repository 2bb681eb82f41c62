// A small town of houses, sales, listings and permits, inserted directly: enough to fit models, quick to assess.
import { type Db, sql } from '../../src/store/engine/database.ts'
import { inBulk, listing, permit, property, sale, source } from './rows.ts'

/** The current date in every test of this market. */
export const today = new Date('2026-11-14T12:00:00Z')

export interface SmallMarket {
  ids: string[]
  listed: string[]
}

export const smallMarket = async (db: Db, homes = 80): Promise<SmallMarket> => {
  const town: SmallMarket = { ids: [], listed: [] }
  await inBulk(db, 'sf-peninsula', () => addHomes(db, homes, town))
  await sql`analyze`.execute(db)
  return town
}

const addHomes = async (db: Db, homes: number, { ids, listed }: SmallMarket): Promise<void> => {
  for (let i = 0; i < homes; i++) {
    const lotSqft = 5_500 + ((i * 37) % 40) * 100
    const livingSqft = 1_000 + ((i * 53) % 30) * 60
    const yearBuilt = 1935 + ((i * 29) % 85)
    const lat = 37.42 + ((i * 17) % 40) * 0.0009
    const lng = -122.14 + ((i * 23) % 40) * 0.0011
    const home = {
      property_type: 'single_family',
      living_sqft: livingSqft,
      lot_sqft: lotSqft,
      beds: 3,
      baths: 2,
      year_built: yearBuilt,
    }
    const id = await property(db, {
      id: `p_001home_${String(i).padStart(4, '0')}`,
      address: `${100 + i} Oak St`,
      zoning: 'R-1',
      lot_width_ft: 60,
      lot_depth_ft: Math.round(lotSqft / 60),
      lat,
      lng,
      ...home,
      overlays: { historicListed: 'no', historicContributing: 'no', historicDistrict: 'no' },
    })
    ids.push(id)
    const priceUsd = Math.round((900 + ((i * 13) % 7) * 15) * livingSqft * (lotSqft / 7_000) ** 0.3)
    const sold = { property_id: id, match_method: 'apn', match_confidence: 'high', lat, lng, ...home }
    if (i % 5 !== 0)
      await sale(db, {
        ...sold,
        sale_id: `sale_${i}`,
        sold_on: `202${4 + (i % 3)}-0${1 + (i % 9)}-15`,
        price_usd: priceUsd,
        list_price_usd: Math.round(priceUsd * (0.94 + (i % 8) * 0.02)),
        days_on_market: 5 + (i % 20),
      })
    else {
      listed.push(id)
      await listing(db, {
        listing_id: `listing_${i}`,
        property_id: id,
        price_usd: Math.round(priceUsd * 0.97),
        original_price_usd: priceUsd,
        remarks: i % 10 === 0 ? 'Original kitchen. Bring your contractor.' : 'Remodeled kitchen and baths.',
        ...home,
      })
    }
    if (i % 16 === 1)
      // Beside the home, which stays a lead.
      await permit(db, {
        ...{ permit_id: `demolition_${i}`, permit_class: 'whole_house_demolition', issued_on: '2026-10-20', lat, lng },
      })
  }
}

/** Rents: ten of each size up to three bedrooms, in the county of Palo Alto. */
export const countyRents = async (db: Db, asOf?: string) => {
  const sourceId = await source(db)
  for (let n = 0; n < 40; n++)
    await sql`
      insert into rent (market, source_id, rent_id, city, city_slug, county, bedrooms, amount_usd, as_of, statistic, collected_at, updated_at)
      values ('sf-peninsula', ${sourceId}, ${`R${n}`}, 'Santa Clara County', 'santa-clara-county', 'Santa Clara', ${n % 4},
        ${2_000 + 1_000 * (n % 4) + 100 * Math.floor(n / 4)}, ${asOf ?? `2026-10-${10 - Math.floor(n / 4)}`}, 'rent', ${today}, ${today})`.execute(
      db,
    )
}
