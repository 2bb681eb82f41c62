// Our own data on the map: lots, matches that are not in the list, permits, and the area drawn.

import type { FeatureCollection, Position } from 'geojson'
import type { GeoJSONSource, Map as MapLibre, VectorTileSource } from 'maplibre-gl'
import { milesPerDegree } from '../../contract/distance.ts'
import { type Colors, labelFont, tilesOf } from './map-style.ts'

export type ColorBy = 'score' | 'return'

const empty: FeatureCollection = { type: 'FeatureCollection', features: [] }

export const addLots = (map: MapLibre): void => {
  map.addSource('parcels', { type: 'vector', tiles: tilesOf('parcels'), minzoom: 15, maxzoom: 17 })
  const below = map.getLayer('street-names') ? 'street-names' : undefined
  map.addLayer({ id: 'lots', type: 'fill', source: 'parcels', 'source-layer': 'parcels', minzoom: 15 }, below)
  map.addLayer(
    {
      id: 'lot-lines',
      type: 'line',
      source: 'parcels',
      'source-layer': 'parcels',
      minzoom: 15,
      paint: { 'line-width': ['interpolate', ['linear'], ['zoom'], 15, 0.5, 18, 1.5] },
    },
    below,
  )
}

export const paintLots = (map: MapLibre, colors: Colors): void => {
  map.setPaintProperty('lots', 'fill-color', colors.lot)
  map.setPaintProperty('lot-lines', 'line-color', colors.shore)
}

export const addSignalLayers = (map: MapLibre, query: string): void => {
  map.addSource('signals', { type: 'vector', tiles: tilesOf('signals', query), minzoom: 6, maxzoom: 16 })
  map.addSource('area', { type: 'geojson', data: empty })
  map.addLayer({ id: 'area-fill', type: 'fill', source: 'area', paint: { 'fill-opacity': 0.12 } })
  map.addLayer({ id: 'area-line', type: 'line', source: 'area', paint: { 'line-width': 2 } })
  map.addLayer({
    id: 'cells',
    type: 'circle',
    source: 'signals',
    'source-layer': 'cells',
    maxzoom: 12,
    paint: {
      'circle-radius': ['step', ['get', 'count'], 5, 2, 12, 10, 15, 50, 19, 200, 24],
      'circle-stroke-width': 1.5,
    },
  })
  map.addLayer({
    id: 'cell-counts',
    type: 'symbol',
    source: 'signals',
    'source-layer': 'cells',
    maxzoom: 12,
    filter: ['>', ['get', 'count'], 1],
    layout: {
      'text-field': ['to-string', ['get', 'count']],
      'text-font': labelFont,
      'text-size': 12,
      'text-allow-overlap': true,
    },
  })
  // Between the zoom levels of counts and of homes, a dot shows that there are matches.
  map.addLayer({
    id: 'cell-dots',
    type: 'circle',
    source: 'signals',
    'source-layer': 'cells',
    minzoom: 12,
    maxzoom: 14,
    paint: { 'circle-radius': 4 },
  })
  map.addLayer({
    id: 'dots',
    type: 'circle',
    source: 'signals',
    'source-layer': 'signals',
    minzoom: 14,
    filter: ['has', 'id'],
    paint: { 'circle-radius': 6, 'circle-stroke-width': 1.5 },
  })
}

export const paintSignals = (map: MapLibre, colors: Colors, colorBy: ColorBy): void => {
  map.setPaintProperty('area-fill', 'fill-color', colors.accent)
  map.setPaintProperty('area-line', 'line-color', colors.accent)
  map.setPaintProperty('cells', 'circle-color', colors.halo)
  map.setPaintProperty('cells', 'circle-stroke-color', colors.accent)
  map.setPaintProperty('cell-dots', 'circle-color', colors.accent)
  map.setPaintProperty('cell-counts', 'text-color', colors.label)
  map.setPaintProperty('dots', 'circle-stroke-color', colors.halo)
  map.setPaintProperty(
    'dots',
    'circle-color',
    colorBy === 'score'
      ? ['interpolate', ['linear'], ['coalesce', ['get', 'score'], 0], 0, colors.soft, 80, colors.accent]
      : ['case', ['!', ['has', 'returnPct']], colors.soft, ['<', ['get', 'returnPct'], 0], colors.loss, colors.good],
  )
}

export const setSignalQuery = (map: MapLibre, query: string): void => {
  map.getSource<VectorTileSource>('signals')?.setTiles(tilesOf('signals', query))
}

/** Permits near the one that the page shows, from the street level on. */
export const addPermitLayer = (map: MapLibre): void => {
  map.addSource('permits', { type: 'vector', tiles: tilesOf('permits'), minzoom: 14, maxzoom: 16 })
  map.addLayer({
    id: 'permit-dots',
    type: 'circle',
    source: 'permits',
    'source-layer': 'permits',
    minzoom: 14,
    filter: ['has', 'id'],
    paint: { 'circle-radius': 6, 'circle-stroke-width': 1.5 },
  })
}

export const paintPermits = (map: MapLibre, colors: Colors): void => {
  map.setPaintProperty('permit-dots', 'circle-color', colors.soft)
  map.setPaintProperty('permit-dots', 'circle-stroke-color', colors.halo)
}

export const showArea = (map: MapLibre, ring: readonly Position[]): void => {
  const closed = ring.length > 2 ? [...ring, ring[0]!] : [...ring]
  map.getSource<GeoJSONSource>('area')?.setData(
    ring.length < 2
      ? empty
      : {
          type: 'Feature',
          properties: {},
          geometry:
            ring.length > 2 ? { type: 'Polygon', coordinates: [closed] } : { type: 'LineString', coordinates: closed },
        },
  )
}

export const circleRing = (lng: number, lat: number, radiusMi: number): Position[] =>
  Array.from({ length: 48 }, (_, at) => {
    const angle = (at / 24) * Math.PI
    const wide = radiusMi / (milesPerDegree * Math.cos((lat * Math.PI) / 180))
    return [lng + wide * Math.cos(angle), lat + (radiusMi / milesPerDegree) * Math.sin(angle)]
  })
