import { describe, expect, test } from 'vitest'
import { findCity } from '../../../src/domain/packs/markets.ts'
import { classifyPermit } from '../../../src/ingest/permit-class.ts'
import { sampleFeeds } from '../../../src/ingest/sample-data.ts'
import { listingStatus } from '../../../src/ingest/vocabulary.ts'
import { medianIfAny } from '../../../src/intelligence/statistics/average.ts'
import { dayOf } from '../../../tools/sample/calendar.ts'
import { historyOf } from '../../../tools/sample/history.ts'
import { streetsOf } from '../../../tools/sample/maps.ts'
import { defaultSeed } from '../../../tools/sample/random.ts'
import { cityActivity, isOnLand, sampleMarkets, zones } from '../../../tools/sample/zones.ts'
import { feedColumns } from './feed-columns.ts'
import type { Row } from './feeds.ts'
import { generated, keyOf } from './feeds.ts'
import { sampleOf } from './generate-sample.ts'
import type { Corner } from './outlines.ts'
import { boundsOf, meet, meters, outlineOf, overlap, shrunk, toLine } from './outlines.ts'

const today = '2026-11-15'
const feeds = generated(defaultSeed, today)
const { parcels, listings, sales, permits } = feeds
const data = sampleOf(defaultSeed, today)
/** Of a list that is not empty. */
const median = (values: readonly number[]): number => medianIfAny(values)!
const sampleStreets = sampleMarkets.flatMap((market) => streetsOf(market, data.neighborhoods))
const placeholders = ['', '$1', '1', '0.00']

describe('the feeds as a whole', () => {
  test('columns are as documented and every key occurs once', () => {
    for (const name of sampleFeeds) {
      expect(Object.keys(feeds[name][0] as Row)).toEqual(feedColumns[name])
      expect(new Set(feeds[name].map((row) => keyOf(name, row))).size).toBe(feeds[name].length)
    }
  })

  test('the sample has the documented number of parcels, listings, sales and permits', () => {
    expect(parcels).toHaveLength(6_000)
    expect(parcels.filter((p) => p.market === 'nantucket')).toHaveLength(1_200)
    for (const { city } of cityActivity)
      expect(parcels.filter((p) => p.city === city).length).toBeGreaterThanOrEqual(60)
    expect(listings).toHaveLength(1_000)
    expect(sales.length).toBeGreaterThan(2_900)
    expect(sales.length).toBeLessThan(3_200)
    expect(permits.length).toBeGreaterThan(7_000)
    expect(permits.length).toBeLessThan(8_000)
  })

  test('no row is dated after the given day or before its window', () => {
    const dates = ['listedOn', 'pendingOn', 'soldOn', 'appliedOn', 'issuedOn', 'finaledOn']
    const future = [...listings, ...sales, ...permits].filter((row) => dates.some((name) => (row[name] ?? '') > today))
    expect(future).toEqual([])
    expect(sales.every((s) => (s.soldOn as string) >= '2023-11-15')).toBe(true)
    expect(permits.every((p) => (p.issuedOn || (p.appliedOn as string)) >= '2021-11-15')).toBe(true)
  })

  test.runIf(process.env.LOTLINE_WEEKLY)(
    'a sample of another seed generated years later has other parcels and the same volumes',
    () => {
      const later = generated(defaultSeed + 1, '2029-04-02')
      expect(later.parcels).not.toEqual(parcels)
      expect(later.listings).toHaveLength(1_000)
      expect(later.sales.length).toBeGreaterThan(2_800)
      expect(later.permits.length).toBeGreaterThan(6_750)
    },
    60_000,
  )
})

describe('parcels', () => {
  test('every parcel is on land, inside the bounding box of its city', () => {
    const misplaced = parcels.filter((p) => {
      const lat = Number(p.lat)
      const lng = Number(p.lng)
      const { box } = zones.find((zone) => zone.city === p.city) as (typeof zones)[number]
      const inBox = lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east
      return !inBox || !isOnLand(p.market!, [lng, lat])
    })
    expect(misplaced).toEqual([])
  })

  test('no address occurs twice in a city, and none uses a real house number', () => {
    expect(new Set(parcels.map((p) => `${p.address}|${p.city}`)).size).toBe(parcels.length)
    const lowest = (p: Row): number => (p.market === 'nantucket' ? 901 : 9001)
    const all = [...parcels, ...listings, ...sales, ...permits]
    expect(all.filter((p) => Number.parseInt(p.address as string, 10) < lowest(p))).toEqual([])
    expect(parcels.every((p) => Number((p.apn as string).slice(0, 3)) >= 900)).toBe(true)
  })

  test('every row has a ZIP code of its city, one per neighborhood, with a leading zero on Nantucket', () => {
    for (const row of [...parcels, ...listings, ...sales, ...permits])
      expect(findCity(row.city as string)!.zipCodes, row.city).toContain(row.zip)
    const zipsOn = (city: string, street: string): string[] => [
      ...new Set(parcels.filter((p) => p.city === city && p.address?.includes(street)).map((p) => p.zip as string)),
    ]
    expect(zipsOn('Nantucket', 'Baxter Rd')).toEqual(['02564'])
    expect(zipsOn('Menlo Park', ' ')).toEqual(['94025'])
    expect(zipsOn('Palo Alto', ' ').sort()).toEqual(['94301', '94303', '94306'])
  })

  test('homes on a street are near each other', () => {
    const street = parcels.filter((p) => p.city === 'Palo Alto' && p.address?.endsWith('Waverley St'))
    expect(street.length).toBeGreaterThan(5)
    const lats = street.map((p) => Number(p.lat))
    expect((Math.max(...lats) - Math.min(...lats)) * 111_195).toBeLessThan(3_000)
  })

  test('lot width times depth is the lot size', () => {
    const measured = parcels.filter((row) => row.lotWidthFt && row.lotSqft)
    expect(measured.length).toBeGreaterThan(5_000)
    const off = (p: Row): number => (Number(p.lotWidthFt) * Number(p.lotDepthFt)) / Number(p.lotSqft) - 1
    expect(measured.filter((p) => Math.abs(off(p)) > 0.02)).toEqual([])
  })

  test('each outline has the width, depth and point of its lot, and all of it is on land', () => {
    const wrong = parcels.filter((p) => {
      const [a, b, c] = outlineOf(p) as [Corner, Corner, Corner]
      const center = [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2] as const
      const off = meters(center, [Number(p.lng), Number(p.lat)])
      const onLand = outlineOf(p).every((corner) => isOnLand(p.market!, corner))
      const measured = p.lotWidthFt !== ''
      const width = Math.abs(meters(a, b) / 0.3048 - Number(p.lotWidthFt))
      const depth = Math.abs(meters(b, c) / 0.3048 - Number(p.lotDepthFt))
      return !onLand || off > 2 || (measured && (width > 2 || depth > 4))
    })
    expect(wrong).toEqual([])
  })

  test('no two lots overlap', () => {
    const boxes = parcels
      .map((p) => ({ corners: outlineOf(p), ...boundsOf(outlineOf(p)) }))
      .sort((a, b) => a.west - b.west)
    const overlapping: unknown[] = []
    boxes.forEach((a, i) => {
      for (let j = i + 1; j < boxes.length && (boxes[j] as (typeof boxes)[number]).west < a.east; j++) {
        const b = boxes[j] as (typeof boxes)[number]
        if (b.south < a.north && b.north > a.south && overlap(shrunk(a.corners), shrunk(b.corners)))
          overlapping.push([a.corners, b.corners])
      }
    })
    expect(overlapping).toEqual([])
  })

  test('even and odd house numbers are on different sides of the street, and a corner lot is beside a cross street', () => {
    const street = sampleStreets.filter(({ name }) => name !== undefined)
    const crossings = (p: Row): number =>
      outlineOf(p).filter((corner, i, all) => {
        const next = all[(i + 1) % all.length] as Corner
        const middle = [(corner[0] + next[0]) / 2, (corner[1] + next[1]) / 2] as const
        return street.some(({ market, path }) => market === p.market && toLine(middle, path as [Corner, Corner]) < 8)
      }).length
    const some = parcels.filter((_, i) => i % 97 === 0)
    expect(some.filter((p) => p.cornerLot === 'yes' && crossings(p) !== 2)).toEqual([])
    expect(some.filter((p) => p.cornerLot === 'no' && crossings(p) !== 1)).toEqual([])
    const [first] = sampleStreets.filter(({ name, market }) => name === 'Waverley St' && market === 'sf-peninsula')
    const [from, to] = first?.path as [Corner, Corner]
    const onStreet = parcels.filter((p) => p.city === 'Palo Alto' && p.address?.endsWith('Waverley St'))
    const sides = onStreet.map((p) => {
      const left = (to[0] - from[0]) * (Number(p.lat) - from[1]) - (to[1] - from[1]) * (Number(p.lng) - from[0]) > 0
      return left === (Number.parseInt(p.address as string, 10) % 2 === 0)
    })
    expect(new Set(sides).size).toBe(1)
  })

  test('streets and roads are one network per market, and none crosses a lot', () => {
    for (const market of sampleMarkets) {
      const own = sampleStreets.filter((each) => each.market === market).map(({ path }) => path as [Corner, Corner])
      const reached = new Set([own[0]!])
      for (const street of reached)
        for (const each of own) if (!reached.has(each) && meet(street, each)) reached.add(each)
      expect(own.filter((each) => !reached.has(each))).toEqual([])
      const some = parcels.filter((p, i) => p.market === market && i % 23 === 0)
      const inside = (p: Row): boolean =>
        own.some((path) => toLine([Number(p.lng), Number(p.lat)], path) < 3 + 0.15 * Number(p.lotWidthFt || 40))
      expect(some.filter(inside)).toEqual([])
    }
  })

  test('a parcel is in one of its city’s zoning districts', () => {
    const allowed = new Set(zones.flatMap((zone) => zone.districts.map(([name]) => `${zone.city} ${name}`)))
    expect(parcels.filter((p) => p.zoning && !allowed.has(`${p.city} ${p.zoning}`))).toEqual([])
  })

  test('all of Nantucket is a historic district and overlays include unknown values', () => {
    const island = parcels.filter((p) => p.market === 'nantucket')
    expect(island.every((p) => p['overlay.historicDistrict'] === 'yes')).toBe(true)
    for (const value of ['yes', 'no', 'unknown', '']) {
      expect(parcels.some((p) => p['overlay.veryHighFire'] === value)).toBe(true)
    }
    const coastal = parcels.filter((p) => p['overlay.coastalZone'] === 'yes').map((p) => p.city)
    expect([...new Set(coastal)].sort()).toEqual(expect.arrayContaining(['Half Moon Bay', 'Pacifica']))
  })
})

describe('listings and sales', () => {
  const status = (row: Row): string => (row.status as string).toLowerCase()

  test('all statuses occur, and Nantucket has at least 100 listings, some sold and some relisted', () => {
    const words = new Set(listings.map(status))
    for (const word of ['active', 'coming soon', 'pending', 'closed', 'withdrawn', 'expired', 'canceled']) {
      expect(words).toContain(word)
    }
    const island = listings.filter((l) => l.market === 'nantucket')
    expect(island.length).toBeGreaterThanOrEqual(100)
    expect(island.filter((l) => status(l) === 'closed').length).toBeGreaterThan(20)
    const twice = Map.groupBy(
      island.filter((l) => l.apn),
      (l) => l.apn,
    )
    expect([...twice.values()].some((rows) => rows.length > 1)).toBe(true)
  })

  test('dates and prices follow the status', () => {
    for (const l of listings) {
      const word = status(l)
      if (word === 'coming soon') expect(l.listedOn).toBe('')
      else expect(l.listedOn).not.toBe('')
      if (l.pendingOn) expect((l.pendingOn as string) >= (l.listedOn as string)).toBe(true)
      expect(Number(l.soldPriceUsd) > 0).toBe(word === 'closed')
      if (word === 'closed') expect((l.soldOn as string) > (l.pendingOn as string)).toBe(true)
      expect(Number(l.priceUsd)).toBeGreaterThan(100_000)
      expect(Number(l.originalPriceUsd)).toBeGreaterThanOrEqual(Number(l.priceUsd) * 0.97)
    }
  })

  test('some listings have only an address, and a few match no parcel', () => {
    const known = new Set(parcels.map((p) => p.apn))
    expect(listings.filter((l) => l.apn).every((l) => known.has(l.apn as string))).toBe(true)
    const without = listings.filter((l) => !l.apn)
    expect(without.length).toBeGreaterThan(30)
    const unmatched = without.filter((l) => Number.parseInt(l.address as string, 10) >= 19_000)
    expect(unmatched.length).toBeGreaterThan(0)
    expect(unmatched.length).toBeLessThan(25)
  })

  test('a closed listing has its recorded sale', () => {
    const bySale = new Map(sales.map((s) => [s.saleId, s]))
    for (const l of listings.filter((row) => status(row) === 'closed')) {
      const sale = bySale.get(`D-${l.listingId}`)
      expect(sale?.priceUsd).toBe(l.soldPriceUsd)
      expect(sale?.soldOn).toBe(l.soldOn)
    }
  })

  test('median prices are within 15% of the target medians', () => {
    const houses = sales.filter((s) => s.propertyType === 'single_family')
    for (const zone of zones.filter((z) => z.market === 'sf-peninsula')) {
      const prices = houses.filter((s) => s.city === zone.city).map((s) => Number(s.priceUsd))
      expect(Math.abs(median(prices) / zone.medianPriceUsd - 1), zone.city).toBeLessThan(0.15)
    }
    const island = median(houses.filter((s) => s.market === 'nantucket').map((s) => Number(s.priceUsd)))
    expect(island).toBeGreaterThan(3_500_000 * 0.85)
    expect(island).toBeLessThan(3_730_000 * 1.15)
  })

  test('on Nantucket asking prices are cut as often as was counted in 2025, and homes sell for 93% of the first one', () => {
    const island = data.listings.filter(({ parcel }) => parcel.zone.market === 'nantucket')
    const cuts = island.reduce((sum, { asks }) => sum + asks.length - 1, 0)
    expect(Math.abs(cuts / island.length - 275 / 463)).toBeLessThan(0.06)
    const sold = island.filter(({ soldPriceUsd }) => soldPriceUsd !== undefined)
    const ofFirstAsk = median(sold.map(({ soldPriceUsd, asks }) => soldPriceUsd! / asks[0]!.usd))
    expect(Math.abs(ofFirstAsk - 0.93)).toBeLessThan(0.02)
  })

  test('sales follow the season of each market', () => {
    const inMonths = (market: string, months: string[]): number =>
      sales.filter((s) => s.market === market && months.includes((s.soldOn as string).slice(5, 7))).length
    expect(inMonths('sf-peninsula', ['04', '05', '06'])).toBeGreaterThan(
      1.2 * inMonths('sf-peninsula', ['12', '01', '02']),
    )
    expect(inMonths('nantucket', ['08', '09', '10'])).toBeGreaterThan(1.2 * inMonths('nantucket', ['02', '03', '04']))
  })
})

describe('permits', () => {
  const issuedMonths = Map.groupBy(
    permits.filter((p) => p.issuedOn && p.issuedOn >= '2022-01-01' && p.issuedOn < '2026-11-01'),
    (p) => `${p.city} ${p.issuedOn?.slice(0, 7)}`,
  )

  test('every month every city has permits with and without a valuation, with architect, contractor and area', () => {
    expect(issuedMonths.size).toBe(cityActivity.length * 58)
    for (const [month, rows] of issuedMonths) {
      const unvalued = rows.filter((p) => placeholders.includes(p.valuation as string)).length
      expect(unvalued / rows.length, month).toBeGreaterThanOrEqual(0.05)
      expect(rows.length - unvalued, month).toBeGreaterThan(0)
      for (const column of ['architect', 'contractor', 'sqft'])
        expect(
          rows.some((p) => p[column]),
          month,
        ).toBe(true)
    }
  })

  test('one city uses a single project type, the others use several', () => {
    for (const { city } of cityActivity) {
      const types = new Set(permits.filter((p) => p.city === city).map((p) => p.projectType))
      if (zones.find((zone) => zone.city === city)?.permitTypes === 'generic') expect(types.size).toBe(1)
      else expect(types.size).toBeGreaterThan(5)
    }
  })

  test('the dates applied, issued and finaled are in that order', () => {
    const outOfOrder = permits.filter(
      (p) => (p.issuedOn && p.issuedOn < p.appliedOn!) || (p.finaledOn && p.finaledOn < p.issuedOn!) || !p.status,
    )
    expect(outOfOrder).toEqual([])
  })

  test('an apartment building is not classed as a house, and a house not as an apartment building', () => {
    const isBuilding = (p: Row) => Number(p.units) >= 5
    const classes = (rows: readonly Row[]) =>
      new Set(rows.map((p) => classifyPermit(p.projectType, p.description, undefined, Number(p.units)).permitClass))
    expect(classes(permits.filter(isBuilding))).toEqual(new Set(['multifamily']))
    expect(classes(permits.filter((p) => p.units === '1'))).not.toContain('multifamily')
  })

  test('a city gives most of its work to a few firms, and another city to others', () => {
    const general = permits.filter((p) => p.contractor && /Builders|Construction|Sons/.test(p.contractor))
    const largestOf = [...Map.groupBy(general, (p) => p.city).values()].map((jobs) => {
      const byFirm = [...Map.groupBy(jobs, (p) => p.contractor)].map(([firm, of]) => ({ firm, jobs: of.length }))
      const [first] = byFirm.sort((a, b) => b.jobs - a.jobs)
      return { ...first!, share: first!.jobs / jobs.length }
    })
    expect(median(largestOf.map(({ share }) => share))).toBeGreaterThan(0.08)
    expect(new Set(largestOf.map(({ firm }) => firm)).size).toBeGreaterThan(10)
  })

  test('roofers and service firms appear only on permits of their trade', () => {
    const types = (firm: RegExp) =>
      permits.filter((p) => firm.test(p.contractor ?? '')).map((p) => `${p.projectType} ${p.description}`)
    expect(types(/Roofing/).length).toBeGreaterThan(100)
    expect(types(/Roofing|Home Services/).filter((type) => /SFD|single.family res|addition|ADU/i.test(type))).toEqual(
      [],
    )
    expect(types(/Builders|Construction/).filter((type) => /re-?roof|roof.mounted|EV charg/i.test(type))).toEqual([])
  })
})

describe('the generated history', () => {
  const shown = new Set(listings.map((row) => row.listingId))
  const history = historyOf(
    data,
    { listings: data.listings.filter(({ listingId }) => shown.has(listingId)), permits: data.permits },
    data.today,
  )

  test('the changes of a listing are in order and end with what its feed shows', () => {
    const last = new Map(history.listings.map((change) => [change.listingId, change]))
    const differing = listings.filter((row) => {
      const change = last.get(row.listingId!)!
      return Number(row.priceUsd) !== change.priceUsd || listingStatus(row.status!) !== change.status
    })
    expect(differing).toEqual([])
    for (const changes of Map.groupBy(history.listings, ({ listingId }) => listingId).values())
      for (const [at, change] of changes.slice(1).entries()) {
        expect(change.on > changes[at]!.on && change.on <= today).toBe(true)
        expect([change.previousStatus, change.previousPriceUsd]).toEqual([changes[at]!.status, changes[at]!.priceUsd])
      }
  })

  test('changes cover two years, with price cuts and final inspections', () => {
    const days = [...history.permits].map(({ on }) => on).sort()
    expect([days[0]! >= '2024-11-15', days[0]! < '2024-11-25', days.at(-1)! <= today]).toEqual([true, true, true])
    expect(history.permits.some(({ status }) => status === 'finaled')).toBe(true)
    expect(history.listings.some(({ priceUsd, previousPriceUsd }) => priceUsd < (previousPriceUsd ?? 0))).toBe(true)
  })

  test('forecasts are made before the sale, and four of five prices are inside the range', () => {
    const bySale = Map.groupBy(data.sales, ({ parcel }) => parcel.apn)
    const values = history.forecasts.filter(({ model }) => model === 'value')
    const inside = values.filter(({ apn, madeOn, lowUsd, highUsd }) => {
      const next = bySale.get(apn)!.find(({ soldOn }) => soldOn > dayOf(madeOn))!
      return next.priceUsd >= lowUsd! && next.priceUsd <= highUsd!
    })
    expect(values.length).toBeGreaterThan(1_500)
    expect(inside.length / values.length).toBeGreaterThan(0.76)
    expect(inside.length / values.length).toBeLessThan(0.84)
  })
})
