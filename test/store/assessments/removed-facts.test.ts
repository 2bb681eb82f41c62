// Removed permits and parcels are kept, but not counted, not used to fit models and not served as leads.
import { beforeEach, expect, test } from 'vitest'
import {
  homesByCity,
  marketRebuilds,
  permitsByProperty,
  saleCounts,
} from '../../../src/store/assessments/market-facts.ts'
import { pastSales } from '../../../src/store/assessments/past-sales.ts'
import { sql } from '../../../src/store/engine/database.ts'
import { doubtfulDemolitions } from '../../../src/store/permits/doubtful-demolitions.ts'
import { countProperties, propertyKeys } from '../../../src/store/search/properties.ts'
import { useDatabase } from '../../setup/database.ts'
import { adu, assessment, emptyTables, permit, property, redevelopment, sale } from '../../setup/rows.ts'

const database = useDatabase()
beforeEach(async () => {
  await emptyTables(database().db, 'source', 'property', 'event', 'touched_property')
})

const removed = { removed_at: new Date('2026-11-01T00:00:00Z') }
const market = 'sf-peninsula'

test('a removed demolition permit is neither a rebuild nor a demolition after a sale', async () => {
  const { db } = database()
  for (const [id, given] of [
    ['kept', {}],
    ['removed', removed],
  ] as const) {
    await property(db, { id, lat: 37.44, lng: -122.14 })
    await sale(db, {
      sale_id: id,
      property_id: id,
      sold_on: '2020-01-01',
      match_method: 'apn',
      match_confidence: 'high',
    })
    const permit_class = 'whole_house_demolition'
    await permit(db, {
      property_id: id,
      permit_class,
      class_words: ['demolish', 'house'],
      issued_on: '2020-06-01',
      ...given,
    })
  }
  const rebuilds = await marketRebuilds(db, market, { from: '2000-01-01', until: '2100-01-01' })
  expect(rebuilds.map(({ propertyId }) => propertyId)).toEqual(['kept'])
  const sales = await pastSales(db, market, { from: '2000-01-01', until: '2100-01-01' }, 10)
  expect(sales.map(({ propertyId, demolishedOn }) => [propertyId, demolishedOn])).toEqual([
    ['kept', '2020-06-01'],
    ['removed', undefined],
  ])
})

test('removed permits do not count when bare demolitions of a city are judged', async () => {
  const { db } = database()
  const bare = { permit_class: 'whole_house_demolition', class_words: ['demo'], issued_on: '2012-06-01' }
  const house = { permit_class: 'new_house', issued_on: '2012-08-01' }
  for (let at = 0; at < 30; at += 1) await permit(db, { apn_key: `lot-${at}`, ...bare })
  for (let at = 0; at < 12; at += 1) await permit(db, { apn_key: `lot-${at}`, ...house })
  await permit(db, { apn_key: 'later', ...house, issued_on: '2018-01-01' })
  const doubted = async () => (await sql`${doubtfulDemolitions(market)}`.execute(db)).rows.length
  expect(await doubted()).toBe(18)
  await sql`update permit set removed_at = now() where permit_class <> 'new_house' and apn_key > 'lot-2'`.execute(db)
  expect(await doubted()).toBe(0)
})

test('a removed parcel is neither a lead nor counted as a home of its city', async () => {
  const { db } = database()
  for (const [id, given] of [
    ['kept', {}],
    ['removed', removed],
  ] as const) {
    await property(db, { id, ...given })
    const scores = { adu: adu({ aduScore: 90 }), adu_score: 90, redevelopment_score: 90 }
    await assessment(db, id, { ...scores, redevelopment: redevelopment({ redevelopmentScore: 90 }) })
  }
  for (const base of ['accessory_unit', 'redevelopment', 'parcels'] as const) {
    const query = { base, markets: [market], conditions: [], sort: [], today: '2026-11-15' } as const
    const keys = await propertyKeys(db, query, { limit: 10, offset: 0 })
    expect([keys.map(({ id }) => id), await countProperties(db, query)]).toEqual([['kept'], 1])
  }
  expect(await homesByCity(db, market)).toEqual(new Map([['palo-alto', 1]]))
})

test('a removed permit is not evidence of work on a home', async () => {
  const { db } = database()
  await property(db, { id: 'p_001home' })
  const remodel = { property_id: 'p_001home', permit_class: 'remodel', issued_on: '2024-06-01' }
  await permit(db, { ...remodel, valuation_usd: 90_000 })
  await permit(db, { ...remodel, valuation_usd: 400_000, ...removed })
  const held = (await permitsByProperty(db, 'sf-peninsula', ['p_001home'], '2100-01-01')).get('p_001home')
  expect(held?.map(({ valuationUsd }) => valuationUsd)).toEqual([90_000])
})

test('sales are counted by what keeps a model from using them, and at the ends of the period', async () => {
  const { db } = database()
  const usable = { lat: 37.44, lng: -122.14, living_sqft: 1_500 }
  const days = ['2019-12-31', '2020-01-01', '2020-06-01', '2020-12-31', '2021-01-01']
  for (const sold_on of days) await sale(db, { sold_on, ...usable })
  const inside = { sold_on: '2020-06-01', ...usable }
  await sale(db, { ...inside, price_usd: 999 })
  await sale(db, { ...inside, price_usd: 1_000 })
  await sale(db, { ...inside, living_sqft: null })
  await sale(db, { ...inside, lat: null, lng: null })
  await sale(db, { sold_on: '2020-06-01', living_sqft: null, price_usd: 5 })
  await sale(db, { ...inside, ...removed })
  await property(db, { id: 'known', lat: 37.4, lng: -122.1, living_sqft: 1_200 })
  await sale(db, { sold_on: '2020-06-01', property_id: 'known', match_method: 'apn', match_confidence: 'high' })
  expect(await saleCounts(db, market, { from: '2020-01-01', until: '2020-12-31' })).toEqual({
    ...{ all: 11, before: 1, after: 1, tokenPrice: 2, noArea: 2, noLocation: 2, usable: 5 },
  })
})
