// A market drawn from its land outline: a light map for pages that need no library.
import { type Html, html } from '../html.ts'

export interface MapBox {
  south: number
  north: number
  west: number
  east: number
}

/** Land polygons as [lng, lat] rings. */
export type LandRings = readonly (readonly (readonly [number, number])[])[]

export interface MapDot {
  lat: number
  lng: number
  href: string
  title: string
  /** 0-100; decides how strong the dot is. */
  score?: number
}

export interface MapLabel {
  lat: number
  lng: number
  name: string
}

export interface MarketMap {
  title: string
  box: MapBox
  width: number
  land: LandRings
  dots: readonly MapDot[]
  labels: readonly MapLabel[]
}

export const marketMap = ({ title, box, width, land, dots, labels }: MarketMap): Html => {
  const squeeze = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180)
  const scale = width / ((box.east - box.west) * squeeze)
  const height = Math.round((box.north - box.south) * scale)
  const x = (lng: number) => ((lng - box.west) * squeeze * scale).toFixed(1)
  const y = (lat: number) => ((box.north - lat) * scale).toFixed(1)
  const path = land
    .map((ring) => `${ring.map(([lng, lat], index) => `${index === 0 ? 'M' : 'L'}${x(lng)} ${y(lat)}`).join('')}Z`)
    .join('')
  return html`<svg class="market-map" viewBox="0 0 ${width} ${height}" role="group" aria-label="${title}">
<path class="land" fill-rule="evenodd" d="${path}"/>
${dots.map(
  ({ lat, lng, href, title: name, score }) =>
    html`<a href="${href}" aria-label="${name}"><circle class="dot ${strength(score)}" cx="${x(lng)}" cy="${y(lat)}" r="5"><title>${name}</title></circle></a>`,
)}
${labels.map(({ lat, lng, name }) => html`<text x="${x(lng)}" y="${y(lat)}">${name}</text>`)}</svg>`
}

const strength = (score: number | undefined) =>
  score === undefined ? 'faint' : score >= 70 ? 'strong' : score >= 40 ? 'mid' : 'faint'
