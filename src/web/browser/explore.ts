// The map beside the list: the matching listings as points, clustered at low zoom.
import 'maplibre-gl/dist/maplibre-gl.css'
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { usdShort } from '../formats.ts'
import { baseStyle, type Colours, coloursOf, labelFont, type MapData } from './map-style.ts'

const panel = document.getElementById('map')
const block = document.getElementById('map-data')
if (panel && block) void start(panel, JSON.parse(block.textContent ?? '') as MapData)
submitOnChange()

async function start(holder: HTMLElement, data: MapData): Promise<void> {
  // Asked before the library is fetched, so that the list has the room at once.
  if (!document.createElement('canvas').getContext('webgl2')) return withoutMap(holder)
  const { Map: MapView, NavigationControl, Popup, setWorkerUrl } = await import('maplibre-gl')
  setWorkerUrl(new URL(workerUrl, location.href).href)
  const { points = '', land = '', style } = holder.dataset
  const canvas = document.createElement('div')
  canvas.className = 'map-canvas'
  holder.append(canvas)
  let map: MapLibre
  try {
    map = new MapView({
      container: canvas,
      style: style ?? baseStyle(land, data, coloursOf(holder)),
      bounds: [data.box.west, data.box.south, data.box.east, data.box.north],
      fitBoundsOptions: { padding: 24 },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      maxZoom: 17,
    })
  } catch {
    canvas.remove()
    return withoutMap(holder)
  }
  holder.classList.add('ready')
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.on('load', () => {
    addPoints(map, points, coloursOf(holder))
    holder.dataset.loaded = 'true'
  })

  const repaint = () => paint(map, coloursOf(holder), style === undefined)
  document.addEventListener('themechange', repaint)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint)

  map.on('click', 'clusters', async ({ features }) => {
    const cluster = features?.[0]
    if (cluster?.geometry.type !== 'Point') return
    const source = map.getSource<GeoJSONSource>('points')!
    const zoom = await source.getClusterExpansionZoom(cluster.properties.cluster_id as number)
    map.easeTo({ center: cluster.geometry.coordinates as [number, number], zoom })
  })
  map.on('click', 'points', ({ features }) => {
    const point = features?.[0]
    if (point?.geometry.type !== 'Point') return
    new Popup({ offset: 12, closeButton: false })
      .setLngLat(point.geometry.coordinates as [number, number])
      .setDOMContent(popupOf(point.properties as PointProperties))
      .addTo(map)
  })
  for (const layer of ['clusters', 'points']) {
    map.on('mouseenter', layer, () => {
      map.getCanvas().style.cursor = 'pointer'
    })
    map.on('mouseleave', layer, () => {
      map.getCanvas().style.cursor = ''
    })
  }
  for (const item of document.querySelectorAll<HTMLElement>('.signals li')) {
    const mark = (id: string) => map.getLayer('chosen') && map.setFilter('chosen', ['==', ['get', 'id'], id])
    item.addEventListener('mouseenter', () => mark(item.dataset.id ?? ''))
    item.addEventListener('mouseleave', () => mark(''))
  }
}

/** No WebGL here: the list says it all. */
function withoutMap(holder: HTMLElement): void {
  holder.classList.add('off')
}

interface PointProperties {
  id: string
  address: string
  price?: number
  score: number
}

function addPoints(map: MapLibre, url: string, colours: Colours): void {
  map.addSource('points', {
    type: 'geojson',
    data: new URL(url, location.href).href,
    cluster: true,
    clusterRadius: 42,
    clusterMaxZoom: 12,
  })
  map.addLayer({
    id: 'clusters',
    type: 'circle',
    source: 'points',
    filter: ['has', 'point_count'],
    paint: {
      'circle-radius': ['step', ['get', 'point_count'], 13, 10, 16, 50, 20, 200, 25],
      'circle-stroke-width': 1.5,
    },
  })
  map.addLayer({
    id: 'cluster-counts',
    type: 'symbol',
    source: 'points',
    filter: ['has', 'point_count'],
    layout: { 'text-field': ['get', 'point_count_abbreviated'], 'text-font': labelFont, 'text-size': 12 },
  })
  map.addLayer({
    id: 'points',
    type: 'circle',
    source: 'points',
    filter: ['!', ['has', 'point_count']],
    paint: { 'circle-radius': ['interpolate', ['linear'], ['zoom'], 9, 4.5, 14, 8], 'circle-stroke-width': 1.5 },
  })
  map.addLayer({
    id: 'chosen',
    type: 'circle',
    source: 'points',
    filter: ['==', ['get', 'id'], ''],
    paint: { 'circle-radius': 12, 'circle-opacity': 0, 'circle-stroke-width': 3 },
  })
  paint(map, colours, false)
}

function paint(map: MapLibre, colours: Colours, base: boolean): void {
  if (base) {
    map.setPaintProperty('water', 'background-color', colours.water)
    map.setPaintProperty('land', 'fill-color', colours.land)
    map.setPaintProperty('shore', 'line-color', colours.shore)
    map.setPaintProperty('cities', 'text-color', colours.label)
    map.setPaintProperty('cities', 'text-halo-color', colours.halo)
  }
  map.setPaintProperty('clusters', 'circle-color', colours.halo)
  map.setPaintProperty('clusters', 'circle-stroke-color', colours.accent)
  map.setPaintProperty('cluster-counts', 'text-color', colours.label)
  map.setPaintProperty('points', 'circle-color', [
    'interpolate',
    ['linear'],
    ['get', 'score'],
    0,
    colours.faint,
    80,
    colours.accent,
  ])
  map.setPaintProperty('points', 'circle-stroke-color', colours.halo)
  map.setPaintProperty('chosen', 'circle-stroke-color', colours.accent)
}

function popupOf({ id, address, price, score }: PointProperties): HTMLElement {
  const link = document.createElement('a')
  link.className = 'map-popup'
  link.href = `/properties/${encodeURIComponent(id)}`
  link.append(
    Object.assign(document.createElement('b'), { textContent: address }),
    Object.assign(document.createElement('span'), {
      textContent: [usdShort(price), score >= 0 ? `score ${score}` : ''].filter(Boolean).join(' · '),
    }),
  )
  return link
}

/** A choice takes effect at once; what is typed waits for Enter or the button. */
function submitOnChange(): void {
  const form = document.querySelector<HTMLFormElement>('[data-filters]')
  form?.addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement
    if (input.name === 'market') form.querySelector<HTMLSelectElement>('[name=city]')!.value = ''
    if (input.name === 'market' || input.name === 'city' || input.name === 'status') form.requestSubmit()
  })
  // Empty fields stay out of the address.
  form?.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
  })
}
