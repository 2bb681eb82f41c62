// The factors of a score: its starting point, the five largest, the sum of the others, and those on request. The bars
// shown add up to the score.
import type { Finding } from '../../domain/findings/findings.ts'
import { plural } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { scoreBars } from './score-bars.ts'

/** Fewer points are shown as 0: the factor has no effect that a reader could see. */
const leastShown = 0.05

export const factorBars = ({ parts, top, other }: Pick<Finding, 'parts' | 'top' | 'other'>): Html => {
  if (!top || !other) return scoreBars(parts)
  const start = parts.filter(({ name }) => name === 'base')
  const rest = parts.filter(
    ({ name, points }) =>
      name !== 'base' && Math.abs(points) >= leastShown && !top.some((factor) => factor.name === name),
  )
  const others =
    Math.abs(other.points) < leastShown ? [] : [{ name: 'otherFactors', points: other.points, because: '' }]
  const bars = scoreBars([...start, ...top, ...others], 'as given')
  if (rest.length === 0) return bars
  return html`${bars}
<details class="other-factors"><summary>${plural(rest.length, 'other factor')}</summary>${scoreBars(rest)}</details>`
}
