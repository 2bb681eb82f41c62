// The few factors of a score that a reader should see first. `parts` keeps every factor; here the five largest are taken
// and the rest, including those without a visible effect, is one number.
import type { ScorePart, TopFactors } from '../../domain/findings/findings.ts'

const mostShown = 5

/** Points below this are shown as 0.0 and therefore explain nothing. */
const leastShown = 0.05

/** Starting point + top + other = score. The starting point (`base`) is no factor: it is the same for every property. */
export const topFactors = (parts: readonly ScorePart[]): TopFactors => {
  const factors = parts.filter(({ name }) => name !== 'base')
  const top = factors
    .filter(({ points }) => Math.abs(points) >= leastShown)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .slice(0, mostShown)
  const rest = factors.filter((part) => !top.includes(part))
  return { top, other: { points: rest.reduce((sum, { points }) => sum + points, 0) } }
}
