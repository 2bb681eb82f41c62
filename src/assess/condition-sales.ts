// The past sales on which the effect of condition on price is fitted.
import { conditionScore, usualCondition } from '../intelligence/condition/condition.ts'
import type { ConditionSale } from '../intelligence/valuation/condition-value.ts'
import type { PastSale } from '../store/assessments/past-sales.ts'
import { type MarketView, yearsBefore } from './market-view.ts'
import { saleLookup } from './sale-lookup.ts'

/** Enough for a stable slope; reading the remarks of more would delay the first start. */
const mostSales = 6_000
const years = 5

/** Only sales with listing remarks: without remarks, the condition follows from the age, which the value model already uses. */
export const conditionSales = (sales: readonly PastSale[], view: MarketView): ConditionSale[] => {
  const learnedFrom = saleLookup(view.value)
  const since = yearsBefore(view.on, years)
  return sales
    .filter(({ soldOn, remarks, propertyType }) => soldOn >= since && remarks && propertyType !== 'land')
    .slice(-mostSales)
    .flatMap((sale) => {
      const learned = learnedFrom(sale.saleId)
      const condition = conditionScore(sale, sale.soldOn).score
      if (!learned || condition === undefined) return []
      const unexplained = learned.model.unexplained[learned.at]!
      return [{ condition, usual: usualCondition(sale, sale.soldOn), unexplained }]
    })
}
