import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { sql } from '../../src/store/engine/database.ts'
import { indexMarket } from '../../src/store/search/upkeep.ts'
import { listing } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'
import { countyRents, type SmallMarket, smallMarket, today } from '../setup/small-market.ts'

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(numbersIn)
      : []

const service = useService()
let town: SmallMarket
let key: string

const ask = async (path: string, by = key) => {
  const answer = await service().app.inject({ url: `/api${path}`, headers: { 'x-api-key': by } })
  return { status: answer.statusCode, body: answer.json() }
}

beforeAll(async () => {
  const { db } = service()
  service().setNow(today)
  town = await smallMarket(db, 90)
  await countyRents(db)
  await assessMarket(db, 'sf-peninsula', { now: today })
  key = await service().proKey()
}, 120_000)

describe('GET /v1/properties/{id}/proforma', () => {
  test('without replaced assumptions it equals the pro forma of the property', async () => {
    for (const id of town.listed.slice(0, 5)) {
      const [what, own] = [
        await ask(`/v1/properties/${id}/proforma`),
        await ask(`/v1/properties/${id}?include=proforma`),
      ]
      expect(what.status).toBe(200)
      expect(what.body.data.proforma).toEqual(own.body.data.proforma)
      expect(what.body.data.developerROI).toBe(own.body.data.intelligence.developerROI)
      expect(what.body.data.proformaROI).toBe(own.body.data.intelligence.proformaROI)
    }
  })

  test('the lines sum to the capital, and paying the maximum offer gives the target return', async () => {
    const id = town.listed[1]!
    const { data } = (await ask(`/v1/properties/${id}/proforma?targetRoiPct=12`)).body
    const capital = data.lines
      .filter((line: { of: string }) => line.of === 'capital')
      .reduce((sum: number, line: { usd: number }) => sum + line.usd, 0)
    expect(capital).toBe(data.proforma.capital)
    const offer = data.maximumOffer.price
    expect(offer).toBeGreaterThan(0)
    const at = (await ask(`/v1/properties/${id}/proforma?price=${offer}`)).body
    expect(Math.abs(at.data.returnPct - 12)).toBeLessThanOrEqual(0.1)
    expect(at.data.proforma.returnPct).toBe(at.data.returnPct)
  })

  test('a replaced term is used as given', async () => {
    const { data } = (
      await ask(
        `/v1/properties/${town.listed[1]}/proforma?price=1000000&costPerSqft=500&buildSqft=3000&arvPerSqft=1500&softCosts=100000&demoCost=40000&sellingCostPct=5`,
      )
    ).body
    expect(data.proforma).toMatchObject({ capital: 2_640_000, resaleNet: 4_275_000, roiPct: 61.9 })
  })

  test('a parcel that is not for sale needs a price, and works with one', async () => {
    const id = town.ids.find((each) => !town.listed.includes(each))!
    const without = (await ask(`/v1/properties/${id}/proforma`)).body
    expect(without.data.proforma.unmodellableReason).toBe('NO_PRICE')
    expect(without.data).not.toHaveProperty('proformaROI')
    const { data } = (await ask(`/v1/properties/${id}/proforma?price=1500000`)).body
    expect(data.proforma).toMatchObject({ unmodellableReason: null, roiPct: expect.any(Number) })
    expect([without.data, data].map(({ missing }) => missing.includes('price'))).toEqual([true, false])
    expect(data.resaleBasis).toMatch(/of new, renovated or top-priced homes|nearest assessed listings/)
  })

  test('an unknown property is not found', async () => {
    expect((await ask('/v1/properties/nowhere/proforma')).status).toBe(404)
  })
})

describe('GET /v1/properties/{id}/schemes', () => {
  // A minute allows 120 requests of one key.
  beforeEach(async () => {
    key = await service().proKey()
  })
  type Line = { name: string; usd: number; of: string }
  type Scheme = Record<string, number> & {
    kind: string
    lines: Line[]
    cashFlow: Record<string, number>[]
    variants: Scheme[]
    room: { usd: number; low: number; against: string }
  }
  const schemesOf = async (id: string, query = '') => {
    const { status, body } = await ask(`/v1/properties/${id}/schemes${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    const { data } = body
    const of = (kind: string): Scheme | undefined => data.schemes.find((each: Scheme) => each.kind === kind)
    return { data, of }
  }

  test('a new house, a renovation, a rent and a unit have the figures of the four older answers, for every home', async () => {
    const counts = { new_house: 0, renovate: 0, rent: 0, add_unit: 0 }
    for (const [at, id] of town.ids.entries()) {
      if (at % 30 === 0) key = await service().proKey()
      const { data, of } = await schemesOf(id)
      const price = data.priceUsd
      const [pro, own] = [
        (await ask(`/v1/properties/${id}/proforma?price=${price}`)).body.data,
        (await ask(`/v1/properties/${id}?include=proforma,explanation`)).body.data,
      ]
      if (pro.proforma.unmodellableReason === null) {
        const { lines, totalCost, profit, returnPct, maximumOffer, maximumOfferLow } = of('new_house')!
        const withoutDefaults = pro.lines.map(({ defaults: _, ...line }: Line & { defaults?: unknown }) => line)
        expect(lines).toEqual(withoutDefaults)
        expect({ totalCost, profit, returnPct, maximumOffer, maximumOfferLow }).toEqual({
          ...{ totalCost: pro.totalCost, profit: pro.profit, returnPct: pro.returnPct },
          ...{ maximumOffer: pro.maximumOffer.price ?? 0, maximumOfferLow: pro.proforma.maximumOfferLow },
        })
        counts.new_house++
      }
      const { deal } = own.explanation.flippability ?? {}
      if (deal) {
        const { profit, totalCost, maximumOffer } = of('renovate')!
        expect({ profit, totalCost, maximumOffer }).toEqual({
          ...{ profit: deal.profitUsd, totalCost: deal.totalCostUsd, maximumOffer: deal.maximumOffer ?? 0 },
        })
        counts.renovate++
      }
      if (pro.hold) {
        const { noi, terms } = pro.hold
        expect(of('rent')!.yieldPct).toBe(Math.round((1000 * noi) / (price + terms.acquisition)) / 10)
        counts.rent++
      }
      if (own.adu?.economics && of('add_unit')?.gainUsd !== undefined) {
        const unit = [of('add_unit')!, ...of('add_unit')!.variants].find((each) => !('variant' in each))!
        expect(unit.gainUsd).toBe(own.adu.economics.gainUsd)
        counts.add_unit++
      }
    }
    expect(counts.new_house, JSON.stringify(counts)).toBeGreaterThan(60)
    expect(counts.renovate, JSON.stringify(counts)).toBeGreaterThan(5)
    expect(Math.min(counts.rent, counts.add_unit), JSON.stringify(counts)).toBeGreaterThan(60)
  })

  test('a windowed key reads no price of a sale before its window from a use, its room or an order by it', async () => {
    const { db } = service()
    const { rows } = await sql<{ price: number }>`select price_usd as price from sale`.execute(db.withSchema('g00'))
    const prices = new Set(rows.map(({ price }) => Number(price)))
    const free = await service().freeKey()
    const sold = town.ids.find((id) => !town.listed.includes(id))!
    const questions = [
      `/v1/properties/${sold}/schemes`,
      `/v1/properties/${sold}/schemes?scheme=new_house&include=cashFlow,risk`,
      `/v1/properties/${sold}?include=proforma`,
      `/v1/properties/${sold}/built-nearby`,
      '/v1/redevelopment-leads?minScore=0&sort=-room.low&limit=25',
      '/v1/adu-leads?minScore=0&sort=-room.usd&limit=25',
      '/v1/market-signals?sort=-room.low&limit=25',
      '/v1/use-leads?use=small_lots&sort=-bestUse.maximumOffer',
    ]
    const answers = async (by: string, more: string) =>
      Promise.all(
        questions.map(async (path) => {
          const { status, body } = await ask(`${path}${path.includes('?') ? '&' : '?'}x${more}=1`, by)
          const { ignored: _, suggestions: _none, asOf: _asOf, ...rest } = body
          return { path, status, rest }
        }),
      )
    const before = await answers(free, 'a')
    expect(prices.size).toBeGreaterThan(40)
    for (const { path, status, rest } of before)
      expect([path, status, numbersIn(rest).filter((number) => prices.has(number))]).toEqual([path, 200, []])
    // A sale that the window hides changes nothing, although the home now has a sold listing with its price.
    await listing(db, {
      ...{ property_id: sold, status: 'sold', sold_on: '2026-08-01', listed_on: '2026-07-01', price_usd: 1_234_567 },
    })
    await indexMarket(db, 'sf-peninsula')
    expect(await answers(free, 'b')).toEqual(before)
    const pro = await answers(key, 'c')
    expect(pro[2]!.rest.data).toMatchObject({ status: 'sold', decision: { text: 'Sold Aug 1, 2026.' } })
    await sql`delete from listing where property_id = ${sold}`.execute(db.withSchema('g00'))
    await indexMarket(db, 'sf-peninsula')
  })

  test('own numbers and own facts of one key reach no other key, neither directly nor through the cache', async () => {
    const [first, second] = [await service().proKey(), await service().proKey()]
    const id = town.listed[2]!
    const path = `/v1/properties/${id}/schemes`
    const send = async (url: string, payload: object) =>
      (
        await service().app.inject({ method: 'POST', url: `/api/v1${url}`, headers: { 'x-api-key': first }, payload })
      ).json().data
    const usual = (await ask(path, second)).body.data
    const own = `${path}?assumptions=${encodeURIComponent('{"baseCostPerSqft":900}')}`
    const set = await send('/assumption-sets', { name: 'Dear', values: { baseCostPerSqft: 900 } })
    const mine = (await ask(`${path}?assumptionSet=${set.id}`, first)).body
    expect(mine.data).toEqual((await ask(own, first)).body.data)
    expect(mine.data.schemes).not.toEqual(usual.schemes)
    expect((await ask(`${path}?assumptionSet=${set.id}`, second)).status).toBe(400)
    await send('/deals', { propertyId: id, facts: { livingSqft: 4_321 } })
    const corrected = (await ask(path, first)).body
    expect(corrected.ownFacts).toMatchObject([{ fact: 'livingSqft', value: 4_321 }])
    expect(corrected.data.schemes).not.toEqual(usual.schemes)
    for (const again of ['', '?']) expect((await ask(`${path}${again}`, second)).body.data).toEqual(usual)
    const row = async (by: string) => (await ask(`/v1/market-signals?id=${id}`, by)).body.data[0].bestUse
    expect(await row(first)).toEqual(await row(second))
  })

  test('what the assessment stored is what reading computes, for homes on the market and others', async () => {
    const others = town.ids.filter((id) => !town.listed.includes(id)).slice(0, 15)
    for (const id of [...town.listed.slice(0, 10), ...others]) {
      const { data } = await schemesOf(id)
      const rows = await sql<{ uses: { best?: { kind: string; maximumOffer: number } } }>`
        select uses from assessment where property_id = ${id}`.execute(service().db.withSchema('g00'))
      const { best } = rows.rows[0]!.uses
      expect(data.best?.kind).toBe(best?.kind)
      if (best) expect(data.schemes[0].maximumOffer).toBe(best.maximumOffer)
    }
  })

  test('sums over the months equal the lines to the dollar, for every scheme', async () => {
    for (const id of town.listed.slice(0, 1)) {
      const { data } = await schemesOf(id)
      for (const { kind } of data.schemes) {
        const { of } = await schemesOf(id, `?scheme=${kind}&include=cashFlow`)
        const { cashFlow, lines, totalCost, proceedsNet, profit } = of(kind)!
        if (!cashFlow) continue
        const sum = (name: string) => cashFlow.reduce((all, month) => all + month[name]!, 0)
        const line = (...names: string[]) =>
          lines.filter((each) => names.includes(each.name)).reduce((all, each) => all + each.usd, 0)
        expect(sum('purchase')).toBe(line('purchase', 'acquisition'))
        expect(sum('hard')).toBe(line('hardCost', 'demoCost', 'contingency'))
        expect(sum('soft')).toBe(line('softCosts'))
        expect(sum('fees')).toBe(line('points'))
        expect(sum('holding')).toBe(line('tax', 'insurance'))
        expect(sum('interest')).toBe(line('interest'))
        expect(sum('proceeds')).toBe(line('resaleGross', 'sellingCosts'))
        expect([sum('proceeds'), -sum('equity'), sum('loan')]).toEqual([proceedsNet, profit, 0])
        expect(totalCost).toBe(proceedsNet! - profit!)
      }
    }
  })

  test('rows carry the best use, and lists filter and sort by its room', async () => {
    const { body } = await ask('/v1/market-signals?market=sf-peninsula&sort=-room.usd&limit=25')
    const rooms = body.data.flatMap((row: { bestUse?: { room?: { usd: number } } }) => row.bestUse?.room?.usd ?? [])
    expect(rooms.length).toBeGreaterThan(5)
    expect(rooms).toEqual(rooms.toSorted((a: number, b: number) => b - a))
    const least = rooms[2]!
    const { body: filtered } = await ask(`/v1/market-signals?market=sf-peninsula&minRoom=${least}&limit=25`)
    expect(filtered.data.every((row: { bestUse: { room: { usd: number } } }) => row.bestUse.room.usd >= least)).toBe(
      true,
    )
  })

  test('approval and scheme are those of the decision; with own numbers they find the same homes, and nothing that a window hides', async () => {
    type Row = {
      id: string
      decision: { scheme?: string; approval?: string }
      bestUse?: { scheme?: string; room?: object }
    }
    const rowsOf = async (query: string, by = key): Promise<Row[]> =>
      (await ask(`/v1/market-signals?market=sf-peninsula&limit=100${query}`, by)).body.data
    const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).sort()
    const all = await rowsOf('')
    const own = `&assumptions=${encodeURIComponent('{"baseCostPerSqft":900}')}`
    for (const name of ['approval', 'scheme'] as const) {
      const values = new Set(all.flatMap(({ decision }) => decision[name] ?? []))
      expect(values.size).toBeGreaterThan(name === 'scheme' ? 1 : 0)
      for (const value of values) {
        const found = await rowsOf(`&${name}=${value}`)
        expect(ids(found)).toEqual(ids(all.filter(({ decision }) => decision[name] === value)))
        expect(ids(await rowsOf(`&${name}=${value}${own}`))).toEqual(ids(found))
      }
    }
    const { db } = service()
    const [{ id, bestUse }] = all.filter((row) => row.bestUse?.room) as [Row]
    await sql`update listing set status = 'sold', sold_on = '2026-01-05', sold_price_usd = 1234567 where property_id = ${id}`.execute(
      db,
    )
    await indexMarket(db, 'sf-peninsula')
    const windowed = await service().freeKey()
    for (const query of [`&scheme=${bestUse!.scheme}&status=sold`, '&minRoom=-100000000&status=sold'])
      expect(ids(await rowsOf(query, windowed))).not.toContain(id)
    const lead = (await ask(`/v1/redevelopment-leads?minScore=0&minRoom=-100000000&id=${id}`, windowed)).body.data[0]
    expect(lead?.bestUse.room.against ?? 'value').toBe('value')
    await sql`update listing set status = 'active', sold_on = null, sold_price_usd = null where property_id = ${id}`.execute(
      db,
    )
    await indexMarket(db, 'sf-peninsula')
  })

  test('own numbers apply to every scheme, room is against the price to beat, and months need one scheme', async () => {
    const id = town.listed[1]!
    const [market, dearer] = [
      await schemesOf(id),
      await schemesOf(id, `?assumptions=${encodeURIComponent('{"baseCostPerSqft":900}')}`),
    ]
    expect(dearer.of('new_house')!.maximumOffer).toBeLessThan(market.of('new_house')!.maximumOffer!)
    const { maximumOffer, room } = market.of('new_house')!
    expect(room.usd).toBe(maximumOffer! - market.data.priceUsd)
    const refused = await ask(`/v1/properties/${id}/schemes?include=cashFlow`)
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('scheme=new_house')])
    expect((await ask('/v1/properties/nowhere/schemes')).status).toBe(404)
    expect((await schemesOf(id, '?price=1000000')).data).toMatchObject({ priceUsd: 1_000_000, against: 'given' })
  })

  test('draws the risk of one scheme, the same for all schemes of a property; what is only kept has none', async () => {
    const id = town.listed[1]!
    const risk = async (query: string) => (await schemesOf(id, `?include=risk&${query}`)).data.schemes[0].risk
    const house = await risk('scheme=new_house')
    expect(house).toEqual(await risk('scheme=new_house&'))
    expect(house).toMatchObject({ draws: 5_000, seed: expect.any(Number) })
    expect(house.returnPct.p10).toBeLessThan(house.returnPct.p50)
    expect((await risk('scheme=new_house&price=1000')).lossPct).toBeLessThan(house.lossPct)
    expect(await risk('scheme=keep')).toBeUndefined()
    const sure = { marketRiskPct: 0, costRiskPct: 0, permitRiskPct: 0, buildRiskPct: 0, saleRiskPct: 0 }
    const own = await risk(`scheme=new_house&assumptions=${encodeURIComponent(JSON.stringify(sure))}`)
    expect(own.returnPct.p10).toBeGreaterThan(house.returnPct.p10)
  })
})

test('an explanation contains rule traces, envelope, heat and model version', async () => {
  const { data } = (await ask(`/v1/properties/${town.listed[0]}?include=explanation`)).body
  const { explanation } = data
  expect(explanation.sb9.trace.length).toBeGreaterThan(5)
  expect(explanation.adu.trace.length).toBeGreaterThan(3)
  expect(explanation.envelope.maxSqft).toBeGreaterThan(500)
  const { rows } = await sql`select 1 from market_heat where heat_index is not null limit 1`.execute(service().db)
  if (rows.length > 0) expect(explanation.marketHeat.parts.length).toBeGreaterThan(0)
  for (const name of ['teardown', 'condition', 'flippability', 'biddingWar', 'proforma', 'value', 'heat'])
    expect(explanation[name]).toMatchObject({ modelVersion: expect.any(String), confidence: expect.any(String) })
})

test('where the expected price leaves the range of the value, the answer says so and neither is high', async () => {
  const { db } = service()
  const [tense, calm] = [town.listed[5]!, town.listed[6]!]
  await sql`
    update assessment set explanation = jsonb_set(explanation::jsonb, '{value,confidence}', '"high"')
    where property_id = any(${[tense, calm]})`.execute(db)
  await sql`
    update assessment set proforma = jsonb_set(proforma::jsonb, '{priceTension}', '{"text": "Asked far above its value."}')
    where property_id = ${tense}`.execute(db)
  for (const include of ['', '?include=comps', '?include=explanation']) {
    const { valueEstimate, priceTension } = (await ask(`/v1/properties/${tense}${include}`)).body.data.intelligence
    expect(valueEstimate.confidence, include).toBe('medium')
    expect(priceTension.text).toBe('Asked far above its value.')
    const other = (await ask(`/v1/properties/${calm}${include}`)).body.data.intelligence
    expect(other.valueEstimate.confidence, include).toBe('high')
    expect(other).not.toHaveProperty('priceTension')
  }
  const { basis, asOf } = (await ask(`/v1/properties/${calm}`)).body.data.intelligence.valueEstimate
  expect(basis).toMatchObject({ model: expect.any(Number), weightOfComps: expect.any(Number) })
  expect(asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})
