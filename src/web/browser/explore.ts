// The map on the Explore page: matching listings as points, clustered at low zoom.
import 'maplibre-gl/dist/maplibre-gl.css'
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { usdShort } from '../formats.ts'
import { baseStyle, type Colors, colorsOf, labelFont, type MapData } from './map-style.ts'

const start = async (holder: HTMLElement, data: MapData): Promise<void> => {
  // Checked before the map library is downloaded, so that the list gets the space immediately.
  if (!document.createElement('canvas').getContext('webgl2')) return hideMap(holder)
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
      style: style ?? baseStyle(land, data, colorsOf(holder)),
      bounds: [data.box.west, data.box.south, data.box.east, data.box.north],
      fitBoundsOptions: { padding: 24 },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      maxZoom: 17,
    })
  } catch {
    canvas.remove()
    return hideMap(holder)
  }
  holder.classList.add('ready')
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.on('load', () => {
    addPoints(map, points, colorsOf(holder))
    holder.dataset.loaded = 'true'
  })

  const repaint = () => paint(map, colorsOf(holder), style === undefined)
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
      .setDOMContent(popupOf(point.properties as PointProperties, data.scoreName))
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
    const highlight = (id: string) =>
      map.getLayer('highlighted') && map.setFilter('highlighted', ['==', ['get', 'id'], id])
    item.addEventListener('mouseenter', () => highlight(item.dataset.id ?? ''))
    item.addEventListener('mouseleave', () => highlight(''))
  }
}

/** Used when WebGL is not available; the list shows the same listings. */
const hideMap = (holder: HTMLElement): void => {
  holder.classList.add('off')
}

interface PointProperties {
  id: string
  address: string
  price?: number
  score: number
}

const addPoints = (map: MapLibre, url: string, colors: Colors): void => {
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
    id: 'highlighted',
    type: 'circle',
    source: 'points',
    filter: ['==', ['get', 'id'], ''],
    paint: { 'circle-radius': 12, 'circle-opacity': 0, 'circle-stroke-width': 3 },
  })
  paint(map, colors, false)
}

const paint = (map: MapLibre, colors: Colors, ownBaseMap: boolean): void => {
  if (ownBaseMap) {
    map.setPaintProperty('water', 'background-color', colors.water)
    map.setPaintProperty('land', 'fill-color', colors.land)
    map.setPaintProperty('shore', 'line-color', colors.shore)
    map.setPaintProperty('cities', 'text-color', colors.label)
    map.setPaintProperty('cities', 'text-halo-color', colors.halo)
  }
  map.setPaintProperty('clusters', 'circle-color', colors.halo)
  map.setPaintProperty('clusters', 'circle-stroke-color', colors.accent)
  map.setPaintProperty('cluster-counts', 'text-color', colors.label)
  map.setPaintProperty('points', 'circle-color', [
    'interpolate',
    ['linear'],
    ['get', 'score'],
    0,
    colors.faint,
    80,
    colors.accent,
  ])
  map.setPaintProperty('points', 'circle-stroke-color', colors.halo)
  map.setPaintProperty('highlighted', 'circle-stroke-color', colors.accent)
}

const popupOf = ({ id, address, price, score }: PointProperties, scoreName: string): HTMLElement => {
  const link = document.createElement('a')
  link.className = 'map-popup'
  link.href = `/properties/${encodeURIComponent(id)}`
  link.append(
    Object.assign(document.createElement('b'), { textContent: address }),
    Object.assign(document.createElement('span'), {
      textContent: [usdShort(price), score >= 0 ? `${scoreName} ${score}` : ''].filter(Boolean).join(' · '),
    }),
  )
  return link
}

/** Radio buttons, checkboxes and menus submit the form immediately; text fields wait for Enter or the button. */
const submitOnChange = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-filters]')
  form?.addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement
    if (input.name === 'market') form.querySelector<HTMLSelectElement>('[name=city]')!.value = ''
    if (input.name === 'market' || input.name === 'city' || input.name === 'status') form.requestSubmit()
  })
  // Leave empty fields out of the URL.
  form?.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
  })
}

const panel = document.getElementById('map')
const block = document.getElementById('map-data')
if (panel && block) void start(panel, JSON.parse(block.textContent ?? '') as MapData)
submitOnChange()
