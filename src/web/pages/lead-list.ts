// Leads as a list next to their map.
import { placeWords } from '../../domain/findings/score-rank.ts'
import { scoreMeter } from '../charts/score-bars.ts'
import { cityLink } from '../city-link.ts'
import { sqft, statusWords, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { placeAttributes } from '../map-panel.ts'
import { type LeadView, splitStatusWords } from './lead-rows.ts'
import { checkLines } from './property-decision.ts'
import { bestUseLine } from './property-schemes.ts'

export const leadList = (leads: readonly LeadView[], start: number): Html =>
  html`<form method="get" action="/explore/compare">${leads.length > 1 ? html`<p class="compare-bar"><button class="button quiet">Compare the selected lots</button> <span class="note">Up to six.</span></p>` : ''}<ol class="signals homes leads" start="${start}">${leads.map(
    (
      lead,
    ) => html`<li data-id="${lead.id}"${placeOf(lead)}><span class="where"><a href="/properties/${encodeURIComponent(lead.id)}"><b>${lead.address}</b></a> <span>${cityLink(lead.city)}</span></span>
<span class="what">${lead.price === undefined ? '' : html`<b class="num">${usdShort(lead.price)}</b> `}<span class="tag ${lead.listingStatus ?? ''}">${lead.listingStatus ? statusWords[lead.listingStatus] : 'Not for sale'}</span>${lead.status ? html` <span class="tag">SB 9: ${lead.status}</span>` : ''}${lead.losesMoney ? html` <span class="tag">Unit loses money</span>` : ''}</span>
<span class="why"><span>${lead.potential}${lead.lotSqft === undefined ? '' : ` · lot ${sqft(lead.lotSqft)}`}${lead.money ? `. ${lead.money}` : ''}</span></span>
${bestUseLine(lead.bestUse)}
<span class="scores">${lead.score === undefined ? '' : html`<span class="score"><span class="name">Score</span>${scoreMeter(lead.score)}${lead.rank ? html` <span class="place">${placeWords(lead.rank)}</span>` : ''}</span>`}</span>
${reasons(lead)}<label class="pick"><input type="checkbox" name="pick" value="${lead.id}" aria-label="Compare ${lead.address}"> Compare</label></li>`,
  )}</ol></form>`

const reasons = ({ blockers, untested, checklist = [] }: LeadView): Html | '' =>
  blockers.length + untested.length + checklist.length === 0
    ? ''
    : html`<ul class="reasons">${blockers.map(({ reason, citation }) => html`<li><b>Blocked:</b> ${reason}${citation ? html` <small>${citation}</small>` : ''}</li>`)}${untested.map((text) => html`<li>${text}</li>`)}${checkLines(checklist).map((line) => html`<li>${line}</li>`)}</ul>`

/** The marker shows the score; a lead without a score is for sale and shows its price. */
const placeOf = ({ lat, lng, address, score, price, status }: LeadView): Html => {
  const label = score === undefined ? usdShort(price) : String(Math.round(score))
  const words = score === undefined ? `${label}, ${status?.toLowerCase()}` : `score ${label}`
  return placeAttributes({ lat, lng, label, name: `${address}, ${words}`, level: levelOf(score, status) })
}

const levelOf = (score: number | undefined, status: string | undefined): string => {
  if (score !== undefined) return score >= 80 ? 'high' : score >= 60 ? 'middle' : 'low'
  return status === splitStatusWords.eligible ? 'high' : status === splitStatusWords.likely ? 'middle' : 'low'
}
