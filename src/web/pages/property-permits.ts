// The permits of a property, newest first.
import type { TimelinePermit } from '../../wire/permit.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { collapsible } from '../collapsible.ts'
import { day, permitClassWords, permitStatusWords, plural, usd } from '../formats.ts'
import { type Html, html } from '../html.ts'

export const permitTimeline = ({ permits = [] }: PropertyDetail): Html =>
  permits.length === 0
    ? html`<section class="timeline-section"><h2>Permits</h2><p class="note">No permits were found for this property.</p></section>`
    : html`<section class="timeline-section">${collapsible(`Permits (${permits.length})`, 'permits', html`<ol class="timeline">${permits.slice(0, 30).map(entry)}</ol>${permits.length > 3 ? html`<p class="print-only">The newest 3 of ${permits.length}.</p>` : ''}`)}</section>`

const entry = (permit: TimelinePermit): Html => {
  const { permitId, citySlug, addresses, permitClass, appliedDate, issuedDate, finaledDate, valuation, goneAt } = permit
  const dates = (
    [
      ['applied', appliedDate],
      ['issued', issuedDate],
      ['finaled', finaledDate],
    ] as const
  ).filter(([, date]) => date)
  const title =
    permitClass && permitClass !== 'other' ? permitClassWords[permitClass] : (permit.projectType ?? 'Permit')
  const unitText = permit.units ? html` <span>${plural(permit.units, 'unit')}</span>` : ''
  return html`<li><time>${day(dates.at(-1)?.[1])}</time><div>
<b><a href="/permits/${citySlug}/${encodeURIComponent(permitId)}">${title}</a></b> <span class="tag">${permitStatusWords[permit.status]}</span>${valuation === null ? '' : html` <span class="num">${usd(valuation)}</span>`}${unitText}
<p>${permit.description}</p>${addresses ? html`<p class="note">One permit for ${addresses.join(', ')}</p>` : ''}${goneAt ? html`<p class="caution">Removed from the city’s feed on ${day(goneAt)}. The scores do not use it.</p>` : ''}<small>${permitId} · ${dates.map(([what, date]) => `${what} ${day(date)}`).join(', ')}</small></div></li>`
}
