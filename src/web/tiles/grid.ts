// Web Mercator tiles: which part of the earth a tile covers.
// https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames
import type { Bounds } from '../../criteria/geometry.ts'

export type TileAddress = NonNullable<ReturnType<typeof tileAddress>>

export const maxZoom = 18

/** Undefined for a tile that does not exist. */
export const tileAddress = (z: string, x: string, y: string) => {
  if (![z, x, y].every((each) => /^\d{1,7}$/.test(each))) return undefined
  const address = { z: Number(z), x: Number(x), y: Number(y) }
  const size = 2 ** address.z
  return address.z <= maxZoom && address.x < size && address.y < size ? address : undefined
}

/** `margin` is a share of the tile, so that lines and labels continue across its edge. */
export const tileBounds = ({ z, x, y }: TileAddress, margin = 0): Bounds => ({
  west: lngOf(x - margin, z),
  east: lngOf(x + 1 + margin, z),
  north: latOf(y - margin, z),
  south: latOf(y + 1 + margin, z),
})

const lngOf = (x: number, z: number): number => (x / 2 ** z) * 360 - 180
const latOf = (y: number, z: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI
