// Each rule reports the contradiction it is for. The values were once served.
import { expect, test } from 'vitest'
import type { MarketRecord, PropertyRecord } from '../../src/audit/records.ts'
import { rules, violationsOf } from '../../src/audit/rules.ts'
import { toolAnswerOf } from '../../src/audit/service-reader.ts'
import { exampleAdu } from '../../src/wire/operations/examples.ts'
import { detail, marketRecord, proforma, propertyRecord } from './clean-records.ts'

const withProperty = (change: object): PropertyRecord => ({ ...propertyRecord, ...change })
const inDetail = (change: object): PropertyRecord => withProperty({ detail: { ...detail, ...change } })
const inExplanation = (change: object): PropertyRecord =>
  inDetail({ explanation: { ...detail.explanation, ...change } })
const withMarket = (change: object): MarketRecord => ({ ...marketRecord, ...change })
const because = (text: string, name = 'age') => ({ name, points: 1, because: text })
const finding = (...texts: string[]) => {
  const parts = texts.map((text) => because(text))
  return { parts, top: parts.slice(0, 5), other: { points: Math.max(0, parts.length - 5) } }
}

type Example = ['property', PropertyRecord] | ['market', MarketRecord]

/** Contradictory values that were once served, by the rule that reports them. */
const contradictory: Record<string, Example> = {
  'pro-forma-arithmetic': ['property', inDetail({ proforma: { ...proforma, returnPct: undefined } })],
  'one-return': ['property', inDetail({ proforma: { ...proforma, returnPct: undefined } })],
  'maximum-offer': [
    'property',
    withProperty({
      whatIf: { maximumOffer: { targetRoiPct: 15, price: 2_640_723, priceAfterCarry: 2_074_010 } },
      atMaximumOffer: { returnAfterCarryPct: 1.2 },
    }),
  ],
  'stress-delay': [
    'property',
    withProperty({
      whatIf: { stress: [0, 6, 12].map((extraMonths) => ({ resalePct: -15, costPct: 0, extraMonths, roiPct: -0.3 })) },
    }),
  ],
  'no-smaller-house': [
    'property',
    inDetail({ proforma: { ...proforma, buildSqft: 2_100 }, facts: { ...detail.facts, livingSqft: 2_400 } }),
  ],
  holding: ['property', inDetail({ hold: { ...detail.hold, noi: 99_000 } })],
  'accessory-unit-economics': ['property', inDetail({ adu: { economics: { ...exampleAdu, returnPct: 40 } } })],
  'value-from-comparables': [
    'property',
    inDetail({
      comps: [2_751_929, 2_830_000, 2_900_000].map((adjustedUsd) => ({
        ...detail.comps![0],
        adjustedUsd,
        weight: 0.33,
      })),
    }),
  ],
  'value-condition': [
    'property',
    inExplanation({ flippability: { deal: { ...detail.explanation!.flippability!.deal, valueNowUsd: 2_979_159 } } }),
  ],
  'resale-comparables': ['property', inDetail({ resaleComps: undefined })],
  'flip-arithmetic': [
    'property',
    inExplanation({ flippability: { deal: { ...detail.explanation!.flippability!.deal, totalCostUsd: 2_549_000 } } }),
  ],
  'flip-condition': [
    'property',
    withProperty({
      detail: {
        ...detail,
        intelligence: {
          ...detail.intelligence,
          flippabilityScore: 93,
          valueEstimate: { value: 4_500_000, low: 4_100_000, high: 4_950_000 },
        },
        explanation: {
          ...detail.explanation,
          flippability: {
            ...finding('After-repair value $7,630,000 less selling $419,650'),
            deal: { renovationUsd: 0 },
          },
        },
      },
    }),
  ],
  'lot-split-units': [
    'property',
    inExplanation({
      sb9: {
        sb9Status: 'eligible',
        maxUnits: 4,
        lotSplit: { eligible: false, lots: [{ sqft: 3_885 }, { sqft: 3_885 }] },
      },
    }),
  ],
  'lot-split-untested-rules': [
    'property',
    inExplanation({
      sb9: {
        sb9Status: 'likely',
        maxUnits: 2,
        lotSplit: { eligible: false, lots: [] },
        missing: ['HABITAT', 'TENANT_3Y'],
      },
    }),
  ],
  'lot-split-unknown-zone': [
    'property',
    inExplanation({ sb9: { ...detail.explanation!.sb9, missing: ['NOT_SF_ZONE'] } }),
  ],
  'lot-size': ['property', inDetail({ facts: { ...detail.facts, lotSqft: 8_470 } })],
  'build-size': ['property', withProperty({ redevelopment: { redevelopmentScore: 70, allowableSqft: 4_740 } })],
  'adu-units': ['property', withProperty({ adu: { maxUnits: 3, units: [{ kind: 'detached', sqft: 800 }] } })],
  'vacant-lots': [
    'property',
    withProperty({
      redevelopment: undefined,
      detail: {
        ...detail,
        facts: { ...detail.facts, propertyType: 'land', livingSqft: undefined, yearBuilt: undefined },
        proforma: undefined,
        explanation: { envelope: { maxSqft: 3_081 } },
      },
    }),
  ],
  'unmodeled-says-why': ['property', inDetail({ proforma: { ...proforma, unmodellableReason: 'NO_ZONING' } })],
  ranges: ['property', inDetail({ intelligence: { ...detail.intelligence, teardownScore: 29.9 } })],
  'list-and-detail': ['property', inDetail({ intelligence: { ...detail.intelligence, flippabilityScore: 65 } })],
  ranks: ['property', inDetail({ intelligence: { ...detail.intelligence, ranks: undefined } })],
  verdict: ['property', inDetail({ verdict: undefined })],
  'top-factors': [
    'property',
    inExplanation({ teardown: { parts: Array.from({ length: 18 }, () => because('Condition score 48')) } }),
  ],
  'sample-labels': ['property', withProperty({ adu: { id: 'p_1', aduScore: 67, lot: { sqft: 7_770 } } })],
  'sample-accuracy': [
    'market',
    withMarket({ accuracy: [{ model: 'value', market: 'sf-peninsula', measures: { mdape: 6.6 } }] }),
  ],
  'lists-lead-with-for-sale': [
    'market',
    withMarket({ signals: marketRecord.signals.map((row, at) => ({ ...row, status: at < 21 ? 'sold' : 'active' })) }),
  ],
  'list-order': ['market', withMarket({ signals: [...marketRecord.signals].reverse() })],
  'criteria-and-orders': ['market', withMarket({ comparisons: [{ asked: '/sales?sort=price', differs: 'row 2' }] })],
  'agent-property': [
    'property',
    withProperty({
      agent: {
        property: {
          text: `${propertyRecord.agent!.property!.text}\n- proforma: +5289360 2,788 sq ft at $2,014 per sq ft`,
        },
      },
    }),
  ],
  'agent-pro-forma': [
    'property',
    withProperty({
      agent: { proforma: { text: 'Stress\n| resale change | cost change | months late | return before financing |' } },
    }),
  ],
  'agent-sample-text': ['property', withProperty({ agent: { proforma: { text: 'maximum offer' } } })],
  'agent-lists': [
    'market',
    withMarket({ signals: marketRecord.signals.map((row, at) => ({ ...row, status: at < 21 ? 'sold' : 'active' })) }),
  ],
  'agent-sample-lists': [
    'market',
    withMarket({ agentLists: marketRecord.agentLists!.map((list) => ({ ...list, text: 'Sample listings' })) }),
  ],
}

const reported = (example: Example): string[] => {
  const [kind, record] = example
  const found = kind === 'property' ? violationsOf(kind, 'it', record) : violationsOf(kind, 'it', record)
  return found.map(({ rule }) => rule)
}

test('a consistent property and market break no rule', () => {
  expect(reported(['property', propertyRecord])).toEqual([])
  expect(reported(['market', marketRecord])).toEqual([])
})

test('every rule has a contradictory example', () => {
  expect(Object.keys(contradictory)).toEqual(rules.map(({ name }) => name))
})

test.each(rules.map(({ name, holds }) => [name, holds]))('%s: its contradictory example is reported (%s)', (name) => {
  expect(reported(contradictory[name]!)).toContain(name)
})

test('sums may differ by the rounding of their lines, and by no more', () => {
  const { deal } = detail.explanation!.flippability!
  const cost = detail.price! + deal!.renovationUsd! + deal!.buyingUsd! + deal!.carryUsd!
  const about = (totalCostUsd: number) => {
    const profitUsd = deal!.afterRepairValueUsd! - deal!.sellingUsd! - totalCostUsd
    const returnOnCost = profitUsd / totalCostUsd
    const record = inExplanation({ flippability: { deal: { ...deal, totalCostUsd, profitUsd, returnOnCost } } })
    return violationsOf('property', 'p', record).filter(({ rule }) => rule === 'flip-arithmetic').length
  }
  expect([about(cost + 3), about(cost - 3), about(cost + 4), about(cost - 4)]).toEqual([0, 0, 1, 1])
})

test('a vacant lot has no house that could contribute to a historic district', () => {
  const lot = inDetail({
    facts: { ...detail.facts, propertyType: 'land', livingSqft: undefined, yearBuilt: undefined },
    explanation: {
      ...detail.explanation,
      proforma: { because: 'The house contributes to a historic district.' },
    },
  })
  expect(reported(['property', lot])).toContain('vacant-lots')
})

test('the answer of a tool is read from a JSON body and from an event stream', () => {
  const result = { content: [{ text: 'Two homes' }], structuredContent: { items: [{ id: 'p_1' }, {}, { id: 'p_2' }] } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result })
  const answer = { text: 'Two homes', ids: ['p_1', 'p_2'] }
  expect(toolAnswerOf(body)).toEqual(answer)
  expect(toolAnswerOf(`event: message\ndata: ${body}\n\n`)).toEqual(answer)
  expect(toolAnswerOf(JSON.stringify({ error: { code: -32602 } }))).toBeUndefined()
})
