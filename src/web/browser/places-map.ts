// The map of a list: a marker for each item, the property the list is about, and the leads or permits that the page asks for.
import type { Overlay } from '../map-panel.ts'
import { type Box, boxAround, openBaseMap, pointAt } from './base-map.ts'
import { element } from './element.ts'
import { paintOverlay, showOverlay } from './map-layers.ts'
import { onOverlayDots } from './map-tools.ts'
import { placeMarkers, placesIn } from './place-markers.ts'

/** The map shows at least this many degrees, about 250 yards, so that a single place has streets around it. */
const leastDegrees = 0.002

export const openPlacesMap = async (holder: HTMLElement): Promise<void> => {
  const list = document.querySelector(holder.dataset.places!)
  if (!list) return
  const places = placesIn(list)
  const subject = holder.dataset.subject?.split(',').map(Number)
  const positions = [...places.map(({ lng, lat }) => [lng, lat]), ...(subject ? [subject] : [])]
  const bounds =
    boxAround(positions.filter(isNear(positions[0]))) ?? (holder.dataset.box?.split(',').map(Number) as Box | undefined)
  if (!bounds) return
  const overlay = holder.dataset.overlays as Overlay | undefined
  const opened = await openBaseMap(holder, {
    bounds: widened(bounds),
    padding: 36,
    addLayers: (map) => showOverlay(map, overlay, holder),
    paint: (map, colors) => paintOverlay(map, colors, overlay),
  })
  if (!opened) return
  const { map, library } = opened
  placeMarkers(map, library, subject === undefined).show(places)
  if (subject) {
    const ariaLabel = holder.dataset.subjectName ?? 'This property'
    const marker = element('div', { className: 'subject-marker', role: 'img', ariaLabel })
    new library.Marker({ element: marker }).setLngLat(subject as [number, number]).addTo(map)
  }
  onOverlayDots(map, library)
  pointAt(map, ['overlay-dots', 'overlay-cells'])
}

/** A list may contain several markets, which are too far apart for one map. It starts at the first item. */
const isNear =
  (first: number[] | undefined) =>
  ([lng, lat]: number[]): boolean =>
    Math.hypot(lng! - first![0]!, lat! - first![1]!) < mostDegrees
const mostDegrees = 1.5

const widened = ([west, south, east, north]: Box): Box => {
  const [wide, high] = [east - west, north - south].map((degrees) => Math.max(0, leastDegrees - degrees) / 2) as [
    number,
    number,
  ]
  return [west - wide, south - high, east + wide, north + high]
}
