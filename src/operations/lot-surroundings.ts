// What lies around a lot: neighboring lots, streets, and the yards that its zoning district requires.
import type { Bounds } from '../criteria/geometry.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import type { Setbacks } from '../domain/packs/zoning.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { type NeighborRow, neighborLots, type StreetRow, streetsIn } from '../store/map/places.ts'
import type { PropertyDetail } from '../wire/property.ts'
import type { Services } from './context.ts'

export interface LotSurroundings {
  lots: readonly NeighborRow[]
  streets: readonly StreetRow[]
  setbacks?: Setbacks
}

const mostLots = 120

export const lotSurroundings = async (
  { db }: Pick<Services, 'db'>,
  { market, facts }: Pick<PropertyDetail, 'market' | 'facts'>,
  box: Bounds,
): Promise<LotSurroundings> => {
  if (!market) return { lots: [], streets: [] }
  const [lots, streets] = await Promise.all([
    neighborLots(db, market, box, mostLots),
    streetsIn(db, market, box, ['road', 'street']),
  ])
  return { lots, streets, setbacks: facts && districtOf(packOf(market), facts.city, facts.zoning)?.setbacksFt }
}
