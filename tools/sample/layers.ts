// Map layers of the sample: hazard and other zones as bands across neighborhoods, lots, footprints of houses, and stations.
import type { OverlayName } from '../../src/domain/facts.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import { areaOf, boxesTouch, boxOfRings, sharedArea, turned } from '../../src/domain/shapes.ts'
import type { SampleLayer, SampleShape } from '../../src/ingest/sample-data.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { round6 } from './footprint.ts'
import { landOf } from './land.ts'
import { overlaysOf } from './overlays.ts'
import type { SampleParcel } from './parcel.ts'
import { homeAt } from './parcels.ts'
import { randomFor } from './random.ts'
import type { SampleData } from './sample-data.ts'
import type { PlacedNeighborhood, Position } from './streets.ts'
import { isHistoricIsland, sampleMarket } from './zones.ts'

interface SampleZone {
  market: string
  overlay: OverlayName
  ring: readonly Position[]
}

/** As shares of a neighborhood, from the side toward the water to the other one. */
type Band = readonly [from: number, to: number]

const suburbBands = ({ anchor: { hill, bay } }: PlacedNeighborhood): Partial<Record<OverlayName, Band>> => ({
  ...(bay >= 0.3 && { floodZone: [0, bay >= 0.8 ? 0.5 : 0.25], liquefaction: [0, 0.8] }),
  ...(hill > 0.35 && { veryHighFire: [hill > 0.55 ? 0.15 : 0.75, 1], highFire: hill > 0.55 ? [0, 0.15] : [0.3, 0.75] }),
  ...(hill > 0.55 && { landslide: [0.6, 1] }),
  ...(hill > 0.7 && { habitat: [0.88, 1] }),
})

const islandBands = ({ anchor: { bay }, zone }: PlacedNeighborhood): Partial<Record<OverlayName, Band>> => ({
  floodZone: [0, bay >= 0.8 ? 0.6 : bay >= 0.3 ? 0.3 : 0.05],
  wetland: [0.94, 1],
  habitat: zone.lotSqft > 40_000 ? [0.75, 1] : [0.97, 1],
  historicDistrict: [0, 1],
})

/** Zones of all markets. The parcel feeds agree with them where they have a value. */
export const zonesOf = (neighborhoods: readonly PlacedNeighborhood[]): SampleZone[] => {
  const markets = [...new Set(neighborhoods.map(({ market }) => market))]
  const bands = neighborhoods.flatMap((each) => {
    const { market, zone, anchor } = each
    const { hillBelow, westOf } = zone.coastal ?? {}
    const isCoast = hillBelow !== undefined && anchor.hill < hillBelow
    const { west, south, north } = zone.box
    const coast = westOf !== undefined && [
      { market, overlay: 'coastalZone' as const, ring: boxRing(west - 0.02, south, westOf, north) },
    ]
    const given = { ...(isHistoricIsland(market) ? islandBands(each) : suburbBands(each)), ...(isCoast && coastBand) }
    return [
      ...(coast || []),
      ...Object.entries(given).map(([name, band]) => ({
        market,
        overlay: name as OverlayName,
        ring: bandRing(each, band),
      })),
    ]
  })
  const faults = markets.flatMap((market) => {
    const { faultTrace } = sampleMarket(market)
    return faultTrace.length > 1 ? [{ market, overlay: 'faultZone' as const, ring: alongTrace(faultTrace) }] : []
  })
  const byText = new Map([...bands, ...faults].map((zone) => [JSON.stringify(zone), zone]))
  return [...byText.values()]
}
const coastBand = { coastalZone: [0, 1] } as const

const boxRing = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
]

/** Edges inside a neighborhood are waves. */
const bandRing = ({ market, place }: PlacedNeighborhood, [from, to]: Band): Position[] => {
  const { lengthM, heightM, position } = place
  const land = landOf(market)
  const waterOn = (side: number): number =>
    Array.from({ length: 10 }, (_, at) => position(0, side * (heightM / 2 + 300 * (at + 1)))).filter(
      ([lng, lat]) => !land.contains(lat, lng),
    ).length
  const side = waterOn(-1) >= waterOn(1) ? 1 : -1
  const waveM = Math.min(20, 0.25 * (to - from) * heightM)
  const edge = (share: number): Position[] =>
    Array.from({ length: 17 }, (_, at) => {
      const isOutside = share === 0 || share === 1
      const across = isOutside ? (share - 0.5) * (heightM + 30) : (share - 0.5) * heightM + waveM * Math.sin(at)
      return position((at / 16 - 0.5) * (lengthM + 30), side * across)
    })
  return [...edge(from), ...edge(to).reverse()]
}

const faultZoneM = 450
const [perLng, perLat] = [88_300, 111_195]

/** A strip along the trace. */
const alongTrace = (trace: readonly (readonly [lat: number, lng: number])[]): Position[] => {
  const side = (sign: number): Position[] =>
    trace.map(([lat, lng], at) => {
      const [before, after] = [trace[Math.max(0, at - 1)]!, trace[Math.min(trace.length - 1, at + 1)]!]
      const [x, y] = [(after[1] - before[1]) * perLng, (after[0] - before[0]) * perLat]
      const scale = (sign * faultZoneM) / Math.hypot(x, y)
      return [round6(lng - (y * scale) / perLng), round6(lat + (x * scale) / perLat)]
    })
  return [...side(1), ...side(-1).reverse()]
}

/** The zones that a lot is in, by the share of its area that counts as covered. */
export const zoneFinder = (zones: readonly SampleZone[]) => {
  const flat = zones.map((zone) => {
    const rings = [turned(zone.ring.flat(), false)]
    return { ...zone, rings, box: boxOfRings(rings) }
  })
  return (market: string, outline: readonly Position[]): ReadonlySet<OverlayName> => {
    const lot = [turned(outline.flat(), false)]
    const box = boxOfRings(lot)
    const covered = new Map<OverlayName, number>()
    for (const zone of flat)
      if (zone.market === market && boxesTouch(zone.box, box))
        covered.set(zone.overlay, (covered.get(zone.overlay) ?? 0) + sharedArea(lot, zone.rings))
    return new Set([...covered].filter(([, area]) => area >= 0.05 * areaOf(lot)).map(([name]) => name))
  }
}

/** Every layer of a market that has one, with its shapes. */
export const layersOf = (
  { seed, parcels: all, neighborhoods }: SampleData,
  market: string,
  day: number,
): Partial<Record<SampleLayer, SampleShape[]>> => {
  const parcels = all.filter(({ zone }) => zone.market === market)
  const found: Partial<Record<SampleLayer, SampleShape[]>> = {}
  const add = (layer: SampleLayer, type: string, coordinates: unknown, properties: object = {}) => {
    found[layer] ??= []
    found[layer].push({ type: 'Feature', properties, geometry: { type, coordinates } })
  }
  const addArea = (layer: SampleLayer, ring: readonly Position[]) => add(layer, 'Polygon', [[...ring, ring[0]]])
  for (const { overlay, ring, ...zone } of zonesOf(neighborhoods))
    if (zone.market === market) addArea(overlay as SampleLayer, ring)
  for (const parcel of parcels) {
    const { historicDistrict, hazardousWaste } = overlaysOf(parcel, seed)
    if (historicDistrict === 'yes' && !isHistoricIsland(market)) addArea('historicDistrict', parcel.outline)
    if (hazardousWaste === 'yes') add('hazardousWaste', 'Point', [parcel.lng, parcel.lat])
    const house = footprintOf(parcel, seed, day)
    if (house) addArea('buildings', house)
  }
  for (const { name, tier, lat, lng } of packOf(market)?.market.transitStops ?? [])
    add('stations', 'Point', [lng, lat], { name, tier })
  return found
}

/** A house 20 ft from the street where there is room, on its ground floor with the garage. The lot begins at the street. */
const footprintOf = (parcel: SampleParcel, seed: number, day: number): Position[] | undefined => {
  const { lotWidthFt: width, lotDepthFt: depth, outline } = parcel
  const { propertyType, livingSqft, stories, garageSqft } = homeAt(parcel, day)
  if (propertyType === 'land') return undefined
  const sqft = Math.min(livingSqft / stories + garageSqft, 0.55 * width * depth)
  const random = randomFor(seed, 'footprint', parcel.index)
  const wide = Math.min(width - 2 * clamp(0.1 * width, 4, 12), 1.7 * Math.sqrt(sqft))
  const deep = Math.min(sqft / wide, depth - 8)
  const left = (width - wide) * random.between(0.4, 0.6)
  const front = Math.min(20, (depth - deep) / 2)
  const [a, b, , d] = outline as readonly [Position, Position, Position, Position]
  const at = (x: number, y: number): Position =>
    [0, 1].map((axis) =>
      round6(a[axis]! + ((b[axis]! - a[axis]!) * x) / width + ((d[axis]! - a[axis]!) * y) / depth),
    ) as unknown as Position
  return [at(left, front), at(left + wide, front), at(left + wide, front + deep), at(left, front + deep)]
}
