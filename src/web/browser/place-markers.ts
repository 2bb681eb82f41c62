// A marker for each item of a list that has a position. Marker and item highlight and select each other.
import type { Map as MapLibre, Marker, Popup } from 'maplibre-gl'
import { boxAround, type MapLibrary, movedToSelection, openCard } from './base-map.ts'
import { element } from './element.ts'
import { farZoom, reserveSpace } from './map-layers.ts'

export type Place = ReturnType<typeof placesIn>[number]

/** `label` is on the marker: a price, a score or a number. `name` is for screen readers: the address and what the label means. */
export const placesIn = (list: ParentNode) =>
  [...list.querySelectorAll<HTMLElement>('[data-lat][data-lng]')].flatMap((item) => {
    const { lng, lat, label = '', name = label, level = 'none', status = '' } = item.dataset
    return lng && lat ? [{ lng: Number(lng), lat: Number(lat), label, name, level, status, item }] : []
  })

/** `isClustered`: not where labels are numbers of rows, because the number of a group would look like one. */
export const placeMarkers = (
  map: MapLibre,
  { Marker: MarkerView, Popup: PopupView }: MapLibrary,
  isClustered = true,
): { show(places: readonly Place[]): void; color(levelOf: (place: Place) => string): void } => {
  let shown: ShownPlace[] = []
  let clusters: Marker[] = []
  let card: Popup | undefined
  /** Markers that would cover each other are one marker with their number. The best item of a group is first in it. */
  const cluster = () => {
    for (const marker of clusters) marker.remove()
    clusters = []
    const groups: { x: number; y: number; members: ShownPlace[] }[] = []
    const isOpen = isClustered && map.getZoom() >= farZoom && map.getZoom() < separateZoom
    for (const each of shown.toReversed()) {
      const { x, y } = map.project([each.place.lng, each.place.lat])
      const near = groups.find((group) => Math.abs(group.x - x) < pinPx.width && Math.abs(group.y - y) < pinPx.height)
      if (isOpen && near) near.members.push(each)
      else groups.push({ x, y, members: [each] })
    }
    for (const { members } of groups) {
      const isGroup = members.length > 1
      const button = isGroup ? clusterOf(members) : undefined
      for (const each of members) {
        each.button.hidden = isGroup
        each.stand = button ?? each.button
      }
      if (!button) continue
      const [{ place }] = members as [ShownPlace]
      clusters.push(new MarkerView({ element: button, anchor: 'bottom' }).setLngLat([place.lng, place.lat]).addTo(map))
    }
    reserveSpace(
      map,
      groups.map(({ members: [first] }) => [first!.place.lng, first!.place.lat]),
    )
  }
  const clusterOf = (members: readonly ShownPlace[]): HTMLButtonElement => {
    const count = members.length
    const button = buttonOf({ label: `${count}`, name: `${count} places: zoom in`, level: 'none', status: 'cluster' })
    button.addEventListener('click', (event) => {
      event.stopPropagation()
      const box = boxAround(members.map(({ place: { lng, lat } }) => [lng, lat]))!
      map.fitBounds(box, { padding: 80, maxZoom: separateZoom }, { originalEvent: event })
    })
    return button
  }
  map.on('zoomend', cluster)
  map.on('style.load', cluster)
  // Zoomed out, a marker is a dot, which would cover the count of its neighborhood. The counts are loaded when the map is idle.
  map.on('idle', () => {
    const layers = ['cells', 'overlay-cells'].filter((layer) => map.getLayer(layer))
    for (const { place, button } of shown) {
      const { x, y } = map.project([place.lng, place.lat])
      const near: [[number, number], [number, number]] = [
        [x - dotPx, y - 2 * dotPx],
        [x + dotPx, y],
      ]
      const counts = map.queryRenderedFeatures(near, { layers, filter: ['>', ['get', 'count'], 1] })
      button.classList.toggle('counted', counts.length > 0)
    }
  })
  const select = (place: Place, button: HTMLElement) => {
    for (const each of shown) {
      each.button.classList.toggle('selected', each.place === place)
      each.place.item.classList.toggle('selected', each.place === place)
    }
    card?.remove()
    card = new PopupView({ offset: 18, focusAfterOpen: false, maxWidth: '19rem' })
      .setLngLat([place.lng, place.lat])
      .setDOMContent(cardOf(place.item))
    openCard(map, card)
    card.on('close', () => button.focus({ preventScroll: true }))
  }
  const shownPlace = (place: Place): ShownPlace => {
    const { lng, lat, item } = place
    const button = buttonOf(place)
    const marker = new MarkerView({ element: button, anchor: 'bottom' }).setLngLat([lng, lat]).addTo(map)
    const highlight = (on: boolean) => () => {
      marked.stand.classList.toggle('hovered', on)
      item.classList.toggle('hovered', on)
    }
    for (const [element, enter, leave] of [
      [button, 'mouseenter', 'mouseleave'],
      [item, 'mouseenter', 'mouseleave'],
      [button, 'focus', 'blur'],
      [item, 'focusin', 'focusout'],
    ] as const) {
      element.addEventListener(enter, highlight(true))
      element.addEventListener(leave, highlight(false))
    }
    button.addEventListener('click', (event) => {
      event.stopPropagation()
      select(place, button)
    })
    item.addEventListener('click', ({ target }) => {
      if ((target as Element).closest('a, input, label, button, summary')) return
      select(place, button)
      if (!map.getBounds().contains([lng, lat])) map.easeTo({ center: [lng, lat] }, { [movedToSelection]: true })
    })
    const marked: ShownPlace = { marker, button, stand: button, place }
    return marked
  }
  return {
    show: (places) => {
      card?.remove()
      for (const { marker } of shown) marker.remove()
      // The first item is drawn last, above the others.
      shown = places.toReversed().map(shownPlace)
      cluster()
    },
    color: (levelOf) => {
      for (const { button, place } of shown) button.dataset.level = levelOf(place)
    },
  }
}

interface ShownPlace {
  marker: Marker
  button: HTMLElement
  /** What is seen of it: its own button, or that of its group. */
  stand: HTMLElement
  place: Place
}

/** Half the size of a dot. */
const dotPx = 7
/** About the size of a marker. */
const pinPx = { width: 52, height: 24 }
/** From this zoom on, places that are nearly the same stand beside each other. */
const separateZoom = 17

const buttonOf = ({ label, name, level, status }: Omit<Place, 'lng' | 'lat' | 'item'>): HTMLButtonElement => {
  const button = element('button', { type: 'button', className: 'price-marker', ariaLabel: name }, label)
  Object.assign(button.dataset, { level, status })
  return button
}

/** The list item without its checkbox; the cells of a table row as lines with their column names. */
const cardOf = (item: HTMLElement): HTMLElement => {
  const copies = [...item.children]
    .filter((child) => !child.matches('.rank'))
    .map((child) => child.cloneNode(true) as HTMLElement)
  const isRow = item instanceof HTMLTableRowElement
  const card = element('div', { className: 'home-card' }, ...(isRow ? copies.map(lineOf) : copies))
  card.querySelector('.pick')?.remove()
  const { photo, listing } = item.dataset
  if (photo) card.prepend(photoOf(photo))
  if (listing) card.append(element('a', { rel: 'noopener nofollow', href: listing }, 'Listing page'))
  return card
}

const photoOf = (src: string): HTMLImageElement =>
  Object.assign(new Image(272, 182), { className: 'photo', alt: '', referrerPolicy: 'no-referrer', src })

const lineOf = ({ className, dataset: { name }, childNodes }: HTMLElement): HTMLElement =>
  element('span', { className }, ...(name ? [`${name} `] : []), ...childNodes)
