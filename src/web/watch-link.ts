// Links from lists and homes to the account pages that save them. They work without JavaScript; a visitor is asked to sign in.

import type { OwnValues } from '../criteria/own-assumptions.ts'
import { cityHints } from '../criteria/place-hints.ts'
import { marketsSearched } from '../criteria/read.ts'
import { type CriteriaInput, cityNames } from '../criteria/table.ts'
import { criteriaOf } from '../criteria/vocabulary.ts'
import { marketOfProperty } from '../domain/property-id.ts'
import type { WatchKind } from '../wire/watches.ts'
import type { PageNumbers } from './account/visit.ts'
import { type Html, html } from './html.ts'
import { numbersParam } from './pages/numbers-line.ts'
import { pathWithQuery } from './query.ts'

/** A longer URL is refused by some servers: a drawn area with very many corners. */
const longestCriteria = 4_000

/** The order of the list, and what its returns use: the visitor's set, and the numbers of its URL, which a watch cannot keep. */
interface Used {
  sort?: string | undefined
  assumptions?: OwnValues
  numbers?: PageNumbers
}

/**
 * Links that watch and export a search. `criteria`: as the list was searched; its order and page are no criteria. A city that does not
 * exist is not watched.
 */
export const searchLinks = (
  kind: WatchKind,
  criteria: Readonly<Pick<CriteriaInput, 'city' | 'market'>>,
  { sort, assumptions = {}, numbers = {} }: Used = {},
): Html | '' => {
  const { city = [], market } = criteria
  if (cityHints(cityNames(city), kind, marketsSearched({ market })).length > 0) return ''
  const names = criteriaOf(kind).map(([name]) => name)
  const text = JSON.stringify(Object.fromEntries(Object.entries(criteria).filter(([name]) => names.includes(name))))
  if (text.length > longestCriteria) return ''
  const params = {
    ...{ kind, criteria: text, sort, ...numbersParam(numbers) },
    own: Object.keys(assumptions).length > 0 ? JSON.stringify(assumptions) : undefined,
  }
  const link = (path: string, words: string) =>
    html`<a href="${pathWithQuery(path, params)}" rel="nofollow">${words}</a>`
  return html`${link('/account/watches', 'Watch this search')} · ${link('/account/exports', 'Export all rows')}`
}

/** Of one home, which this visitor has saved or not. `own`: the price and numbers of the page, which are saved with it. */
export const homeLinks = (
  id: string,
  address: string,
  saved: boolean,
  { price, ...own }: Readonly<Partial<Record<string, number>>> = {},
): Html => {
  const home = { criteria: JSON.stringify({ market: marketOfProperty(id), id: [id] }), name: address.slice(0, 80) }
  const save = saved
    ? html`<a class="button quiet" href="/account/saved" rel="nofollow">Saved</a>`
    : html`<a class="button quiet" href="${pathWithQuery('/account/saved', { ...home, price, own: Object.keys(own).length > 0 ? JSON.stringify(own) : undefined })}" rel="nofollow">Save…</a>`
  return html`${save} <a class="button quiet" href="${pathWithQuery('/account/watches', { kind: 'parcels', ...home })}" rel="nofollow">Watch</a>`
}
