// The area of the Explore page: the part of the map shown, a drawn polygon, or a circle.
import type { Criteria } from '../../criteria/vocabulary.ts'
import type { HtmlValue } from '../html.ts'
import { numberIn, type Query, shortened, textIn } from '../query.ts'

export interface ExploreArea {
  kind: 'box' | 'drawn' | 'circle'
  /** As criteria. */
  input: Pick<Criteria, 'bbox' | 'lat' | 'lng' | 'radiusMi' | 'within'>
  /** As in the URL of the page. */
  params: Readonly<Record<string, string | number>>
}

const mostCorners = 100

/** A drawn area goes first: the map sends its own box with every move. */
export const readArea = (query: Query, problems: HtmlValue[]): ExploreArea | undefined =>
  drawn(query, problems) ?? circle(query) ?? box(query, problems)

/** `lng,lat;lng,lat;…` */
const drawn = (query: Query, problems: HtmlValue[]): ExploreArea | undefined => {
  const text = textIn(query, 'area', 4_000)
  if (text === undefined) return undefined
  const corners = text.split(';').map((corner) => corner.split(',').map(Number))
  if (corners.length < 3 || corners.length > mostCorners || !corners.every(isPosition)) {
    problems.push(
      `area must have 3 to ${mostCorners} corners, for example -122.2,37.4;-122.1,37.4;-122.1,37.5; “${shortened(text)}” was ignored.`,
    )
    return undefined
  }
  return {
    kind: 'drawn',
    input: { within: { type: 'Polygon', coordinates: [[...corners, corners[0]!]] } },
    params: { area: text },
  }
}

const circle = (query: Query): ExploreArea | undefined => {
  const [lat, lng, radiusMi] = [
    numberIn(query, 'lat', -90, 90),
    numberIn(query, 'lng', -180, 180),
    numberIn(query, 'radiusMi', 0.05, 25),
  ]
  if (lat === undefined || lng === undefined || radiusMi === undefined) return undefined
  return { kind: 'circle', input: { lat, lng, radiusMi }, params: { lat, lng, radiusMi } }
}

const box = (query: Query, problems: HtmlValue[]): ExploreArea | undefined => {
  const text = textIn(query, 'bbox')
  if (text === undefined) return undefined
  const bbox = text.split(',').map(Number)
  const [west, south, east, north] = bbox as [number, number, number, number]
  if (bbox.length !== 4 || !isPosition([west, south]) || !isPosition([east, north]) || south > north || west > east) {
    problems.push(
      `bbox must be west,south,east,north, for example -122.26,37.41,-122.12,37.50; “${shortened(text)}” was ignored.`,
    )
    return undefined
  }
  return { kind: 'box', input: { bbox }, params: { bbox: text } }
}

const isPosition = (position: readonly number[]): boolean =>
  position.length === 2 &&
  position.every(Number.isFinite) &&
  Math.abs(position[0]!) <= 180 &&
  Math.abs(position[1]!) <= 90
