// The statistics behind the heat index, computed from the sales of one city and property type.

import type { SaleFacts } from '../../domain/facts.ts'
import { meanIfAny, medianIfAny } from '../statistics/average.ts'
import type { HeatStatistics } from './heat.ts'

type HeatSale = Pick<SaleFacts, 'soldOn' | 'priceUsd' | 'listPriceUsd' | 'listedOn' | 'daysOnMarket'>

const windowDays = 90

/** Uses the sales of the window up to and including `on`. */
export const heatStatistics = (sales: readonly HeatSale[], on: string): HeatStatistics => {
  const from = new Date(Date.parse(`${on}T00:00:00Z`) - windowDays * 86_400_000).toISOString().slice(0, 10)
  const closed = sales.filter((sale) => sale.soldOn > from && sale.soldOn <= on)
  const ratios = closed.flatMap((sale) => {
    const ratio = sale.listPriceUsd ? sale.priceUsd / sale.listPriceUsd : undefined
    // A ratio beyond ±50% is more often a data error than a sale (Redfin's rule).
    return ratio !== undefined && ratio > 0.5 && ratio < 1.5 ? [ratio] : []
  })
  const daysOnMarket = closed.flatMap((sale) =>
    sale.daysOnMarket !== undefined && sale.daysOnMarket >= 0 ? [sale.daysOnMarket] : [],
  )
  return {
    sales: closed.length,
    saleToList: meanIfAny(ratios),
    shareAboveList: meanIfAny(ratios.map((ratio) => Number(ratio > 1))),
    daysToPending: medianIfAny(daysOnMarket),
  }
}
