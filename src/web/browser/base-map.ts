// Opens a map: the library, the base map that the operator chose, lots, and the colors of the page. Loaded only where a map is shown.
import 'maplibre-gl/dist/maplibre-gl.css'
import type { LngLatLike, Map as MapLibre, Marker, Popup } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { element } from './element.ts'
import { addLots, farZoom, outlineLot, paintLots } from './map-layers.ts'
import { baseStyle, type Colors, colorsOf, paintBase } from './map-style.ts'

export type Box = [west: number, south: number, east: number, north: number]

export interface MapLibrary {
  Marker: typeof Marker
  Popup: typeof Popup
}

interface BaseMapOptions {
  bounds: Box
  /** Pixels left free around the bounds. */
  padding: number
  /** Called when the style is ready, and again when another theme has replaced it. */
  addLayers(map: MapLibre): void
  paint(map: MapLibre, colors: Colors): void
}

/** Undefined without WebGL: the page then shows its list alone. The base map is named by data attributes of the holder. */
export const openBaseMap = async (holder: HTMLElement, options: BaseMapOptions) => {
  // Checked before the map library is downloaded, so that the list gets the space immediately.
  if (!document.createElement('canvas').getContext('webgl2')) return withoutMap(holder)
  const library = await import('maplibre-gl')
  library.setWorkerUrl(new URL(workerUrl, location.href).href)
  const canvas = element('div', { className: 'map-canvas' })
  holder.append(canvas)
  const { style, pmtiles, attribution = '' } = holder.dataset
  const baseMap = async () =>
    pmtiles
      ? (await import('./pmtiles-style.ts')).pmtilesStyle(pmtiles, isDark(holder))
      : (style ?? baseStyle(attribution))
  let map: MapLibre
  try {
    map = new library.Map({
      container: canvas,
      style: await baseMap(),
      bounds: options.bounds,
      fitBoundsOptions: { padding: options.padding, maxZoom: 16.5 },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      maxZoom: 18,
    })
  } catch {
    canvas.remove()
    return withoutMap(holder)
  }
  holder.classList.add('ready')
  map.addControl(new library.NavigationControl({ showCompass: false }), 'top-right')

  const repaint = () => {
    const colors = colorsOf(holder)
    if (style === undefined && pmtiles === undefined) paintBase(map, colors)
    paintLots(map, colors)
    options.paint(map, colors)
  }
  // Before the first frame, and again when a style has replaced ours: the colors of a new layer are black.
  map.on('style.load', () => {
    addLots(map)
    options.addLayers(map)
    repaint()
  })
  map.on('load', () => {
    holder.dataset.loaded = 'true'
  })
  // The style of a PMTiles file has its own colors for light and dark; it drops our layers when it changes.
  const changeTheme = async () => {
    // A theme chosen while the map is loading is applied when it has loaded.
    if (!map.getLayer('lots')) return
    if (!pmtiles) return repaint()
    map.setStyle(await baseMap(), { diff: false })
  }
  document.addEventListener('themechange', changeTheme)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changeTheme)

  map.on('click', 'lots', ({ features, lngLat, point }) => {
    const id = features?.[0]?.properties.id as string | undefined
    const above = ['dots', 'cells', 'overlay-dots', 'overlay-cells'].filter((layer) => map.getLayer(layer))
    const isOnDot = map.queryRenderedFeatures(point, { layers: above }).length > 0
    if (id && !isOnDot && map.getCanvas().style.cursor !== 'crosshair') void openLotCard(map, library, id, lngLat)
  })
  pointAt(map, ['lots'])
  const view = map.getCanvas()
  view.setAttribute('aria-label', 'Map. Arrow keys move it, + and − zoom, Enter opens the lot in the middle.')
  view.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter' || view.style.cursor === 'crosshair') return
    const middle = map.getCenter()
    const [lot] = map.queryRenderedFeatures(map.project(middle), { layers: ['lots'] })
    if (lot) void openLotCard(map, library, lot.properties.id, middle)
  })

  const markFar = () => canvas.classList.toggle('far', map.getZoom() < farZoom)
  map.on('zoom', markFar)
  markFar()
  return { map, library, canvas, repaint }
}

/** Every lot has a card, for sale or not. */
export const openLotCard = async (map: MapLibre, library: MapLibrary, id: string, at: LngLatLike): Promise<void> => {
  const answer = await fetch(`/properties/${encodeURIComponent(id)}/card`).catch(() => undefined)
  if (!answer?.ok) return
  const card = element('div', { className: 'home-card', innerHTML: await answer.text() })
  const popup = new library.Popup({ maxWidth: '19rem' }).setLngLat(at).setDOMContent(card)
  openCard(map, popup)
  outlineLot(map, id)
  popup.once('close', () => {
    // Another lot may have been chosen since.
    if (!shownCard?.isOpen()) outlineLot(map)
    if (document.activeElement === document.body) map.getCanvas().focus({ preventScroll: true })
  })
}

/** Shows a pointer over the dots of these layers. */
export const pointAt = (map: MapLibre, layers: readonly string[]): void => {
  for (const layer of layers) {
    map.on('mouseenter', layer, () => {
      if (map.getCanvas().style.cursor === '') map.getCanvas().style.cursor = 'pointer'
    })
    map.on('mouseleave', layer, () => {
      if (map.getCanvas().style.cursor === 'pointer') map.getCanvas().style.cursor = ''
    })
  }
}

/** The smallest box around the positions. Undefined when there are none. */
export const boxAround = (positions: readonly (readonly number[])[]): Box | undefined => {
  if (positions.length === 0) return undefined
  const lngs = positions.map(([lng]) => lng!)
  const lats = positions.map(([, lat]) => lat!)
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}

const isDark = (holder: HTMLElement): boolean =>
  getComputedStyle(holder).colorScheme === 'dark' ||
  (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches)

const withoutMap = (holder: HTMLElement): undefined => {
  const text = holder.querySelector('.no-map [data-loading]')
  if (text) text.textContent = 'The map needs WebGL.'
  holder.classList.add('off')
}

/** Marks the events of a move to the selected item. */
export const movedToSelection = 'movedToSelection'

let shownCard: Popup | undefined

/** Opens a card instead of the one before. Escape closes it and returns the focus. Moves the map where the card is beyond its edge. */
export const openCard = (map: MapLibre, card: Popup): void => {
  if (shownCard?.isOpen()) shownCard.remove()
  shownCard = card
  const opener = document.activeElement as HTMLElement | null
  const close = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return
    const isInside = card.getElement().contains(document.activeElement)
    card.remove()
    if (isInside) opener?.focus()
  }
  // On the document: a card opened from the list leaves the focus in the list.
  document.addEventListener('keydown', close)
  card.addTo(map).once('close', () => document.removeEventListener('keydown', close))
  const [inner, outer] = [card.getElement().getBoundingClientRect(), map.getContainer().getBoundingClientRect()]
  const beyond = (low: number, high: number, from: number, to: number) =>
    low < from + cardMarginPx ? low - from - cardMarginPx : Math.max(0, high - to + cardMarginPx)
  const by: [number, number] = [
    beyond(inner.left, inner.right, outer.left, outer.right),
    beyond(inner.top, inner.bottom, outer.top, outer.bottom),
  ]
  if (by[0] !== 0 || by[1] !== 0) map.panBy(by, {}, { [movedToSelection]: true })
}

const cardMarginPx = 8
