// What lies around a lot: neighboring lots, streets, and the yards that its zoning district requires.
import type { Bounds } from '../criteria/geometry.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { neighborLots, streetsIn } from '../store/map/places.ts'
import type { PropertyDetail } from '../wire/property.ts'
import type { Services } from './context.ts'

export type LotSurroundings = Awaited<ReturnType<typeof lotSurroundings>>

const mostLots = 120

export const lotSurroundings = async (
  { db }: Pick<Services, 'db'>,
  { market, facts }: Pick<PropertyDetail, 'market' | 'facts'>,
  box: Bounds,
) => {
  if (!market) return { lots: [], streets: [] }
  const [lots, streets] = await Promise.all([
    neighborLots(db, market, box, mostLots),
    streetsIn(db, market, box, ['road', 'street']),
  ])
  return { lots, streets, setbacks: facts && districtOf(packOf(market), facts.city, facts.zoning)?.setbacksFt }
}
