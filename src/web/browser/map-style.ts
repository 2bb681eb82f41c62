// The built-in base map from our own tiles: land, water, cities, streets and lots, in the colors of the page.
import type { LineLayerSpecification, Map as MapLibre, StyleSpecification } from 'maplibre-gl'
import { keysOf, tableOf } from '../../common/typed.ts'

const colorVariables = {
  water: '--water',
  land: '--land',
  shore: '--shore',
  street: '--street',
  edge: '--edge',
  lot: '--lot',
  label: '--ink',
  halo: '--sheet',
  accent: '--accent',
  soft: '--soft',
  loss: '--loss',
  good: '--good',
}
export type Colors = Record<keyof typeof colorVariables, string>

/** Reads the current colors from the stylesheet; they differ between light and dark. */
export const colorsOf = (element: HTMLElement): Colors => {
  const probe = document.createElement('span')
  element.append(probe)
  const colors = tableOf(keysOf(colorVariables), (name) => {
    probe.style.color = `var(${colorVariables[name]})`
    return getComputedStyle(probe).color
  })
  probe.remove()
  return colors
}

export const labelFont = ['Public Sans Variable, system-ui, sans-serif']

export const tilesOf = (layer: string, query = ''): string[] => [
  `${location.origin}/tiles/${layer}/{z}/{x}/{y}${query ? `?${query}` : ''}`,
]

/** `widths`: zoom levels, each followed by the width in pixels. */
const streetLines = (
  id: string,
  kind: 'street' | 'road',
  minzoom: number,
  widths: readonly number[],
): LineLayerSpecification => ({
  id,
  type: 'line',
  source: 'base',
  'source-layer': 'streets',
  filter: ['==', ['get', 'kind'], kind],
  minzoom,
  layout: { 'line-cap': 'round' },
  paint: { 'line-width': ['interpolate', ['exponential', 1.8], ['zoom'], ...widths] },
})

export const baseStyle = (attribution: string): StyleSpecification => ({
  version: 8,
  sources: { base: { type: 'vector', tiles: tilesOf('base'), minzoom: 6, maxzoom: 16, attribution } },
  layers: [
    { id: 'water', type: 'background' },
    { id: 'land', type: 'fill', source: 'base', 'source-layer': 'land' },
    { id: 'shore', type: 'line', source: 'base', 'source-layer': 'land', paint: { 'line-width': 1 } },
    // Edges, without which white streets cannot be seen on the land at the level of a city.
    streetLines('street-edges', 'street', 12, [12, 0.8, 13, 1.7, 15, 4.4, 18, 20]),
    streetLines('road-edges', 'road', 8.5, [8.5, 1.1, 11, 2.6, 15, 6.6, 18, 26]),
    streetLines('streets', 'street', 12, [12, 0, 13, 0.7, 15, 3, 18, 18]),
    streetLines('roads', 'road', 8.5, [8.5, 0.5, 11, 1.2, 15, 5, 18, 24]),
    {
      id: 'street-names',
      type: 'symbol',
      source: 'base',
      'source-layer': 'streets',
      filter: ['has', 'name'],
      minzoom: 14,
      layout: {
        'symbol-placement': 'line',
        'text-field': ['get', 'name'],
        'text-font': labelFont,
        'text-size': ['interpolate', ['linear'], ['zoom'], 14, 10, 18, 13],
      },
      paint: { 'text-halo-width': 1.4 },
    },
    {
      id: 'cities',
      type: 'symbol',
      source: 'base',
      'source-layer': 'cities',
      maxzoom: 15,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': labelFont,
        'text-size': ['interpolate', ['linear'], ['zoom'], 10, 12, 13, 16],
        'text-letter-spacing': 0.04,
        'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'],
        'text-radial-offset': 0.9,
      },
      paint: { 'text-halo-width': 1.4 },
    },
  ],
})

export const paintBase = (map: MapLibre, colors: Colors): void => {
  map.setPaintProperty('water', 'background-color', colors.water)
  map.setPaintProperty('land', 'fill-color', colors.land)
  map.setPaintProperty('shore', 'line-color', colors.shore)
  for (const layer of ['street-edges', 'road-edges']) map.setPaintProperty(layer, 'line-color', colors.edge)
  for (const layer of ['streets', 'roads']) map.setPaintProperty(layer, 'line-color', colors.street)
  map.setPaintProperty('cities', 'text-color', colors.label)
  map.setPaintProperty('street-names', 'text-color', colors.soft)
  for (const layer of ['cities', 'street-names']) map.setPaintProperty(layer, 'text-halo-color', colors.halo)
}
