// The statistics behind the heat index, computed from the sales of one city and property type.

import type { SaleFacts } from '../../domain/facts.ts'
import type { HeatStatistics } from './heat.ts'

type HeatSale = Pick<SaleFacts, 'soldOn' | 'priceUsd' | 'listPriceUsd' | 'listedOn' | 'daysOnMarket'>

/** Uses sales in the `days` up to and including `on`. */
export const heatStatistics = (sales: readonly HeatSale[], on: string, days = 90): HeatStatistics => {
  const from = new Date(Date.parse(`${on}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
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
    saleToList: meanOf(ratios),
    shareAboveList: meanOf(ratios.map((ratio) => Number(ratio > 1))),
    daysToPending: medianOf(daysOnMarket),
  }
}

const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

const medianOf = (values: readonly number[]): number | undefined => {
  if (values.length === 0) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2
}
