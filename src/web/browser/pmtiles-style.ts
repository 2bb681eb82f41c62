// The style of a Protomaps extract. Labels are drawn with the fonts of the page and icons are left out, so that nothing is
// loaded from other hosts.
import { layers, namedFlavor } from '@protomaps/basemaps'
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { addProtocol } from 'maplibre-gl'
import { Protocol } from 'pmtiles'
import { labelFont } from './map-style.ts'

const source = 'protomaps'
const attribution = '<a href="https://protomaps.com">Protomaps</a> © OpenStreetMap contributors'

let registered = false

export const pmtilesStyle = (path: string, isDark: boolean): StyleSpecification => {
  if (!registered) addProtocol('pmtiles', new Protocol().tile)
  registered = true
  return {
    version: 8,
    sources: { [source]: { type: 'vector', url: `pmtiles://${location.origin}${path}`, attribution } },
    layers: baseLayers(isDark),
  }
}

const baseLayers = (isDark: boolean): LayerSpecification[] =>
  (layers(source, namedFlavor(isDark ? 'dark' : 'light'), { lang: 'en' }) as LayerSpecification[]).flatMap(
    (layer): LayerSpecification[] => {
      if (layer.type !== 'symbol') return [layer]
      const { 'icon-image': icon, 'icon-size': _size, ...layout } = layer.layout ?? {}
      if (layout['text-field'] === undefined) return icon === undefined ? [layer] : []
      return [{ ...layer, layout: { ...layout, 'text-font': labelFont } }]
    },
  )
