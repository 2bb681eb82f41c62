// The parts of a score as bars to the left and right of zero, largest first.
import type { ScorePart } from '../../domain/findings/findings.ts'
import { formatReason, partLabel } from '../finding-labels.ts'
import { capitalized } from '../formats.ts'
import { type Html, html } from '../html.ts'

const width = 1000

export const scoreBars = (parts: readonly ScorePart[], order: 'largest first' | 'as given' = 'largest first'): Html => {
  const drawn = parts.map(({ points }) => points).filter((points) => !roundsToZero(points))
  const down = Math.max(0, ...drawn.map((points) => -points))
  const up = Math.max(0, ...drawn)
  // Zero is placed so that the longest bar on each side fits.
  const zero = down + up === 0 ? 0 : Math.round((down / (down + up)) * width)
  const scale = width / (down + up || 1)
  const rows = order === 'as given' ? parts : [...parts].sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
  return html`<table class="parts" aria-label="Points by factor"><tbody>${rows.map((part) => {
    const length = Math.max(4, Math.round(Math.abs(part.points) * scale))
    const start = part.points < 0 ? zero - length : zero
    return html`<tr>
<th scope="row">${capitalized(partLabel(part.name))} <small>${formatReason(part.because)}</small></th>
<td class="bar"><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${
      down > 0 ? html`<rect class="axis" x="${Math.max(0, zero - 1)}" width="2" height="10"/>` : ''
    }${
      roundsToZero(part.points)
        ? ''
        : html`<rect class="${part.points < 0 ? 'down' : 'up'}" x="${start}" width="${length}" y="1" height="8"/>`
    }</svg></td>
<td class="num">${formatPoints(part.points)}</td></tr>`
  })}</tbody></table>`
}

/** A value that is displayed as 0 has no bar. */
const roundsToZero = (value: number): boolean => Math.abs(value).toFixed(1) === '0.0'

const formatPoints = (value: number): string => {
  if (roundsToZero(value)) return '0'
  const size = Math.abs(value) >= 10 ? String(Math.round(Math.abs(value))) : Math.abs(value).toFixed(1)
  return `${value > 0 ? '+' : '−'}${size}`
}

export const scoreMeter = (score: number | undefined, mark?: Html): Html =>
  score === undefined
    ? html`<span class="meter none">–</span>`
    : html`<span class="meter"><b>${Math.round(score)}${mark}</b><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6"/><rect class="fill" width="${Math.round(score)}" height="6"/></svg></span>`
