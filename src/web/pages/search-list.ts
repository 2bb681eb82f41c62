// Shared by the Explore and Permits pages: messages about ignored filters, the funnel of an empty list, and links to the next and
// previous page.
import { findCity } from '../../domain/packs/markets.ts'
import { maxOffset } from '../../wire/operations/paging.ts'
import { countLimit, type FunnelStep } from '../../wire/pagination.ts'
import { publicPageResults } from '../../wire/plans.ts'
import { chipText, isCriterion } from '../criteria-form.ts'
import { count } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { integerIn, pathWithQuery, type Query, readerOf } from '../query.ts'

/** The role is on a wrapper: on the list itself it would replace the list semantics for screen readers. */
export const problemList = (problems: readonly HtmlValue[]): Html =>
  problems.length === 0
    ? html``
    : html`<div role="status"><ul class="problems">${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`

export const pager = (
  path: string,
  params: Parameters<typeof pathWithQuery>[1],
  offset: number,
  shown: number,
  total: number,
  capped = false,
): Html => {
  const pageAt = (start: number) => pathWithQuery(path, { ...params, offset: start > 0 ? start : undefined })
  const next = offset + shown
  const more = next < total && next <= maxOffset && shown > 0
  if (offset === 0 && !more) return html``
  if (shown === 0)
    return total > 0
      ? html`<p class="empty">This page is past the last result. <a href="${pageAt(0)}">Back to the first page</a></p>`
      : html``
  return html`<nav class="pager" aria-label="Pages">${offset > 0 ? html`<a rel="prev" href="${pageAt(Math.max(0, offset - publicPageResults))}">Previous</a>` : html`<span></span>`}
<span>${offset + 1}–${next} of ${capped ? 'more than ' : ''}${total.toLocaleString('en-US')}</span>${more ? html`<a rel="next" href="${pageAt(next)}">Next</a>` : html`<span></span>`}</nav>`
}

/** The number of results before this page. */
export const offsetIn = (query: Query, problems: HtmlValue[]): number | undefined =>
  readerOf(query, problems).read(
    'offset',
    'offset',
    `must be a whole number from 0 to ${maxOffset.toLocaleString('en-US')}`,
    integerIn(query, 'offset', 0, maxOffset),
  )

/** Which condition leaves nothing. `rows`: what is counted, "homes". */
export const funnelTable = (funnel: readonly FunnelStep[] | undefined, rows: string): Html => {
  const counted = (value: number): string => `${count(value)}${value === countLimit ? ' or more' : ''}`
  return funnel === undefined || funnel.length === 0
    ? html``
    : html`<table class="data funnel"><caption>How many ${rows} remain after each filter</caption><thead><tr><th scope="col">Filter</th><th scope="col" class="num">Remain</th><th scope="col" class="num">Without it</th></tr></thead>
<tbody>${funnel.map(({ condition, remaining, wouldRemainWithout }) => html`<tr><th scope="row">${conditionWords(condition)}</th><td class="num">${counted(remaining)}</td><td class="num">${counted(wouldRemainWithout)}</td></tr>`)}</tbody></table>`
}

/** A condition as its filter is called on the page. */
export const conditionWords = (condition: string): string => {
  const [name, value] = [condition.split('=')[0]!, condition.slice(condition.indexOf('=') + 1)]
  if (name === 'minScore') return `Min score ${value}`
  if (name === 'city')
    return value
      .split(',')
      .map((slug) => findCity(slug)?.name ?? slug)
      .join(', ')
  if (knownConditions[condition] ?? knownConditions[name]) return knownConditions[condition] ?? knownConditions[name]!
  return isCriterion(name)
    ? chipText(name, value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value)
    : condition
}
const knownConditions: Readonly<Record<string, string>> = {
  bbox: 'Map area',
  within: 'Drawn area',
  'status=active,coming_soon': 'For sale',
}
