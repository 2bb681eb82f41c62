// The permits of a property, newest first.
import type { PermitClass, PermitStatus } from '../../contract/facts.ts'
import { day, permitClassWords, permitStatusWords, usd } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type Loose, numberAt, textAt } from '../stored-findings.ts'
import type { Detail } from './property-detail.ts'

export const permitTimeline = ({ permits = [] }: Detail): Html =>
  permits.length === 0
    ? html`<section class="timeline-section"><h2>Permits</h2><p class="note">No permits were found for this property.</p></section>`
    : html`<section class="timeline-section"><h2>Permits</h2><ol class="timeline">${permits.slice(0, 30).map(entry)}</ol></section>`

const entry = (permit: Loose): Html => {
  const status = permitStatusWords[textAt(permit, 'status') as PermitStatus] ?? 'Status unknown'
  const kind = permitClassWords[textAt(permit, 'permitClass') as PermitClass]
  const number = textAt(permit, 'permitId') ?? ''
  const issued = textAt(permit, 'issuedDate')
  const dates = (
    [
      ['applied', textAt(permit, 'appliedDate')],
      ['issued', issued],
      ['finaled', textAt(permit, 'finaledDate')],
    ] as const
  ).filter(([, date]) => date)
  const title = kind && kind !== 'Other' ? kind : (textAt(permit, 'projectType') ?? 'Permit')
  return html`<li><time>${day(dates.at(-1)?.[1])}</time><div>
<b>${issued ? html`<a href="/permits/${textAt(permit, 'citySlug')}/${encodeURIComponent(number)}">${title}</a>` : title}</b> <span class="tag">${status}</span>${numberAt(permit, 'valuation') === undefined ? '' : html` <span class="num">${usd(numberAt(permit, 'valuation'))}</span>`}
<p>${textAt(permit, 'description')}</p>${textAt(permit, 'goneAt') ? html`<p class="caution">Removed from the city’s feed on ${day(textAt(permit, 'goneAt'))}. The scores do not use it.</p>` : ''}<small>${number} · ${dates.map(([what, date]) => `${what} ${day(date)}`).join(', ')}</small></div></li>`
}
