// The map of the Explore page. Loaded only when the map is shown.
import 'maplibre-gl/dist/maplibre-gl.css'
import type { Map as MapLibre } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { drawArea, pickCenter } from './draw-area.ts'
import { homesInList, loadResults } from './explore-list.ts'
import type { ExploreState } from './explore-state.ts'
import { homeMarkers } from './home-markers.ts'
import { addDataLayers, type ColorBy, circleRing, paintData, setSignalQuery, showArea } from './map-layers.ts'
import { baseStyle, colorsOf, type MapData, paintBase } from './map-style.ts'
import { dotCard, mapTools } from './map-tools.ts'

/** Below this zoom price markers are dots. */
const farZoom = 11.5

/** The list waits until the map has rested this long. */
const restMs = 400

export const openMap = async (holder: HTMLElement, state: ExploreState): Promise<void> => {
  // Checked before the map library is downloaded, so that the list gets the space immediately.
  if (!document.createElement('canvas').getContext('webgl2')) return hideMap(holder)
  const data = JSON.parse(document.getElementById('map-data')?.textContent ?? '') as MapData
  const library = await import('maplibre-gl')
  library.setWorkerUrl(new URL(workerUrl, location.href).href)
  const canvas = document.createElement('div')
  canvas.className = 'map-canvas'
  holder.append(canvas)
  const { style, pmtiles } = holder.dataset
  const isOwn = style === undefined && pmtiles === undefined
  const baseMap = async () =>
    pmtiles ? (await import('./pmtiles-style.ts')).pmtilesStyle(pmtiles, isDark(holder)) : (style ?? baseStyle(data))
  let map: MapLibre
  try {
    map = new library.Map({
      container: canvas,
      style: await baseMap(),
      bounds: boundsOf(state, data),
      fitBoundsOptions: { padding: state.get('bbox') ? 0 : 24 },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      maxZoom: 18,
    })
  } catch {
    canvas.remove()
    return hideMap(holder)
  }
  holder.classList.add('ready')
  map.addControl(new library.NavigationControl({ showCompass: false }), 'top-right')
  const markers = homeMarkers(map, library)
  let colorBy: ColorBy = 'score'
  const repaint = () => {
    const colors = colorsOf(holder)
    if (isOwn) paintBase(map, colors)
    paintData(map, colors, colorBy)
  }
  const refresh = async () => {
    setSignalQuery(map, state.tileQuery())
    if (await loadResults(state)) markers.show(homesInList())
    holder.dataset.listed = state.text()
  }

  const tools = mapTools(holder, {
    follow: state.get('follow') !== '0',
    hasArea: state.hasDrawnArea(),
    onFollow: (on) => state.set('follow', on ? undefined : '0'),
    onColor: (by) => {
      colorBy = by
      markers.colorBy(by)
      repaint()
    },
    onSearchHere: () => searchHere(),
    onDraw: async () => {
      map.doubleClickZoom.disable()
      const corners = await drawArea(map)
      map.doubleClickZoom.enable()
      if (corners) await useArea({ area: corners.map((corner) => corner.join(',')).join(';') })
      else showGiven()
    },
    onRadius: async (radiusMi) => {
      const center = await pickCenter(map)
      if (center) await useArea({ lat: String(center.lat), lng: String(center.lng), radiusMi: String(radiusMi) })
    },
    onClear: () => useArea({}),
  })
  const useArea = async (area: Readonly<Record<string, string>>) => {
    state.setArea(area)
    tools.setHasArea(state.hasDrawnArea())
    showGiven()
    await refresh()
  }
  const showGiven = () => showArea(map, ringOf(state))
  const searchHere = async () => {
    const { _sw: southWest, _ne: northEast } = map.getBounds() as unknown as Record<
      '_sw' | '_ne',
      { lng: number; lat: number }
    >
    const box = [southWest.lng, southWest.lat, northEast.lng, northEast.lat].map((value) => value.toFixed(5)).join()
    state.setArea({ bbox: box })
    await refresh()
  }

  const markFar = () => canvas.classList.toggle('far', map.getZoom() < farZoom)
  map.on('zoom', markFar)
  markFar()

  let resting: ReturnType<typeof setTimeout> | undefined
  map.on('moveend', (event) => {
    // Only moves by the user: the first view and a resized window do not change the list.
    if (!('originalEvent' in event) || !event.originalEvent || state.hasDrawnArea()) return
    clearTimeout(resting)
    if (tools.follows()) resting = setTimeout(searchHere, restMs)
    else tools.offerSearch()
  })

  const showData = () => {
    addDataLayers(map, state.tileQuery())
    repaint()
    showGiven()
  }
  map.on('load', () => {
    showData()
    markers.show(homesInList())
    holder.dataset.loaded = 'true'
  })
  // The style of a PMTiles file has its own colors for light and dark; it drops our layers when it changes.
  const changeTheme = async () => {
    if (!pmtiles) return repaint()
    map.setStyle(await baseMap(), { diff: false })
    map.once('styledata', showData)
  }
  document.addEventListener('themechange', changeTheme)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changeTheme)

  map.on('click', 'cells', ({ lngLat, originalEvent }) => {
    if (map.getCanvas().style.cursor === 'crosshair') return
    map.easeTo({ center: lngLat, zoom: map.getZoom() + 2 }, { originalEvent })
  })
  map.on('click', 'dots', ({ features, lngLat }) => {
    const dot = features?.[0]
    if (!dot || map.getCanvas().style.cursor === 'crosshair') return
    new library.Popup({ offset: 12 }).setLngLat(lngLat).setDOMContent(dotCard(dot.properties)).addTo(map)
  })
  for (const layer of ['cells', 'dots']) {
    map.on('mouseenter', layer, () => {
      if (map.getCanvas().style.cursor === '') map.getCanvas().style.cursor = 'pointer'
    })
    map.on('mouseleave', layer, () => {
      if (map.getCanvas().style.cursor === 'pointer') map.getCanvas().style.cursor = ''
    })
  }
}

const isDark = (holder: HTMLElement): boolean =>
  getComputedStyle(holder).colorScheme === 'dark' ||
  (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches)

/** Used when WebGL is not available; the list shows the same listings. */
const hideMap = (holder: HTMLElement): void => {
  holder.classList.add('off')
}

const boundsOf = (state: ExploreState, { box }: MapData): [number, number, number, number] => {
  const given = state.get('bbox')?.split(',').map(Number)
  if (given?.length === 4 && given.every(Number.isFinite)) return given as [number, number, number, number]
  const ring = ringOf(state)
  if (ring.length < 3) return [box.west, box.south, box.east, box.north]
  const lngs = ring.map(([lng]) => lng!)
  const lats = ring.map(([, lat]) => lat!)
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}

/** The outline of the drawn area or circle in the URL. */
const ringOf = (state: ExploreState): number[][] => {
  const area = state.get('area')
  if (area) return area.split(';').map((corner) => corner.split(',').map(Number))
  const [lng, lat, radiusMi] = ['lng', 'lat', 'radiusMi'].map((name) => Number(state.get(name) ?? Number.NaN))
  return radiusMi! > 0 ? circleRing(lng!, lat!, radiusMi!) : []
}
