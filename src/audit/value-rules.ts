// The value, its comparable sales and the result of a renovation.
import { dollars, near, propertyRules, unless, unlessAll } from './rule.ts'

/** Served weights are rounded to 0.001, so the shares on each side may be off by that much per sale. */
const isWeightedMedian = <Sale extends { weight?: number }>(
  sales: readonly Sale[],
  figure: (sale: Sale) => number | undefined,
  median: number,
) => {
  const share = (matches: (value: number) => boolean) =>
    sales.reduce((sum, sale) => sum + (matches(figure(sale) ?? 0) ? (sale.weight ?? 0) : 0), 0)
  const most = 0.5 + 0.001 * sales.length
  return share((value) => value < median - 1) <= most && share((value) => value > median + 1) <= most
}

export const valueRules = propertyRules({
  /** The rows add up, no sale has more than 40% of the weight, and the served median is that of the rows, unless some are withheld. */
  'value-from-comparables: The median of the comparables is that of the adjusted prices, each of them the sum of its parts, none with over 40% of the weight.':
    ({ detail: { comps = [], compsValue, compsWithheld } }) => [
      ...unless(
        compsValue === undefined ||
          compsWithheld !== undefined ||
          isWeightedMedian(comps, ({ adjustedUsd }) => adjustedUsd, compsValue),
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
  /** One present value per home: the renovation starts from the value estimate. */
  'value-condition: The renovation starts from the value estimate.': ({ detail }) => {
    const value = detail.intelligence?.valueEstimate?.value
    const now = detail.explanation?.flippability?.deal?.valueNowUsd
    if (value === undefined || now === undefined) return []
    return unless(
      Math.abs(now / value - 1) <= 0.001,
      `the value estimate is ${dollars(value)}, the renovation starts from ${dollars(now)}`,
    )
  },
  'resale-comparables: All sales that are counted for the resale value per square foot are shown.': (record) => {
    const { proforma, resaleComps } = record.detail
    if (proforma?.unmodellableReason !== null) return []
    return unlessAll({
      'the sales behind the resale value per square foot are not shown': (resaleComps ?? []).length > 0,
      [`the pro forma counts ${proforma.compCount} sales, ${resaleComps?.length} are shown`]:
        resaleComps === undefined || resaleComps.length === proforma.compCount,
      [`arvPerSqft ${proforma.arvPerSqft} is not the weighted median of the sales shown`]:
        resaleComps === undefined ||
        isWeightedMedian(resaleComps, ({ adjustedPerSqft }) => adjustedPerSqft, proforma.arvPerSqft ?? 0),
    })
  },
  'flip-arithmetic: Cost, profit and return of a renovation follow from its lines.': ({ detail }) => {
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
  },
  /** With a budget of $0 the house is resold in its present condition for its present value. */
  'flip-condition: The after-repair value states its condition, and a renovation budget of $0 adds no value.': (
    record,
  ) => {
    const { detail } = record
    const deal = detail.explanation?.flippability?.deal
    if (!deal) return []
    const { value, high } = detail.intelligence?.valueEstimate ?? {}
    const { conditionNow, conditionAfter, renovationUsd = 0, afterRepairValueUsd: after } = deal
    return unlessAll({
      'the after-repair value does not say for which condition it is':
        conditionNow !== undefined && conditionAfter !== undefined && after !== undefined,
      'the renovation lowers the condition': (conditionAfter ?? 100) >= (conditionNow ?? 0),
      [`nothing is spent, but the value rises from ${dollars(value)} to ${dollars(after)}`]:
        renovationUsd >= 1 || after === undefined || high === undefined || after <= high,
      [`the condition stays ${conditionNow}, but the value changes from ${dollars(deal.valueNowUsd)} to ${dollars(after)}`]:
        conditionAfter !== conditionNow || conditionNow === undefined || near(after, deal.valueNowUsd, 1),
    })
  },
})
