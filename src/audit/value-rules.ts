// The value, its comparable sales and the result of a renovation.
import { compsText } from '../wire/comps-text.ts'
import type { PropertyDetail } from '../wire/property.ts'
import type { PropertyRecord } from './records.ts'
import { dollars, marketRule, median, near, percentOf, propertyRule, unless, unlessAll } from './rule.ts'

/** Served weights are rounded to 0.001, so the shares on each side may be off by that much per sale. */
const isWeightedMedian = (sales: readonly { value?: number; weight?: number }[], median: number, rounding = 0) => {
  const share = (matches: (value: number) => boolean) =>
    sales.reduce((sum, { value = 0, weight = 0 }) => sum + (matches(value) ? weight : 0), 0)
  const slack = 0.001 * sales.length
  return (
    share((value) => value < median - rounding) <= 0.5 + slack &&
    share((value) => value > median + rounding) <= 0.5 + slack
  )
}

const monthsAgo = (today: string, months: number): string => {
  const day = new Date(`${today}T00:00:00Z`)
  day.setUTCMonth(day.getUTCMonth() - months)
  return day.toISOString().slice(0, 10)
}

/** The field, or the amount in the sentence: services that lack the field state it there. */
export const afterRepairOf = ({ explanation }: PropertyRecord['detail']): number | undefined => {
  const { deal, parts = [] } = explanation?.flippability ?? {}
  const said = parts.flatMap(({ because = '' }) => because.match(/After-repair value \$([\d,]+)/)?.[1] ?? [])[0]
  return deal?.afterRepairValueUsd ?? (said === undefined ? undefined : Number(said.replaceAll(',', '')))
}

const smallestSample = 50
const goodCondition = 70

export const valueRules = [
  /** The rows add up, no sale has more than 40% of the weight, and the served median is that of the rows, unless some are withheld. */
  propertyRule(
    'value-from-comparables',
    'The median of the comparables is that of the adjusted prices, each of them the sum of its parts, none with over 40% of the weight.',
    ({ detail: { comps = [], compsValue, compsWithheld } }) => [
      ...unless(
        compsValue === undefined ||
          compsWithheld !== undefined ||
          isWeightedMedian(
            comps.map(({ adjustedUsd, weight }) => ({ value: adjustedUsd, weight })),
            compsValue,
            1,
          ),
        `${dollars(compsValue ?? 0)} is not the weighted median of the adjusted sales`,
      ),
      ...comps.flatMap(({ priceUsd = 0, adjustments = {}, adjustedUsd, weight = 0 }) =>
        unlessAll({
          [`a sale adjusted to ${dollars(adjustedUsd ?? 0)} is not the sum of its adjustments`]: near(
            adjustedUsd,
            Object.values(adjustments).reduce((sum, usd) => sum + usd, priceUsd),
            8,
          ),
          [`a sale has ${weight} of the weight`]: weight <= 0.401 || comps.length < 3,
        }),
      ),
    ],
  ),
  /** A page caller may not see the dates of older sales, and its text then leaves the period out. */
  propertyRule(
    'comparables-text',
    'The page describes its comparable sales with the served count, window and value.',
    ({ page, detail }) => {
      if (!page || !detail.comparables || !detail.intelligence) return []
      const told = { ...detail } as PropertyDetail
      const withoutDates = { ...told, comps: told.comps?.map(({ soldOn: _, ...comp }) => comp) }
      const [text, undated] = [compsText(told), compsText(withoutDates)]
      return unless(
        page.includes(text) || page.includes(undated),
        `the page does not say of its comparable sales what the data says: “${text}”`,
      )
    },
  ),
  /** One present value per home: the renovation starts from the value estimate. */
  propertyRule('value-condition', 'The renovation starts from the value estimate.', ({ detail }) => {
    const value = detail.intelligence?.valueEstimate?.value
    const now = detail.explanation?.flippability?.deal?.valueNowUsd
    if (value === undefined || now === undefined) return []
    return unless(
      Math.abs(now / value - 1) <= 0.001,
      `the value estimate is ${dollars(value)}, the renovation starts from ${dollars(now)}`,
    )
  }),
  /** A text that calls the listed sales recent must be true of them. */
  propertyRule('recent-sales-claim', 'Sales that a page calls recent are recent.', ({ page, detail, today }) => {
    const claim = page?.match(/(\d+) within a mile in the last half year[^.]*\. Adjusted, they put this home at/)
    if (!claim || !detail.comps) return []
    const since = monthsAgo(today, 6)
    const recent = detail.comps.filter(({ soldOn = '' }) => soldOn >= since).length
    return unless(
      recent === detail.comps.length,
      `the page says that ${claim[1]} sales of the last half year give the value; ${recent} of the ${detail.comps.length} listed are that recent`,
    )
  }),
  propertyRule(
    'resale-comparables',
    'All sales that are counted for the resale value per square foot are shown.',
    ({ detail: { proforma, resaleComps } }) => {
      if (proforma?.unmodellableReason !== null) return []
      return unlessAll({
        'the sales behind the resale value per square foot are not shown': (resaleComps ?? []).length > 0,
        [`the pro forma counts ${proforma.compCount} sales, ${resaleComps?.length} are shown`]:
          resaleComps === undefined || resaleComps.length === proforma.compCount,
        [`arvPerSqft ${proforma.arvPerSqft} is not the weighted median of the sales shown`]:
          resaleComps === undefined ||
          isWeightedMedian(
            resaleComps.map(({ adjustedPerSqft, weight }) => ({ value: adjustedPerSqft, weight })),
            proforma.arvPerSqft ?? 0,
            1,
          ),
      })
    },
  ),
  propertyRule('flip-arithmetic', 'Cost, profit and return of a renovation follow from its lines.', ({ detail }) => {
    const deal = detail.explanation?.flippability?.deal
    if (!deal || detail.price === undefined) return []
    const { renovationUsd = 0, softUsd = 0, buyingUsd = 0, carryUsd = 0, sellingUsd = 0 } = deal
    const { totalCostUsd = 0, profitUsd = 0 } = deal
    const expected = detail.intelligence?.expectedPrice?.p50
    const price = deal.priceBasis === 'expected' ? expected : detail.price
    const cost = (price ?? 0) + renovationUsd + softUsd + buyingUsd + carryUsd
    return unlessAll({
      [`the total cost is ${dollars(totalCostUsd)}, its lines sum to ${dollars(cost)}`]: near(totalCostUsd, cost, 3),
      [`the profit of ${dollars(profitUsd)} does not follow from value and cost`]:
        deal.afterRepairValueUsd === undefined ||
        near(profitUsd, deal.afterRepairValueUsd - sellingUsd - totalCostUsd, 3),
      'the return is not profit over cost': near(deal.returnOnCost, profitUsd / totalCostUsd, 0.001),
    })
  }),
  /** With a budget of $0 the house is resold in its present condition for its present value. */
  propertyRule(
    'flip-condition',
    'The after-repair value states its condition, and a renovation budget of $0 adds no value.',
    ({ detail }) => {
      const deal = detail.explanation?.flippability?.deal
      if (!deal) return []
      const after = afterRepairOf(detail)
      const { value, high } = detail.intelligence?.valueEstimate ?? {}
      const { conditionNow, conditionAfter, renovationUsd = 0 } = deal
      return unlessAll({
        'the after-repair value does not say for which condition it is':
          conditionNow !== undefined && conditionAfter !== undefined && deal.afterRepairValueUsd !== undefined,
        'the renovation lowers the condition': (conditionAfter ?? 100) >= (conditionNow ?? 0),
        [`nothing is spent, but the value rises from ${dollars(value)} to ${dollars(after)}`]:
          renovationUsd >= 1 || after === undefined || high === undefined || after <= high,
        [`the condition stays ${conditionNow}, but the value changes from ${dollars(deal.valueNowUsd)} to ${dollars(after)}`]:
          conditionAfter !== conditionNow || conditionNow === undefined || near(after, deal.valueNowUsd, 1),
      })
    },
  ),
  marketRule('flip-median', 'The median home on the market has a flip score of at most 50.', ({ signals }) => {
    const scores = signals
      .filter(({ status }) => status === 'active' || status === 'coming_soon' || status === 'pending')
      .flatMap(({ flippabilityScore }) => flippabilityScore ?? [])
    const middle = median(scores)
    return unless(
      scores.length < smallestSample || middle === undefined || middle <= 50,
      `the median home on the market has a flip score of ${middle}`,
    )
  }),
  /** A home in good condition that sold is worth about what it sold for, whatever a small renovation adds. */
  marketRule(
    'flip-of-good-homes',
    'Homes sold in good condition are worth about their price after a renovation.',
    ({ flips, accuracy, market }) => {
      const gaps = flips.flatMap(({ status, soldPrice, conditionScore, afterRepairValueUsd }) =>
        status === 'sold' && soldPrice && afterRepairValueUsd && (conditionScore ?? 0) >= goodCondition
          ? [100 * (afterRepairValueUsd / soldPrice - 1)]
          : [],
      )
      const error = accuracy.find((row) => row.market === market && row.measures?.mdape !== undefined)?.measures?.mdape
      const gap = median(gaps)
      if (gaps.length < smallestSample || gap === undefined) return []
      return unless(
        gap <= (error ?? 8),
        `for ${gaps.length} sold homes in good condition the median after-repair value is ${percentOf(gap)} above the sale; the value model’s error is ${percentOf(error)}`,
      )
    },
  ),
]
