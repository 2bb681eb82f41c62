import { beforeAll, describe, expect, test } from 'vitest'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { sql } from '../../src/store/engine/database.ts'
import { useService } from '../setup/service.ts'
import { type SmallMarket, smallMarket, today } from '../setup/small-market.ts'

const service = useService()
let town: SmallMarket
let key: string

const ask = async (path: string) => {
  const answer = await service().app.inject({ url: `/api${path}`, headers: { 'x-api-key': key } })
  return { status: answer.statusCode, body: answer.json() }
}

beforeAll(async () => {
  const { db } = service()
  service().setNow(today)
  town = await smallMarket(db, 90)
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
    expect(data.warnings.join(' ')).toMatch(/nearest assessed listings/)
  })

  test('an unknown property is not found', async () => {
    expect((await ask('/v1/properties/nowhere/proforma')).status).toBe(404)
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
