// Writes a PMTiles archive of one tile: land everywhere and one place name.
// https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
import { writeFileSync } from 'node:fs'
import type { Feature } from 'geojson'
import { encodeTile } from '../../src/web/tiles/mount-tiles.ts'

const earth: Feature = {
  type: 'Feature',
  properties: { kind: 'earth' },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-179, -80],
        [179, -80],
        [179, 80],
        [-179, 80],
        [-179, -80],
      ],
    ],
  },
}

const place: Feature = {
  type: 'Feature',
  properties: { kind: 'locality', name: 'Palo Alto', min_zoom: 1, population_rank: 9 },
  geometry: { type: 'Point', coordinates: [-122.14, 37.44] },
}

export const writePmtiles = (file: string): void => {
  const tile = encodeTile({ z: 0, x: 0, y: 0 }, { earth: [earth], places: [place] })
  const metadata = Buffer.from(JSON.stringify({ vector_layers: [{ id: 'earth', fields: {} }] }))
  // One entry: tile 0, a run of one, its length, and its offset plus one.
  const directory = Buffer.from([1, 0, 1, ...varint(tile.length), 1])
  const header = Buffer.alloc(127)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  let offset = header.length
  const place64 = (at: number, length: number) => {
    header.writeBigUInt64LE(BigInt(offset), at)
    header.writeBigUInt64LE(BigInt(length), at + 8)
    offset += length
  }
  place64(8, directory.length)
  place64(24, metadata.length)
  place64(40, 0)
  place64(56, tile.length)
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at)
  // Clustered, nothing compressed, vector tiles, zoom 0 only.
  header.set([1, 1, 1, 1, 0, 0], 96)
  for (const [at, degrees] of [
    [102, -180],
    [106, -85],
    [110, 180],
    [114, 85],
  ] as const)
    header.writeInt32LE(degrees * 1e7, at)
  writeFileSync(file, Buffer.concat([header, directory, metadata, tile]))
}

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)])
