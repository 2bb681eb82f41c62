// A small static map of a market as SVG, for pages that do not load the map library.
import type { Bounds } from '../../criteria/geometry.ts'
import { type Html, html } from '../html.ts'

/** Land polygons as [lng, lat] rings. */
export type LandRings = readonly (readonly (readonly [number, number])[])[]

interface MapDot {
  lat: number
  lng: number
  href: string
  title: string
  /** 0-100; a higher score gives a darker dot. */
  score?: number
}

interface MarketMap {
  title: string
  box: Bounds
  width: number
  land: LandRings
  dots: readonly MapDot[]
  labels: readonly { lat: number; lng: number; name: string }[]
}

/** Explore, which the page links to, lists the same homes. A Tab stop for each dot would keep keyboard users from what follows. */
export const marketMap = ({ title, box, width, land, dots, labels }: MarketMap): Html => {
  const lngScale = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180)
  const scale = width / ((box.east - box.west) * lngScale)
  const height = Math.round((box.north - box.south) * scale)
  const x = (lng: number) => ((lng - box.west) * lngScale * scale).toFixed(1)
  const y = (lat: number) => ((box.north - lat) * scale).toFixed(1)
  const path = land
    .map((ring) => `${ring.map(([lng, lat], index) => `${index === 0 ? 'M' : 'L'}${x(lng)} ${y(lat)}`).join('')}Z`)
    .join('')
  return html`<svg class="market-map" viewBox="0 0 ${width} ${height}" role="group" aria-label="${title}">
<path class="land" fill-rule="evenodd" d="${path}"/>
${dots.map(
  ({ lat, lng, href, title: name, score }) =>
    html`<a href="${href}" aria-label="${name}" tabindex="-1"><circle class="dot ${dotClass(score)}" cx="${x(lng)}" cy="${y(lat)}" r="5"><title>${name}</title></circle></a>`,
)}
${labels.map(({ lat, lng, name }) => html`<text x="${x(lng)}" y="${y(lat)}">${name}</text>`)}</svg>`
}

const dotClass = (score: number | undefined) =>
  score === undefined ? 'faint' : score >= 70 ? 'strong' : score >= 40 ? 'mid' : 'faint'
