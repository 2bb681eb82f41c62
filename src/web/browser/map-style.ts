// The built-in base map: land, water and city names, in the colors of the page.
import type { StyleSpecification } from 'maplibre-gl'

export interface MapData {
  box: { south: number; north: number; west: number; east: number }
  attribution: string
  /** What the score of a point is called. */
  scoreName: string
  cities: { name: string; lat: number; lng: number }[]
}

export interface Colors {
  water: string
  land: string
  shore: string
  label: string
  halo: string
  accent: string
  onAccent: string
  faint: string
}

/** Reads the current colors from the stylesheet; they differ between light and dark. */
export const colorsOf = (element: HTMLElement): Colors => {
  const probe = document.createElement('span')
  element.append(probe)
  const read = (name: string) => {
    probe.className = `probe-${name}`
    return getComputedStyle(probe).color
  }
  const names = ['water', 'land', 'shore', 'label', 'halo', 'accent', 'onAccent', 'faint'] as const
  const colors = Object.fromEntries(names.map((name) => [name, read(name)])) as unknown as Colors
  probe.remove()
  return colors
}

export const labelFont = ['Public Sans Variable, system-ui, sans-serif']

export const baseStyle = (land: string, data: MapData, colors: Colors): StyleSpecification => {
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
      { id: 'water', type: 'background', paint: { 'background-color': colors.water } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colors.land } },
      { id: 'shore', type: 'line', source: 'land', paint: { 'line-color': colors.shore, 'line-width': 1 } },
      {
        id: 'cities',
        type: 'symbol',
        source: 'cities',
        layout: { 'text-field': ['get', 'name'], 'text-font': labelFont, 'text-size': 12, 'text-letter-spacing': 0.04 },
        paint: { 'text-color': colors.label, 'text-halo-color': colors.halo, 'text-halo-width': 1.4 },
      },
    ],
  }
}
