// A market as a drawing, where no map is loaded: land, city names, and a dot for each home.
import { cities, type Market } from '../domain/packs/markets.ts'
import type { ListingPoint } from '../operations/map-listings.ts'
import { marketMap } from './charts/market-map.ts'
import { usdShort } from './formats.ts'
import type { Html } from './html.ts'
import { landOf } from './land.ts'
import type { Site } from './site.ts'

export const drawnMarket = async (
  site: Site,
  { id, box }: Market,
  points: readonly ListingPoint[],
  title: string,
): Promise<Html> =>
  marketMap({
    title,
    box: { south: box.south - 0.02, north: box.north + 0.02, west: box.west - 0.03, east: box.east + 0.03 },
    width: 400,
    land: (await landOf(site, id))?.rings ?? [],
    labels: cities()
      .filter((city) => city.market === id && city.label)
      .map((city) => ({ name: city.name, ...city.center })),
    dots: points.map(({ id: property, address, lat, lng, price, rankScore }) => ({
      lat,
      lng,
      href: `/properties/${encodeURIComponent(property)}`,
      title: price === undefined ? address : `${address}, ${usdShort(price)}`,
      score: rankScore,
    })),
  })
