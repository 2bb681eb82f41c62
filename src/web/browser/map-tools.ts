// Controls on the map: search as I move, draw an area, radius, and the legend.

import type { Map as MapLibre } from 'maplibre-gl'
import { day, percent, permitClassWords, usdShort } from '../formats.ts'
import type { NamedOverlay, Overlay } from '../map-panel.ts'
import { type MapLibrary, openCard, openLotCard } from './base-map.ts'
import { element } from './element.ts'
import type { ColorBy } from './marker-colors.ts'

interface MapToolOptions {
  follow: boolean
  hasArea: boolean
  onFollow(on: boolean): void
  onColor(by: ColorBy): void
  overlays: readonly Overlay[]
  overlay: Overlay | undefined
  /** The map layers among the overlays. */
  layers: readonly { id: string; title: string; asOf: string; sample: boolean }[]
  onOverlay(overlay: Overlay | undefined): void
  onSearchHere(): void
  onDraw(): void
  onRadius(radiusMi: number): void
  onClear(): void
}

export const mapTools = (holder: HTMLElement, options: MapToolOptions) => {
  const bar = element('div', { className: 'map-tools' })
  const follow = element('input', { type: 'checkbox', checked: options.follow })
  const followLabel = element('label', { className: 'follow' }, follow, 'Search as I move')
  const here = button('Search this area', () => {
    here.hidden = true
    options.onSearchHere()
  })
  here.hidden = true
  follow.addEventListener('change', () => {
    options.onFollow(follow.checked)
    if (follow.checked) here.hidden = true
  })
  const hint = element('p', { className: 'map-hint', role: 'status' })
  const draw = button('Draw area', () => {
    hint.textContent = 'Click the corners. Double-click or press Enter to finish, Escape to cancel.'
    options.onDraw()
  })
  draw.dataset.tool = 'draw'
  const choices = [0.5, 1, 2, 5].map((miles) => option(String(miles), `${miles} ${miles === 1 ? 'mile' : 'miles'}`))
  const radius = element('select', { ariaLabel: 'Radius' }, option('', 'Radius'), ...choices)
  radius.addEventListener('change', () => {
    if (!radius.value) return
    hint.textContent = 'Click the center. Press Escape to cancel.'
    options.onRadius(Number(radius.value))
    radius.value = ''
  })
  const clear = button('Clear area', () => options.onClear())
  clear.hidden = !options.hasArea
  bar.append(followLabel, here, draw, radius, clear)
  const { element: colors, offerColors } = legend(options)
  holder.append(bar, hint, colors)
  return {
    /** The values that homes in the list have. */
    offerColors,
    follows: () => follow.checked,
    offerSearch: () => {
      here.hidden = false
    },
    setHasArea: (has: boolean) => {
      clear.hidden = !has
      hint.textContent = ''
    },
  }
}

const levels: Record<ColorBy, readonly (readonly [level: string, words: string])[]> = {
  score: [
    ['high', 'Score 60+'],
    ['middle', '30–59'],
    ['low', 'Under 30'],
  ],
  return: [
    ['high', 'Return 15%+'],
    ['middle', '0–15%'],
    ['loss', 'Loss'],
  ],
}

const overlayWords: Record<NamedOverlay, string> = {
  adu: 'Lots for an accessory unit',
  redevelopment: 'Underbuilt homes',
  sb9: 'SB 9 lots',
  permits: 'Permits',
  zoning: 'Zoning',
  aerial: 'Aerial photos',
}

const legend = ({ onColor, overlays, overlay, layers, onOverlay }: MapToolOptions) => {
  const rows = element('ul', { className: 'legend-levels' })
  const explain = (by: ColorBy) =>
    rows.replaceChildren(
      ...[...levels[by], ['group', 'Ring with a number: several homes'] as const].map(([level, words]) =>
        element('li', {}, swatchOf(level), words),
      ),
    )
  const colors = [option('return', 'Color by return at asking price'), option('score', 'Color by score')]
  const select = element('select', { ariaLabel: 'Color by' }, ...colors)
  const change = () => {
    explain(select.value as ColorBy)
    onColor(select.value as ColorBy)
  }
  select.addEventListener('change', change)
  explain('return')
  const offerColors = (offered: readonly ColorBy[]) => {
    for (const each of colors) each.hidden = !offered.includes(each.value as ColorBy)
    select.hidden = rows.hidden = offered.length === 0
    if (offered[0] === undefined || offered.includes(select.value as ColorBy)) return
    select.value = offered[0]
    change()
  }
  const named = overlays.filter((each): each is NamedOverlay => !each.startsWith('map:'))
  const layer = element('select', { ariaLabel: 'Layer' }, option('', 'No other layer'))
  layer.append(...named.map((each) => option(each, overlayWords[each])))
  const maps = layers.map(({ id, title }) => option(`map:${id}`, title))
  if (maps.length > 0) layer.append(element('optgroup', { label: 'Maps' }, ...maps))
  layer.value = overlay ?? ''
  const hint = element('small')
  const show = () => {
    hint.textContent = overlayHints[layer.value as NamedOverlay] ?? ''
    const map = layers.find(({ id }) => layer.value === `map:${id}`)
    if (map) hint.append(swatchOf('zone'), ` ${map.title}, ${day(map.asOf)}${map.sample ? ', generated' : ''}`)
    hint.hidden = hint.textContent === ''
  }
  layer.addEventListener('change', () => {
    show()
    onOverlay((layer.value || undefined) as Overlay | undefined)
  })
  show()
  return { element: element('div', { className: 'legend' }, select, rows, layer, hint), offerColors }
}

const swatchOf = (level: string): HTMLElement => {
  const swatch = element('span', { className: 'swatch' })
  swatch.dataset.level = level
  return swatch
}

/** What the marks of a layer mean. */
const overlayHints: Partial<Record<NamedOverlay, string>> = {
  zoning: 'One color for each district, with its name, from the zoom at which lots are drawn.',
  adu: 'Green: lots for an accessory unit; a number counts the lots around it.',
  redevelopment: 'Green: underbuilt homes and vacant lots; a number counts the lots around it.',
  sb9: 'Green: lots that may be split; a number counts the lots around it.',
  permits: 'Gray: building permits; a number counts the permits around it.',
}

/** A dot of a lead opens the card of its lot, a dot of a permit the card of the permit. A count zooms in. */
export const onOverlayDots = (map: MapLibre, library: MapLibrary): void => {
  map.on('click', 'overlay-dots', ({ features, lngLat }) => {
    const dot = features?.[0]
    if (!dot || map.getCanvas().style.cursor === 'crosshair') return
    if (dot.sourceLayer === 'leads') return void openLotCard(map, library, dot.properties.id, lngLat)
    openCard(map, new library.Popup({ offset: 12 }).setLngLat(lngLat).setDOMContent(permitCard(dot.properties)))
  })
  map.on('click', 'overlay-cells', ({ lngLat, originalEvent }) => {
    map.easeTo({ center: lngLat, zoom: map.getZoom() + 2 }, { originalEvent })
  })
}

/** The card of a match that is not in the list. */
export const dotCard = (dot: Readonly<Record<string, unknown>>): HTMLElement => {
  return cardOf(`/properties/${encodeURIComponent(String(dot.id))}`, 'Open property', [
    usdShort(dot.price as number | undefined),
    String(dot.status ?? '').replace('_', ' '),
    dot.returnPct === undefined ? '' : `return ${percent(dot.returnPct as number)}`,
    dot.score === undefined ? '' : `score ${dot.score}`,
  ])
}

const permitCard = ({ id, city, ...permit }: Readonly<Record<string, unknown>>): HTMLElement => {
  const href = `/permits/${encodeURIComponent(String(city))}/${encodeURIComponent(String(id))}`
  return cardOf(href, `Permit ${id}`, [
    permitClassWords[permit.class as keyof typeof permitClassWords],
    permit.issued === undefined ? '' : `issued ${day(String(permit.issued))}`,
    permit.valuation === undefined ? '' : usdShort(permit.valuation as number),
  ])
}

const cardOf = (href: string, words: string, facts: readonly string[]): HTMLElement =>
  element(
    'div',
    { className: 'home-card' },
    element('b', {}, facts.filter(Boolean).join(' · ')),
    element('a', { href }, words),
  )

const button = (label: string, act: () => void): HTMLButtonElement => {
  const created = element('button', { type: 'button' }, label)
  created.addEventListener('click', act)
  return created
}

const option = (value: string, label: string): HTMLOptionElement => new Option(label, value)
