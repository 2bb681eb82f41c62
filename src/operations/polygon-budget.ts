// Refuses a polygon that cannot be searched in the time of a request, before it runs. The cost of a polygon is its positions times the
// rows in its bounding box, for each time that the rows are read.

import { badRequest } from '../common/errors.ts'
import type { Condition } from '../criteria/conditions.ts'
import { type Area, boundsOf } from '../criteria/geometry.ts'
import type { Caller } from './context.ts'

/**
 * Comparisons of a point with an edge per second. Measured with polygons of 500 and 2,000 positions on the sample's parcels and
 * permits: 75 to 200 million while other work used both cores.
 */
const comparisonsPerSecond = 100e6

/** What a polygon may cost. The seconds leave room for a busy machine within the time limit of the plan (`api/budgets.ts`). */
export const polygonBudget = ({ limits }: Pick<Caller, 'limits'>): { positions: number; comparisons: number } =>
  limits.webhooks
    ? { positions: 2_000, comparisons: 1.5 * comparisonsPerSecond }
    : { positions: 500, comparisons: 0.5 * comparisonsPerSecond }

/** `countInBoxes` counts the rows that meet a condition, the bounding boxes of the polygons, up to a cap and one more. */
export const checkPolygonCost = async (
  conditions: readonly Condition[],
  explain: readonly string[] | undefined,
  comparisons: number,
  countInBoxes: (boxes: Condition, cap: number) => Promise<number>,
): Promise<void> => {
  const areas = conditions.flatMap((each) => (each.type === 'area' && each.area.type === 'polygons' ? [each.area] : []))
  const positions = areas.reduce((sum, area) => sum + positionsOf(area), 0)
  if (positions === 0) return
  // The page and its total, and each explanation. A funnel counts twice for each condition: the rows that meet it and those before it,
  // and the rows that meet all others.
  const reads =
    2 + (explain?.includes('funnel') ? 2 * conditions.length : 0) + (explain?.includes('nearMisses') ? 1 : 0)
  const rows = Math.floor(comparisons / positions / reads)
  const boxes = areas.flatMap(({ polygons }) => polygons.map(([outline]) => boundsOf(outline!)))
  if ((await countInBoxes({ name: 'within', type: 'area', area: { type: 'boxes', boxes } }, rows)) <= rows) return
  const count = (value: number) => value.toLocaleString('en-US')
  throw badRequest(
    `within has ${count(positions)} positions and more than ${count(rows)} rows in its bounding box, too many for one search. Send fewer positions or a smaller area${reads > 2 ? ', or leave out explain' : ''}.`,
  )
}

const positionsOf = ({ polygons }: Extract<Area, { type: 'polygons' }>): number =>
  polygons.flat().reduce((sum, ring) => sum + ring.length, 0)
