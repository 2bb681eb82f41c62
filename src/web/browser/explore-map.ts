// The map of the Explore page. Loaded only when the map is shown.

import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import type { Overlay } from '../map-panel.ts'
import { type Box, boxAround, movedToSelection, openBaseMap, openCard, pointAt } from './base-map.ts'
import { homesInList, loadResults } from './explore-list.ts'
import type { ExploreState } from './explore-state.ts'
import {
  addSignalLayers,
  circleRing,
  paintOverlay,
  paintSignals,
  setSignalQuery,
  showArea,
  showOverlay,
} from './map-layers.ts'
import { dotCard, mapTools, onOverlayDots } from './map-tools.ts'
import { type ColorBy, colorsOf, levelOf } from './marker-colors.ts'
import { placeMarkers } from './place-markers.ts'

/** The list is loaded when the map has not moved for this long. */
const restMs = 400

export const openMap = async (holder: HTMLElement, state: ExploreState): Promise<void> => {
  let colorBy: ColorBy = 'return'
  const overlays = (holder.dataset.overlays ?? '').split(',')
  let overlay = overlays.find((each) => each === state.get('layer')) as Overlay | undefined
  const opened = await openBaseMap(holder, {
    bounds: boundsOf(state, holder),
    padding: state.get('bbox') ? 0 : 24,
    addLayers: (map) => {
      addSignalLayers(map, state.tileQuery())
      showArea(map, ringOf(state))
      showOverlay(map, overlay, holder)
    },
    paint: (map, colors) => {
      paintSignals(map, colors, colorBy)
      paintOverlay(map, colors, overlay)
    },
  })
  if (!opened) return showDrawing(holder, state)
  const { map, library, repaint } = opened
  const markers = placeMarkers(map, library)
  const showHomes = () => {
    const homes = homesInList()
    markers.show(homes)
    tools.offerColors(colorsOf(homes))
    markers.color((home) => levelOf(home, colorBy))
  }
  const refresh = async () => {
    setSignalQuery(map, state.tileQuery())
    if (await loadResults(state)) showHomes()
    holder.dataset.listed = state.text()
  }

  const tools = mapTools(holder, {
    follow: state.get('follow') !== '0',
    hasArea: state.hasDrawnArea(),
    onFollow: (on) => state.set('follow', on ? undefined : '0'),
    onColor: (by) => {
      colorBy = by
      markers.color((home) => levelOf(home, by))
      // A list without returns changes the color before the style is loaded.
      if (map.isStyleLoaded()) repaint()
      else map.once('idle', () => repaint())
    },
    overlays: overlays as Overlay[],
    layers: JSON.parse(holder.dataset.layers ?? '[]'),
    overlay,
    onOverlay: (chosen) => {
      overlay = chosen
      state.set('layer', chosen)
      showOverlay(map, chosen, holder)
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
    const bounds = map.getBounds()
    const box = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
    state.setArea({ bbox: box.map((value) => value.toFixed(5)).join() })
    await refresh()
  }

  let resting: ReturnType<typeof setTimeout> | undefined
  const viewOf = () => [...map.getCenter().toArray(), map.getZoom()].join()
  let view = viewOf()
  map.on('moveend', (event) => {
    // A resized window keeps center and zoom, and a selected item moves the map without changing the list. `originalEvent` does
    // not tell them from moves by the user: a turn of the wheel that is drawn in one frame has none.
    const before = view
    view = viewOf()
    if (view === before || movedToSelection in event || state.hasDrawnArea()) return
    clearTimeout(resting)
    if (tools.follows()) resting = setTimeout(searchHere, restMs)
    else tools.offerSearch()
  })

  document.addEventListener('filterschange', (event) => {
    event.preventDefault()
    void refresh()
  })
  showHomes()
  onOverlayDots(map, library)

  map.on('click', 'cells', ({ lngLat, originalEvent }) => {
    if (map.getCanvas().style.cursor === 'crosshair') return
    map.easeTo({ center: lngLat, zoom: map.getZoom() + 2 }, { originalEvent })
  })
  map.on('click', 'dots', ({ features, lngLat }) => {
    const dot = features?.[0]
    if (!dot || map.getCanvas().style.cursor === 'crosshair') return
    openCard(map, new library.Popup({ offset: 12 }).setLngLat(lngLat).setDOMContent(dotCard(dot.properties)))
  })
  pointAt(map, ['cells', 'dots', 'overlay-cells', 'overlay-dots'])
}

/** Without WebGL: a drawing of the market with the homes of the list. */
const showDrawing = async (holder: HTMLElement, state: ExploreState): Promise<void> => {
  const answer = await fetch(`/explore/drawing?${state.text()}`).catch(() => undefined)
  if (answer?.ok) holder.innerHTML = await answer.text()
}

const boundsOf = (state: ExploreState, { dataset }: HTMLElement): Box => {
  const given = state.get('bbox')?.split(',').map(Number)
  if (given?.length === 4 && given.every(Number.isFinite)) return given as Box
  return boxAround(ringOf(state)) ?? (dataset.box!.split(',').map(Number) as Box)
}

/** The outline of the drawn area or circle in the URL. */
const ringOf = (state: ExploreState): number[][] => {
  const area = state.get('area')
  if (area) return area.split(';').map((corner) => corner.split(',').map(Number))
  const [lng, lat, radiusMi] = ['lng', 'lat', 'radiusMi'].map((name) => Number(state.get(name) ?? Number.NaN))
  return radiusMi! > 0 ? circleRing(lng!, lat!, radiusMi!) : []
}

// Drawing on the map: corners of an area one by one, or the center of a circle.
const round = (value: number): number => Math.round(value * 1e5) / 1e5

/** Resolves with the corners. A click adds one; a double-click or Enter finishes, Escape cancels. */
const drawArea = (map: MapLibre): Promise<[number, number][] | undefined> =>
  new Promise((resolve) => {
    const corners: [number, number][] = []
    const add = ({ lngLat: { lng, lat } }: MapMouseEvent) => {
      corners.push([round(lng), round(lat)])
      showArea(map, corners)
    }
    const finish = () => end(corners.length > 2 ? corners : undefined)
    const stop = (event: MapMouseEvent) => {
      event.preventDefault()
      // A double-click is two clicks first: the second one repeats the last corner.
      corners.pop()
      finish()
    }
    const key = ({ key: name }: KeyboardEvent) => {
      if (name === 'Enter') finish()
      if (name === 'Escape') end(undefined)
    }
    const end = (drawn: [number, number][] | undefined) => {
      map.off('click', add)
      map.off('dblclick', stop)
      document.removeEventListener('keydown', key)
      map.getCanvas().style.cursor = ''
      resolve(drawn)
    }
    map.getCanvas().style.cursor = 'crosshair'
    showArea(map, [])
    map.on('click', add)
    map.on('dblclick', stop)
    document.addEventListener('keydown', key)
  })

/** Resolves with the position clicked; Escape cancels. */
const pickCenter = (map: MapLibre): Promise<{ lng: number; lat: number } | undefined> =>
  new Promise((resolve) => {
    const end = (center: { lng: number; lat: number } | undefined) => {
      map.off('click', click)
      document.removeEventListener('keydown', key)
      map.getCanvas().style.cursor = ''
      resolve(center)
    }
    const click = ({ lngLat: { lng, lat } }: MapMouseEvent) => end({ lng: round(lng), lat: round(lat) })
    const key = ({ key: name }: KeyboardEvent) => {
      if (name === 'Escape') end(undefined)
    }
    map.getCanvas().style.cursor = 'crosshair'
    map.on('click', click)
    document.addEventListener('keydown', key)
  })
