// A price marker for each home of the list. Marker and list item highlight each other.
import type { Map as MapLibre, Marker, Popup } from 'maplibre-gl'
import { usdShort } from '../formats.ts'
import type { Home } from './explore-list.ts'
import type { ColorBy } from './map-layers.ts'

interface MapLibrary {
  Marker: typeof Marker
  Popup: typeof Popup
}

export interface HomeMarkers {
  show(homes: readonly Home[]): void
  colorBy(by: ColorBy): void
}

export const homeMarkers = (map: MapLibre, { Marker: MarkerView, Popup: PopupView }: MapLibrary): HomeMarkers => {
  let shown: { marker: Marker; button: HTMLElement; home: Home }[] = []
  let by: ColorBy = 'score'
  let card: Popup | undefined
  const select = (home: Home, button: HTMLElement) => {
    for (const each of shown) each.button.classList.toggle('selected', each.home === home)
    for (const each of shown) each.home.item.classList.toggle('selected', each.home === home)
    home.item.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
    card?.remove()
    card = new PopupView({ offset: 18, focusAfterOpen: false, maxWidth: '19rem' })
      .setLngLat([home.lng, home.lat])
      .setDOMContent(cardOf(home))
      .addTo(map)
    card.on('close', () => button.focus({ preventScroll: true }))
  }
  return {
    show: (homes) => {
      card?.remove()
      for (const { marker } of shown) marker.remove()
      // The best-ranked home is drawn last, above the others.
      shown = homes.toReversed().map((home) => {
        const button = buttonOf(home, by)
        const marker = new MarkerView({ element: button, anchor: 'bottom' }).setLngLat([home.lng, home.lat]).addTo(map)
        const highlight = (on: boolean) => () => {
          button.classList.toggle('hovered', on)
          home.item.classList.toggle('hovered', on)
        }
        for (const [element, enter, leave] of [
          [button, 'mouseenter', 'mouseleave'],
          [home.item, 'mouseenter', 'mouseleave'],
          [button, 'focus', 'blur'],
          [home.item, 'focusin', 'focusout'],
        ] as const) {
          element.addEventListener(enter, highlight(true))
          element.addEventListener(leave, highlight(false))
        }
        button.addEventListener('click', (event) => {
          event.stopPropagation()
          select(home, button)
        })
        return { marker, button, home }
      })
    },
    colorBy: (chosen) => {
      by = chosen
      for (const { button, home } of shown) button.dataset.level = levelOf(home, by)
    },
  }
}

const buttonOf = (home: Home, by: ColorBy): HTMLButtonElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'price-marker'
  button.dataset.level = levelOf(home, by)
  button.dataset.status = home.status
  button.textContent = usdShort(home.price)
  const address = home.item.querySelector('.where b')?.textContent ?? ''
  button.setAttribute('aria-label', `${address}, ${usdShort(home.price)}, ${home.status.replace('_', ' ')}`)
  return button
}

/** Three levels, as in the legend. */
const levelOf = ({ score, returnPct }: Home, by: ColorBy): string => {
  if (by === 'score') return score === undefined ? 'none' : score >= 60 ? 'high' : score >= 30 ? 'middle' : 'low'
  return returnPct === undefined ? 'none' : returnPct < 0 ? 'loss' : returnPct >= 15 ? 'high' : 'middle'
}

/** The list item without its checkbox. */
const cardOf = ({ item }: Home): HTMLElement => {
  const card = document.createElement('div')
  card.className = 'home-card'
  card.append(...[...item.children].map((child) => child.cloneNode(true)))
  card.querySelector('.pick')?.remove()
  return card
}
