// Refuses a polygon that cannot be searched in the time of a request, before it runs. The cost of a polygon is its positions times the
// rows in its bounding box, for each time that the rows are read.
import { type Area, boundsOf } from '../contract/criteria/geometry.ts'
import { badRequest } from '../contract/errors.ts'
import type { Db } from '../store/engine/database.ts'
import { countInBoxes, type PropertyQuery } from '../store/search/properties.ts'

/**
 * Comparisons of a point with an edge for one request. PostgreSQL makes about 100 million a second, and a busy machine a third of that;
 * two reads run at the same time.
 */
const mostComparisons = 150e6

export const checkPolygonCost = async (
  db: Db,
  query: PropertyQuery,
  explain: readonly string[] = [],
  most = mostComparisons,
): Promise<void> => {
  const areas = query.conditions.flatMap((each) =>
    each.type === 'area' && each.area.type === 'polygons' ? [each.area] : [],
  )
  const positions = areas.reduce((sum, area) => sum + positionsOf(area), 0)
  if (positions === 0) return
  // The page and its total, and each explanation.
  const reads = 2 + explain.filter((each) => each === 'funnel' || each === 'nearMisses').length
  const rows = Math.floor(most / positions / reads)
  const boxes = areas.flatMap(({ polygons }) => polygons.map(([outline]) => boundsOf(outline!)))
  if ((await countInBoxes(db, query, boxes, rows)) <= rows) return
  const count = (value: number) => value.toLocaleString('en-US')
  throw badRequest(
    `within has ${count(positions)} positions and more than ${count(rows)} rows in its bounding box, too many for one search. Send fewer positions or a smaller area${reads > 2 ? ', or leave out explain' : ''}.`,
  )
}

const positionsOf = ({ polygons }: Extract<Area, { type: 'polygons' }>): number =>
  polygons.flat().reduce((sum, ring) => sum + ring.length, 0)
