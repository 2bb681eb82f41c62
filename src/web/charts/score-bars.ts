// The parts of a score as bars either side of nothing, longest reasons first seen.
import type { ScorePart } from '../../contract/facts.ts'
import { sentence, words } from '../formats.ts'
import { type Html, html } from '../html.ts'

const half = 500

export const scoreBars = (parts: readonly ScorePart[]): Html => {
  const most = Math.max(1e-9, ...parts.map((part) => Math.abs(part.points)))
  const signed = parts.some((part) => part.points < 0)
  return html`<table class="parts"><tbody>${parts.map((part) => {
    const length = Math.round((Math.abs(part.points) / most) * (signed ? half : 2 * half))
    const start = signed ? (part.points < 0 ? half - length : half) : 0
    return html`<tr>
<th scope="row">${sentence(words(part.name))} <small>${part.because}</small></th>
<td class="bar"><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${
      signed ? html`<rect class="axis" x="499" width="2" height="10"/>` : ''
    }<rect class="${part.points < 0 ? 'down' : 'up'}" x="${start}" width="${Math.max(length, 3)}" y="1" height="8"/></svg></td>
<td class="num">${points(part.points)}</td></tr>`
  })}</tbody></table>`
}

const points = (value: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value) >= 10 ? Math.round(Math.abs(value)) : Math.abs(value).toFixed(1)}`

/** A score from 0 to 100 as one short bar. */
export const scoreMeter = (score: number | undefined): Html =>
  score === undefined
    ? html`<span class="meter none">–</span>`
    : html`<span class="meter"><b>${Math.round(score)}</b><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6"/><rect class="fill" width="${Math.round(score)}" height="6"/></svg></span>`
