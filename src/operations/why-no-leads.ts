// Why a market or city has no redevelopment leads at all, and what its operator adds.
import type { MarketId } from '../domain/facts.ts'
import { findCity, marketById } from '../domain/packs/markets.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { districtOf, districtsOf } from '../domain/packs/zoning-tables.ts'
import { leadInputs } from '../store/assessments/lead-inputs.ts'
import type { Db } from '../store/engine/database.ts'

/** Undefined if leads are possible here, so that the list is empty because of its filters. */
export const whyNoRedevelopment = async (
  db: Db,
  market: MarketId | undefined,
  city: string | undefined,
  leadClass?: string,
): Promise<string | undefined> => {
  if (market === undefined) return undefined
  const place = city === undefined ? undefined : findCity(city, market)
  // An unknown city or a list of cities: the answer has suggestions of its own.
  if (city !== undefined && place === undefined) return undefined
  const name = place?.name ?? marketById(market)?.name ?? market
  const held = await leadInputs(db, market, place?.slug)
  if (!held) return undefined
  if (!held.parcels)
    return `No leads: no parcels are loaded for ${name}. Operators: load them with a source of parcels.`
  const pack = packOf(market)
  const rules = place ? districtsOf(pack, place.slug) : pack?.districts
  if (!rules?.length)
    return `No leads: no zoning rules are known for ${name}, so the floor area that its lots allow is unknown. Operators: add zoning/<city>.json to the market pack and map zoning in the source of the parcels, then assess again.`
  if (held.zoning.length === 0)
    return `No leads: the parcels of ${name} have no zoning district. Operators: map zoning in their source, then load them again.`
  if (!held.lotSizes)
    return `No leads: the parcels of ${name} have no lot sizes. Operators: map lotSqft in their source, then load them again.`
  const cities = place ? [place.slug] : [...new Set(rules.map((district) => district.city))]
  if (!held.zoning.some((code) => cities.some((slug) => districtOf(pack, slug, code))))
    return `No leads: the market pack has no rules for the zoning districts of the parcels of ${name} (${held.zoning.slice(0, 3).join(', ')}). Operators: add them to its zoning files, then assess again.`
  // A vacant lot has no house.
  if (!held.houseSizes && leadClass !== 'vacant_lot')
    return `No leads: the parcels of ${name} have no house sizes, so the unused floor area is unknown. Operators: map livingSqft in their source, then load them again.`
  return undefined
}
