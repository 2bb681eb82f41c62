// Our own base map: land, water and the names of cities, in the page's colours.
import type { StyleSpecification } from 'maplibre-gl'

export interface MapData {
  box: { south: number; north: number; west: number; east: number }
  attribution: string
  cities: { name: string; lat: number; lng: number }[]
}

export interface Colours {
  water: string
  land: string
  shore: string
  label: string
  halo: string
  accent: string
  onAccent: string
  faint: string
}

/** The colours as the stylesheet has them at this moment, light or dark. */
export function coloursOf(element: HTMLElement): Colours {
  const probe = document.createElement('span')
  element.append(probe)
  const read = (name: string) => {
    probe.className = `probe-${name}`
    return getComputedStyle(probe).color
  }
  const names = ['water', 'land', 'shore', 'label', 'halo', 'accent', 'onAccent', 'faint'] as const
  const colours = Object.fromEntries(names.map((name) => [name, read(name)])) as unknown as Colours
  probe.remove()
  return colours
}

export const labelFont = ['Public Sans Variable, system-ui, sans-serif']

export function baseStyle(land: string, data: MapData, colours: Colours): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: new URL(land, location.href).href, attribution: data.attribution },
      cities: {
        type: 'geojson',
        data: {
          type: 'FeatureCollection',
          features: data.cities.map(({ name, lat, lng }) => ({
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [lng, lat] },
            properties: { name },
          })),
        },
      },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
      { id: 'shore', type: 'line', source: 'land', paint: { 'line-color': colours.shore, 'line-width': 1 } },
      {
        id: 'cities',
        type: 'symbol',
        source: 'cities',
        layout: { 'text-field': ['get', 'name'], 'text-font': labelFont, 'text-size': 12, 'text-letter-spacing': 0.04 },
        paint: { 'text-color': colours.label, 'text-halo-color': colours.halo, 'text-halo-width': 1.4 },
      },
    ],
  }
}
