// Comparable sales around the property, with distance rings. North is up; numbers match the table.
import { type Html, html } from '../html.ts'

interface RingPoint {
  lat: number
  lng: number
  label: string
}

const size = 340
const middle = size / 2
const kmPerMile = 1.609344
const ringSteps = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16]

export const ringMap = (subject: { lat: number; lng: number }, points: readonly RingPoint[]): Html => {
  const offsets = points.map((point) => ({ ...point, ...milesFrom(subject, point) }))
  const farthest = Math.max(0.05, ...offsets.map(({ east, north }) => Math.hypot(east, north)))
  const outer = ringSteps.find((step) => step >= farthest) ?? Math.ceil(farthest)
  const scale = (middle - 22) / outer
  const rings = [outer / 2, outer]
  return html`<svg class="ring-map" viewBox="0 0 ${size} ${size}" role="img" aria-label="${points.length} comparable sales within ${outer} miles, north up">
${rings.map((miles) => html`<circle class="ring" cx="${middle}" cy="${middle}" r="${miles * scale}"/><text class="ring-label" x="${middle}" y="${middle - miles * scale - 4}">${miles} mi</text>`)}
${offsets.map(({ east, north, label }) => {
  const x = (middle + east * scale).toFixed(1)
  const y = (middle - north * scale).toFixed(1)
  return html`<g transform="translate(${x} ${y})"><circle class="dot" r="9"/><text class="dot-label" y="3.5">${label}</text></g>`
})}
<circle class="subject" cx="${middle}" cy="${middle}" r="5"/></svg>`
}

const milesFrom = (from: { lat: number; lng: number }, to: { lat: number; lng: number }) => {
  const kmPerDegree = 111.195
  return {
    east: ((to.lng - from.lng) * kmPerDegree * Math.cos((from.lat * Math.PI) / 180)) / kmPerMile,
    north: ((to.lat - from.lat) * kmPerDegree) / kmPerMile,
  }
}
