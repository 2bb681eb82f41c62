// Drawing on the map: corners of an area one by one, or the center of a circle.
import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { showArea } from './map-layers.ts'

const round = (value: number): number => Math.round(value * 1e5) / 1e5

/** Resolves with the corners. A click adds one; a double-click or Enter finishes, Escape cancels. */
export const drawArea = (map: MapLibre): Promise<[number, number][] | undefined> =>
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
export const pickCenter = (map: MapLibre): Promise<{ lng: number; lat: number } | undefined> =>
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
