// Writes docs/research/worked-examples.md from served values. Every result on the page is computed here from the lines
// above it, as a reader with a calculator would, and compared with what is served.
import { expect } from 'vitest'
import type { ProformaAnswer } from '../../src/domain/findings/proforma.ts'
import type { PropertyDetail } from '../../src/wire/property.ts'

export interface Served {
  readonly detail: PropertyDetail
  readonly whatIf: ProformaAnswer
  readonly atMaximumOffer: ProformaAnswer
}

export interface WorkedExamples {
  readonly offer: Served
  readonly flip: Served
  readonly comparables: Served
  readonly buildSize: Served
  readonly sb9: Served
}

const count = (value: number) => Math.round(value).toLocaleString('en-US')
const usd = (value: number) => `${value < 0 ? '−' : ''}$${count(Math.abs(value))}`
const tenth = (value: number) => Math.round(10 * value) / 10
const percent = (value: number) => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}%`
const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`
const nameOf = ({ detail }: Served) => `${detail.address}, ${detail.city}`

/** A result of the page: it must be the served value, within what rounding the lines above can change. */
const checked = (what: string, computed: number, served: number | undefined, tolerance: number): number => {
  expect(
    Math.abs(computed - (served ?? Number.NaN)),
    `${what}: ${computed} by hand, ${served} served`,
  ).toBeLessThanOrEqual(tolerance)
  return computed
}

export const workedExamples = (examples: WorkedExamples): string =>
  [
    '# Worked examples',
    '',
    'You can check five kinds of numbers with a calculator: the maximum offer, the after-repair value, the value from comparable sales, the build size and SB 9 units. Every input comes from two requests: `GET /v1/properties/{id}?include=explanation,proforma,comps` and `GET /v1/properties/{id}/proforma`.',
    '',
    'The homes belong to a small market that the tests create, so you will not find them in your own data. `test/operations/agreement.test.ts` computes every result again and fails if this page differs.',
    '',
    ...maximumOffer(examples.offer),
    ...flip(examples.flip),
    ...comparables(examples.comparables),
    ...buildSize(examples.buildSize),
    ...lotSplit(examples.sb9),
  ].join('\n')

const maximumOffer = (home: Served): string[] => {
  const answer = home.atMaximumOffer
  const line = (name: string) => answer.lines.find((each) => each.name === name)!.usd
  const { buildSqft = 0, arvPerSqft = 0, assumptions } = answer.proforma
  const { costPerSqft = 0, sellingCostPct = 0 } = assumptions
  const construction = checked('construction', buildSqft * costPerSqft, line('hardCost'), 0.5)
  const gross = checked('resale', buildSqft * arvPerSqft, line('resaleGross'), 0.5)
  const selling = checked('selling costs', Math.round((gross * sellingCostPct) / 100), -line('sellingCosts'), 1)
  const costs = [
    'purchase',
    'hardCost',
    'softCosts',
    'demoCost',
    'acquisition',
    'contingency',
    'interest',
    'points',
    'tax',
    'insurance',
  ]
  const total = checked(
    'total cost',
    costs.reduce((sum, name) => sum + line(name), 0),
    answer.totalCost,
    1,
  )
  const profit = checked('profit', gross - selling - total, answer.profit, 1)
  const target = home.whatIf.maximumOffer!.targetRoiPct
  const back = checked('return at the maximum offer', tenth((100 * profit) / total), target, 0.1)
  checked('served return at the maximum offer', back, answer.returnPct, 0.05)
  return [
    '## 1. Maximum offer',
    '',
    `At the maximum offer, the return of the pro forma is the target. ${nameOf(home)} asks ${usd(home.detail.price!)}. Its maximum offer for a ${target}% return is **${usd(line('purchase'))}**. Enter that price in the pro forma:`,
    '',
    row('Line', 'Amount', 'How'),
    row('---', '---', '---'),
    row('Purchase', usd(line('purchase')), 'the maximum offer'),
    row('Construction', usd(construction), `${count(buildSqft)} sq ft × $${costPerSqft}`),
    row('Soft costs', usd(line('softCosts')), 'served'),
    row('Demolition', usd(line('demoCost')), 'served'),
    row('Buying costs', usd(line('acquisition')), 'served'),
    row('Contingency', usd(line('contingency')), 'served'),
    row('Interest', usd(line('interest')), 'served'),
    row('Loan points', usd(line('points')), 'served'),
    row('Property tax', usd(line('tax')), 'served'),
    row('Insurance', usd(line('insurance')), 'served'),
    row('**Total cost**', `**${usd(total)}**`, 'sum of the lines above'),
    row('Resale', usd(gross), `${count(buildSqft)} sq ft × $${count(arvPerSqft)}`),
    row('Selling costs', usd(-selling), `${sellingCostPct}% of resale`),
    row('**Profit**', `**${usd(profit)}**`, 'resale − selling costs − total cost'),
    '',
    `    ${count(profit)} / ${count(total)} = ${percent(back)}`,
    '',
  ]
}

const flip = (home: Served): string[] => {
  const { detail } = home
  const { deal, score } = detail.explanation!.flippability!
  const { livingSqft = 0 } = detail.facts!
  const d = deal!
  const price = detail.price!
  const renovation = checked('renovation', d.costPerSqftUsd * livingSqft, d.renovationUsd, 1)
  const total = checked('total cost', price + d.renovationUsd + d.buyingUsd + d.carryUsd, d.totalCostUsd, 1)
  const profit = checked('profit', d.afterRepairValueUsd - d.sellingUsd - total, d.profitUsd, 1)
  const returned = checked('return', (100 * profit) / total, 100 * d.returnOnCost, 0.01)
  const growth = d.afterRepairValueUsd / d.valueNowUsd!
  const points = d.conditionAfter - d.conditionNow
  const perTen = 100 * (growth ** (10 / points) - 1)
  // The slopes are learned, at most 16% for ten points; the price of renovated homes nearby may cap the result.
  expect(perTen).toBeGreaterThan(0)
  expect(perTen).toBeLessThanOrEqual(16.2)
  return [
    '## 2. After-repair value',
    '',
    `The after-repair value is what this house would sell for in the condition that the renovation buys, not the price of a new house. ${nameOf(home)} has ${count(livingSqft)} sq ft and condition ${tenth(d.conditionNow)}. The renovation brings it to condition ${d.conditionAfter}.`,
    '',
    row('Line', 'Amount', 'How'),
    row('---', '---', '---'),
    row('Price', usd(price), 'asking price'),
    row('Renovation', usd(renovation), `${count(livingSqft)} sq ft × $${d.costPerSqftUsd.toFixed(2)}`),
    row('Buying costs', usd(d.buyingUsd), '1% of the price'),
    row('Holding costs', usd(d.carryUsd), `0.8% of the price a month, ${tenth(d.months)} months`),
    row('**Total cost**', `**${usd(total)}**`, 'sum of the lines above'),
    row('Value in the present condition', usd(d.valueNowUsd!), 'served'),
    row(
      'After-repair value',
      usd(d.afterRepairValueUsd),
      `${growth.toFixed(4)} times that, for ${tenth(points)} points`,
    ),
    row('Selling costs', usd(-d.sellingUsd), '5.5% of the after-repair value'),
    row(
      profit < 0 ? '**Loss**' : '**Profit**',
      `**${usd(profit)}**`,
      'after-repair value − selling costs − total cost',
    ),
    '',
    `    ${profit < 0 ? '−' : ''}${count(Math.abs(profit))} / ${count(total)} = ${percent(returned)} of cost; flip score ${Math.round(score!)}`,
    `    ${growth.toFixed(4)}^(10 / ${tenth(points)}) = ${(1 + perTen / 100).toFixed(4)}: ten points of condition change the price by ${percent(perTen)}`,
    '',
  ]
}

const comparables = (home: Served): string[] => {
  const { comps = [], compsValue = 0, intelligence, comparables: recent } = home.detail
  const value = compsValue
  const estimate = intelligence.valueEstimate!.value
  for (const comp of comps)
    checked('adjusted price', comp.timeAdjustedUsd + comp.attributeAdjustmentUsd, comp.adjustedUsd, 2)
  const sorted = [...comps].sort((a, b) => a.adjustedUsd - b.adjustedUsd)
  const all = sorted.reduce((sum, { weight }) => sum + weight, 0)
  const running = sorted.map((_, at) => sorted.slice(0, at + 1).reduce((sum, { weight }) => sum + weight, 0))
  const middle = sorted[running.findIndex((sum) => sum >= all / 2)]!
  checked('weighted median', middle.adjustedUsd, value, 1)
  return [
    '## 3. Value from comparable sales',
    '',
    `The comparable sales give a second estimate beside the value (${usd(estimate)}): the weighted median of their adjusted prices. This table has all of them for ${nameOf(home)}. Time-adjusted is the sale price at the price level on the day of the assessment. Each adjusted price is the sum of the two columns before it; rounding can change it by up to two dollars. Recent sales nearby are counted separately: ${recent.recentSalesCount} in the last ${recent.windowMonths} months.`,
    '',
    row('Sold', 'Time-adjusted', 'Home', 'Adjusted', 'Weight', 'Weight so far'),
    row('---', '---', '---', '---', '---', '---'),
    ...sorted.map((comp, at) =>
      row(
        comp.soldOn!,
        usd(comp.timeAdjustedUsd),
        usd(comp.attributeAdjustmentUsd),

        usd(comp.adjustedUsd),
        comp.weight.toFixed(3),
        running[at]!.toFixed(3),
      ),
    ),
    '',
    `The weights add up to ${all.toFixed(3)}. The first row that reaches half of it, ${(all / 2).toFixed(3)}, is the weighted median: **${usd(middle.adjustedUsd)}**. The API serves the same value.`,
    '',
  ]
}

const buildSize = (home: Served): string[] => {
  const lead = home.detail.explanation!.redevelopment!
  const { buildSqft = 0 } = home.whatIf.proforma
  const { allowableSqft = 0, buildableSqft = 0, lotSize = 0, existingSqft = 0 } = lead
  checked('build size of lead and pro forma', buildSqft, lead.buildSqft, 0)
  expect(buildableSqft).toBeLessThanOrEqual(allowableSqft)
  const used = checked('share used', (100 * existingSqft) / allowableSqft, lead.far!.utilisationPct, 0.05)
  return [
    '## 4. One build size',
    '',
    `A redevelopment lead and the pro forma use the same build size. ${nameOf(home)} has a lot of ${count(lotSize)} sq ft and three sizes:`,
    '',
    row('Size', 'Amount', 'How'),
    row('---', '---', '---'),
    row('`allowableSqft`', `${count(allowableSqft)} sq ft`, 'zoning limit'),
    row('`buildableSqft`', `${count(buildableSqft)} sq ft`, 'what can realistically be built'),
    row('`buildSqft`', `${count(buildSqft)} sq ft`, 'the same in the lead and in the pro forma'),
    '',
    `The pro forma says: "${home.whatIf.proforma.assumptions.buildSizeBasis}".`,
    '',
    `    share of the zoning limit in use = ${count(existingSqft)} / ${count(allowableSqft)} = ${percent(used)}`,
    '',
  ]
}

const lotSplit = (home: Served): string[] => {
  const found = home.detail.explanation!.sb9!
  const { lots } = found.lotSplit
  const lot = home.detail.facts!.lotSqft!
  const [first, second] = [lots[0]!.sqft, lots[1]!.sqft]
  checked('lots', first + second, lot, 2)
  const share = (100 * Math.min(first, second)) / lot
  expect(Math.min(first, second)).toBeGreaterThanOrEqual(1_200)
  expect(share).toBeGreaterThanOrEqual(40 - 0.1)
  expect(found.lotSplit.eligible).toBe(true)
  checked('units', 2 * lots.length, found.maxUnits, 0)
  const untested = found.untestedRules.map(({ rule }) => rule)
  expect(found.sb9Status).toBe(untested.length > 0 ? 'likely' : 'eligible')
  return [
    '## 5. SB 9 units',
    '',
    `Units, lots and status come from one lot split. ${nameOf(home)} has a lot of ${count(lot)} sq ft:`,
    '',
    `    two lots      ${count(first)} + ${count(second)} = ${count(first + second)} sq ft`,
    `    smaller lot   ${count(Math.min(first, second))} sq ft, at least 1,200 sq ft`,
    `    smaller share ${count(Math.min(first, second))} / ${count(lot)} = ${percent(share)}, at least 40%`,
    `    units         2 lots × 2 = ${found.maxUnits}`,
    '',
    untested.length > 0
      ? `The status is \`likely\` and not \`eligible\`, because these rules could not be tested: ${untested.join(', ')}.`
      : 'Every rule was tested and passes, so the status is `eligible`.',
    '',
  ]
}
