// Starts the pages on a fresh database, and adds rows that set only what a test needs.

import { clientOf } from '../../src/api/client-address.ts'
import { memoryLimits } from '../../src/api/rate-limits.ts'
import { addressKey } from '../../src/domain/address/address.ts'
import { stateOf } from '../../src/domain/packs/markets.ts'
import { type Db, sql } from '../../src/store/engine/database.ts'
import { recountMarket } from '../../src/store/ingest/dataset-counts.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { indexPropertiesOf } from '../../src/store/search/upkeep.ts'
import { buildBrowser } from '../../src/web/build-browser.ts'
import { mountPages } from '../../src/web/mount-pages.ts'
import type { PageOptions } from '../../src/web/site.ts'
import { builderKey } from '../../src/wire/builders.ts'
import { type Service, type ServiceOptions, startService } from '../setup/service.ts'

export interface TestSite extends Service {
  /** The base URL; reachable only with `listening`. */
  url: string
}

/** With `listening`, listens on a free port and uses that URL as the public URL. */
export const startSite = async ({
  listening = false,
  pagesPerMinute,
  service: serviceOptions,
  ...options
}: {
  listening?: boolean
  pagesPerMinute?: number
  service?: ServiceOptions
} & Partial<PageOptions> = {}): Promise<TestSite> => {
  await buildBrowser()
  const limits = memoryLimits()
  const counted: PageOptions['limits'] = {
    hit: (bucket, limit) => limits.hit(bucket, bucket.startsWith('pages:') ? (pagesPerMinute ?? 10_000) : limit),
  }
  const service = await startService({
    ...serviceOptions,
    beforeReady: (app, services) =>
      mountPages(app, { sendsMail: true, ...options, services, clientOf, limits: counted }),
  })
  const url = listening ? await service.app.listen({ port: 0, host: '127.0.0.1' }) : 'http://lotline.test'
  // The port is known only after listening.
  service.services.publicUrl = url
  return { ...service, url }
}

/** Text from a feed that would run as a script if a page did not escape it. */
export const planted = '<script>window.planted=1</script><img src=x onerror="window.planted=1">"\'&'

interface PropertyOptions {
  market?: 'sf-peninsula' | 'nantucket'
  city?: string
  citySlug?: string
  address?: string
  price?: number
  status?: string
  rankScore?: number
  remarks?: string
  lat?: number
  lng?: number
}

export const addSource = (db: Db, { sample = false, title = 'Test source' } = {}) =>
  sql`insert into source (id, kind, holds, title, sample, config) values ('test', 'csv', 'listings', ${title}, ${sample}, '{}')
    on conflict do nothing`.execute(db)

export const addProperty = async (db: Db, id: string, given: PropertyOptions = {}) => {
  const { market = 'sf-peninsula', city = 'Palo Alto', citySlug = 'palo-alto', address = `${id} Oak St` } = given
  const { price = 2_400_000, status = 'active', rankScore = 50, lat = 37.43, lng = -122.14 } = given
  await addSource(db)
  await sql`insert into property (id, market, state, city, city_slug, address, address_key, lat, lng, living_sqft, lot_sqft, beds, baths,
      year_built, zoning, known_from, source_id, collected_at)
    values (${id}, ${market}, ${stateOf(market)}, ${city}, ${citySlug}, ${address}, ${addressKey(address)}, ${lat}, ${lng}, 1400, 7500, 3, 2,
      1951, 'R-1', 'parcel', 'test', '2026-11-01')`.execute(db)
  await sql`insert into listing (source_id, listing_id, property_id, match_method, match_confidence, market, state, city_slug, status, price_usd,
      listed_on, remarks, current, collected_at)
    values ('test', ${`L-${id}`}, ${id}, 'apn', 'high', ${market}, ${stateOf(market)}, ${citySlug}, ${status}, ${price}, '2026-10-20',
      ${given.remarks ?? null}, true, '2026-11-01')`.execute(db)
  await sql`insert into assessment (property_id, market, city_slug, model_version, content_hash, assessed_at, assessed_on, teardown_score,
      flippability_score, rank_score, developer_roi, proforma, value_usd, value_low_usd, value_high_usd, explanation)
    values (${id}, ${market}, ${citySlug}, 'test-1', ${id}, '2026-11-10', '2026-11-10', ${rankScore}, 40, ${rankScore}, 6.4,
      ${JSON.stringify(proformaFor(price))}, 2450000, 2200000, 2700000, ${JSON.stringify(explanation)})`.execute(db)
  await recountMarket(db, market)
  await indexPropertiesOf(db, market, [id])
}

/** A consistent pro forma: capital and resale are computed from the terms. */
const proformaFor = (price: number) => {
  const [buildSqft, costPerSqft, arvPerSqft] = [3_000, 600, 1_900]
  const hardCost = buildSqft * costPerSqft
  const softCosts = Math.round(hardCost * 0.15)
  const capital = price + hardCost + softCosts + 35_000
  // The selling costs and the transfer tax of Palo Alto.
  const sellingCostPct = 5.84
  const resaleNet = Math.round(buildSqft * arvPerSqft * (1 - sellingCostPct / 100))
  return {
    roiPct: Math.round((1000 * (resaleNet - capital)) / capital) / 10,
    buildSqft,
    arvPerSqft,
    capital,
    resaleNet,
    compCount: 8,
    confidence: 'medium',
    unmodellableReason: null,
    assumptions: {
      costPerSqft,
      softCosts,
      demoCost: 35_000,
      existingSqft: buildSqft,
      sellingCostPct,
      contingencyPct: 10,
      months: 20,
      ratePct: 9,
      shrinkWeight: 0.8,
      marketMeanRoiPct: 4,
      buildSizeBasis: 'zoning allows 3,000 sq ft',
    },
  }
}

const explanation = {
  teardown: {
    score: 50,
    parts: [
      { name: 'landShare', points: 21.5, because: 'land is 84% of the value' },
      { name: 'age', points: -4.25, because: 'built 1951' },
    ],
    used: ['yearBuilt'],
    missing: ['conditionScore'],
    confidence: 'medium',
  },
}

interface PermitOptions {
  address?: string
  description?: string
  valuation?: number
  issuedOn?: string
  contractor?: string
  propertyId?: string
  city?: string
  citySlug?: string
}

export const addPermit = async (db: Db, permitId: string, given: PermitOptions = {}) => {
  await addSource(db)
  await sql`insert into permit (city_slug, permit_id, source_id, market, state, city, property_id, match_method, match_confidence, address,
      project_type, description, valuation_usd, contractor, contractor_key, issued_on, status, permit_class, class_words, collected_at)
    values (${given.citySlug ?? 'palo-alto'}, ${permitId}, 'test', 'sf-peninsula', 'CA', ${given.city ?? 'Palo Alto'}, ${given.propertyId ?? null}, 'apn', 'high',
      ${given.address ?? '1 Oak St'}, 'Residential', ${given.description ?? 'New two-story house'}, ${given.valuation ?? 900_000},
      ${given.contractor ?? 'Bright Builders'}, ${builderKey(given.contractor ?? 'Bright Builders') ?? null}, ${given.issuedOn ?? '2026-10-01'}, 'issued', 'new_house', '{new}', '2026-11-01')`.execute(
    db,
  )
  await indexPermits(db)
}
