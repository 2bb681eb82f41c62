// How long a home has been, or was, for sale.
import type { ListingFacts } from './facts.ts'

type Dated = Pick<ListingFacts, 'status' | 'listedOn' | 'pendingOn' | 'soldOn'>

/** Days from listing to today, or to pending or sale. Undefined for a home that is coming soon: it is not on the market yet. */
export const daysOnMarket = ({ status, listedOn, pendingOn, soldOn }: Dated, today: string): number | undefined => {
  if (status === 'coming_soon' || listedOn === undefined) return undefined
  const end = status === 'active' ? today : (pendingOn ?? soldOn ?? (status === 'pending' ? today : undefined))
  if (end === undefined) return undefined
  const days = Math.round((Date.parse(end) - Date.parse(listedOn)) / 86_400_000)
  return days >= 0 ? days : undefined
}
