// Our own data on the map: lots, matches that are not in the list, leads, permits, zoning, and the area drawn.

import type { FeatureCollection, Position } from 'geojson'
import type {
  AddLayerObject,
  ExpressionSpecification,
  FilterSpecification,
  GeoJSONSource,
  Map as MapLibre,
  VectorTileSource,
} from 'maplibre-gl'
import { keysOf } from '../../common/typed.ts'
import { milesPerDegree } from '../../domain/distance.ts'
import type { Overlay } from '../map-panel.ts'
import { type Colors, labelFont, tilesOf } from './map-style.ts'
import type { ColorBy } from './marker-colors.ts'

const empty: FeatureCollection = { type: 'FeatureCollection', features: [] }

const lotWith = (id: string): FilterSpecification => ['==', ['get', 'id'], id]

/** Outlines the lot whose card is open; none without an id. */
export const outlineLot = (map: MapLibre, id = ''): void => {
  if (map.getLayer('chosen-lot')) map.setFilter('chosen-lot', lotWith(id))
}

export const addLots = (map: MapLibre): void => {
  map.addSource('parcels', { type: 'vector', tiles: tilesOf('parcels'), minzoom: 15, maxzoom: 17 })
  const below = map.getLayer('street-names') ? 'street-names' : undefined
  const ofLots = { source: 'parcels', 'source-layer': 'parcels', minzoom: 15 }
  const thin: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 15, 0.5, 18, 1.5]
  map.addLayer({ ...ofLots, id: 'lots', type: 'fill' }, below)
  map.addLayer({ ...ofLots, id: 'lot-lines', type: 'line', paint: { 'line-width': thin } }, below)
  map.addLayer({ ...ofLots, id: 'chosen-lot', type: 'line', filter: lotWith(''), paint: { 'line-width': 3 } })
  const text: ExpressionSpecification = ['get', 'zoning']
  const layout = { visibility: 'none' as const, 'text-field': text, 'text-font': labelFont, 'text-size': 10 }
  map.addLayer({ ...ofLots, id: 'lot-zones', type: 'symbol', minzoom: 16, layout, paint: { 'text-halo-width': 1.2 } })
  // Markers are elements above the map. A transparent image at each one keeps the labels of the map away from it.
  const [width, height] = [52, 24]
  map.addImage('marker-space', { width, height, data: new Uint8Array(4 * width * height) }, { pixelRatio: 1 })
  map.addSource('markers', { type: 'geojson', data: empty })
  map.addLayer({
    ...{ id: 'marker-space', type: 'symbol', source: 'markers' },
    layout: {
      ...{ 'icon-image': 'marker-space', 'icon-anchor': 'bottom', 'icon-allow-overlap': true },
      'icon-size': ['step', ['zoom'], 0.5, farZoom, 1],
    },
  })
}

/** Where markers are, for the layer `marker-space`. */
export const reserveSpace = (map: MapLibre, coordinates: Position[]): void =>
  void (map.getSource('markers') as GeoJSONSource | undefined)?.setData({ type: 'MultiPoint', coordinates })

export const paintLots = (map: MapLibre, colors: Colors): void => {
  map.setPaintProperty('lots', 'fill-color', colors.lot)
  map.setPaintProperty('lot-lines', 'line-color', colors.shore)
  map.setPaintProperty('chosen-lot', 'line-color', colors.accent)
}

/** Below this zoom there are counts per cell, and markers are dots, because their labels would cover each other. */
export const farZoom = 11.5
const rowsFromZoom = 14

/** Counts per cell, then rows: of matches, leads or permits. Matches have markers between: there a dot per cell is enough. */
const addRows = (map: MapLibre, source: string, rows: string, prefix: '' | 'overlay-', below?: string): void => {
  const cells = { source, 'source-layer': 'cells', maxzoom: prefix === '' ? farZoom : rowsFromZoom }
  const dots = { source, 'source-layer': rows, minzoom: rowsFromZoom }
  const radius: ExpressionSpecification = ['step', ['get', 'count'], 5, 2, 12, 10, 15, 50, 19, 200, 24]
  const ring = { 'circle-stroke-width': 1.5 }
  map.addLayer({ ...cells, id: `${prefix}cells`, type: 'circle', paint: { 'circle-radius': radius, ...ring } }, below)
  map.addLayer(
    {
      ...cells,
      id: `${prefix}cell-counts`,
      type: 'symbol',
      filter: ['>', ['get', 'count'], 1],
      layout: {
        'text-field': ['to-string', ['get', 'count']],
        'text-font': labelFont,
        'text-size': 12,
        'text-allow-overlap': true,
      },
    },
    below,
  )
  const paint = { 'circle-radius': 6, ...ring }
  map.addLayer({ ...dots, id: `${prefix}dots`, type: 'circle', filter: ['has', 'id'], paint }, below)
}

const paintRows = (map: MapLibre, prefix: '' | 'overlay-', colors: Colors, color: string): void => {
  map.setPaintProperty(`${prefix}cells`, 'circle-color', colors.halo)
  map.setPaintProperty(`${prefix}cells`, 'circle-stroke-color', color)
  map.setPaintProperty(`${prefix}cell-counts`, 'text-color', colors.label)
  map.setPaintProperty(`${prefix}dots`, 'circle-color', color)
  map.setPaintProperty(`${prefix}dots`, 'circle-stroke-color', colors.halo)
}

export const addSignalLayers = (map: MapLibre, query: string): void => {
  map.addSource('signals', { type: 'vector', tiles: tilesOf('signals', query), minzoom: 6, maxzoom: 16 })
  map.addSource('area', { type: 'geojson', data: empty })
  map.addLayer({ id: 'area-fill', type: 'fill', source: 'area', paint: { 'fill-opacity': 0.12 } })
  map.addLayer({ id: 'area-line', type: 'line', source: 'area', paint: { 'line-width': 2 } })
  // Below the counts of an overlay, which must stay readable.
  const cells = { source: 'signals', 'source-layer': 'cells', minzoom: farZoom, maxzoom: rowsFromZoom }
  map.addLayer({ ...cells, id: 'cell-dots', type: 'circle', paint: { 'circle-radius': 4 } })
  addRows(map, 'signals', 'signals', '')
}

export const paintSignals = (map: MapLibre, colors: Colors, colorBy: ColorBy): void => {
  map.setPaintProperty('area-fill', 'fill-color', colors.accent)
  map.setPaintProperty('area-line', 'line-color', colors.accent)
  paintRows(map, '', colors, colors.accent)
  map.setPaintProperty('cell-dots', 'circle-color', colors.accent)
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

const zoneColor = '#9a5fb0'
/** Shapes of a map layer. Large ones are stored in parts, so their edges are not drawn. */
const zoneTypes = {
  areas: ['fill', 'Polygon', { 'fill-color': zoneColor, 'fill-opacity': 0.4, 'fill-antialias': false }],
  lines: ['line', 'LineString', { 'line-color': zoneColor, 'line-width': 2 }],
  points: ['circle', 'Point', { 'circle-color': zoneColor, 'circle-radius': 6 }],
} as const

/** What a map shows below the items of its list: all leads of a kind, all permits, the zoning of each lot, aerial photos, or a map layer. */
export const showOverlay = (map: MapLibre, overlay: Overlay | undefined, { dataset }: HTMLElement): void => {
  for (const layer of ['dots', 'cell-counts', 'cells', 'photos', ...keysOf(zoneTypes)].map((id) => `overlay-${id}`))
    if (map.getLayer(layer)) map.removeLayer(layer)
  if (map.getSource('overlay')) map.removeSource('overlay')
  map.setLayoutProperty('lot-zones', 'visibility', overlay === 'zoning' ? 'visible' : 'none')
  if (!overlay || overlay === 'zoning') return
  if (overlay === 'aerial') {
    const { aerial, aerialAttribution: attribution } = dataset
    map.addSource('overlay', { type: 'raster', tiles: [aerial!], tileSize: 256, maxzoom: 19, attribution })
    map.addLayer({ id: 'overlay-photos', type: 'raster', source: 'overlay' }, 'lots')
    return
  }
  if (overlay.startsWith('map:')) {
    const { city } = dataset
    const query = new URLSearchParams({ source: overlay.slice('map:'.length), ...(city ? { city } : {}) })
    map.addSource('overlay', { type: 'vector', tiles: tilesOf('zones', query.toString()), minzoom: 6, maxzoom: 16 })
    for (const [name, [type, geometry, paint]] of Object.entries(zoneTypes)) {
      const zones = { source: 'overlay', 'source-layer': 'zones', filter: ['==', ['geometry-type'], geometry] }
      const layer = { ...zones, id: `overlay-${name}`, type, paint } as AddLayerObject
      map.addLayer(layer, map.getLayer('cells') && 'cells')
    }
    return
  }
  const rows = overlay === 'permits' ? 'permits' : 'leads'
  const place = new URLSearchParams(dataset.city ? { city: dataset.city } : {})
  if (overlay !== 'permits') place.set('kind', overlay)
  const tiles = tilesOf(rows, place.toString())
  map.addSource('overlay', { type: 'vector', tiles, minzoom: 6, maxzoom: 16 })
  addRows(map, 'overlay', rows, 'overlay-', map.getLayer('cells') && 'cells')
}

/** Six hues that can be told apart on light and dark ground; neighboring districts rarely share one. */
const districtColors = ['#6fa3cf', '#cfa25c', '#79b184', '#b184b8', '#cf7f70', '#8089cf']

export const paintOverlay = (map: MapLibre, colors: Colors, overlay: Overlay | undefined): void => {
  map.setPaintProperty(
    'lots',
    'fill-color',
    overlay === 'zoning'
      ? [
          'to-color',
          ['at', ['coalesce', ['get', 'hue'], districtColors.length], ['literal', [...districtColors, colors.lot]]],
        ]
      : colors.lot,
  )
  map.setPaintProperty('lots', 'fill-opacity', overlay === 'zoning' ? 0.55 : overlay === 'aerial' ? 0 : 1)
  map.setPaintProperty('lot-zones', 'text-color', colors.label)
  map.setPaintProperty('lot-zones', 'text-halo-color', colors.halo)
  if (map.getLayer('overlay-dots'))
    paintRows(map, 'overlay-', colors, overlay === 'permits' ? colors.soft : colors.good)
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
