// The past sales on which the effect of condition on price is fitted.
import { conditionScore, usualCondition } from '../intelligence/condition/condition.ts'
import {
  type ConditionValueModel,
  conditionPrior,
  fitConditionValue,
  ratedSales,
} from '../intelligence/valuation/condition-value.ts'
import type { PastSale } from '../store/assessments/past-sales.ts'
import { type MarketView, yearsBefore } from './market-view.ts'

/** Enough for a stable median; reading the remarks of more would delay the first start. */
const mostSales = 6_000
const years = 5

/** Only sales with listing remarks are described: without remarks, the condition follows from the age or the rating. */
export const fitCondition = (sales: readonly PastSale[], { value, pack, on }: MarketView): ConditionValueModel => {
  const since = yearsBefore(on, years)
  const described = sales
    .filter(({ soldOn, remarks, propertyType }) => soldOn >= since && remarks && propertyType !== 'land')
    .slice(-mostSales)
    .flatMap((sale) => {
      const condition = conditionScore(sale, sale.soldOn).score
      return condition === undefined ? [] : [{ condition, usual: usualCondition(sale, sale.soldOn) }]
    })
  return fitConditionValue(conditionPrior(pack), value ? ratedSales(value) : [], described)
}
