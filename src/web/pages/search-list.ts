// What the searchable lists have in common: what of the address was left out, and the way to the next page.
import { maxOffset } from '../../contract/operations/paging.ts'
import { publicPageResults } from '../../contract/plans.ts'
import { type Html, html } from '../html.ts'
import { addressOf, noted, type Query, wholeIn } from '../query.ts'

/** What could not be used of the address. The list is within the status, for as one it would be no list any more. */
export const problemList = (problems: readonly string[]): Html =>
  problems.length === 0
    ? html``
    : html`<div role="status"><ul class="problems">${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`

export const pager = (
  path: string,
  params: Parameters<typeof addressOf>[1],
  offset: number,
  shown: number,
  total: number,
  capped = false,
): Html => {
  const at = (start: number) => addressOf(path, { ...params, offset: start > 0 ? start : undefined })
  const next = offset + shown
  const more = next < total && next <= maxOffset && shown > 0
  if (offset === 0 && !more) return html``
  if (shown === 0)
    return total > 0
      ? html`<p class="empty">There is nothing this far down. <a href="${at(0)}">Back to the first page</a></p>`
      : html``
  return html`<nav class="pager" aria-label="Pages">${offset > 0 ? html`<a rel="prev" href="${at(Math.max(0, offset - publicPageResults))}">Previous</a>` : html`<span></span>`}
<span>${offset + 1}–${next} of ${capped ? 'more than ' : ''}${total.toLocaleString('en-US')}</span>${more ? html`<a rel="next" href="${at(next)}">Next</a>` : html`<span></span>`}</nav>`
}

/** Where a page of the list begins. */
export const offsetIn = (query: Query, problems: string[]): number | undefined =>
  noted(
    problems,
    query,
    {
      name: 'offset',
      label: 'Place in the list',
      accepted: `it takes one whole number, from 0 to ${maxOffset.toLocaleString('en-US')}`,
    },
    wholeIn(query, 'offset', 0, maxOffset),
  )
