// Links from lists and homes to the account pages that save them. They work without JavaScript; a visitor is asked to sign in.
import { cityHints } from '../criteria/city-hint.ts'
import { marketsSearched } from '../criteria/read.ts'
import { type CriteriaInput, cityNames } from '../criteria/table.ts'
import { criteriaOf } from '../criteria/vocabulary.ts'
import { marketOfProperty } from '../domain/property-id.ts'
import type { WatchKind } from '../wire/watches.ts'
import { type Html, html } from './html.ts'
import { pathWithQuery } from './query.ts'

/** A longer URL is refused by some servers: a drawn area with very many corners. */
const longestCriteria = 4_000

/** `input`: as the list was searched. Its order and page are no criteria. A city that does not exist is not watched. */
export const watchSearchLink = (
  kind: WatchKind,
  input: Readonly<Pick<CriteriaInput, 'city' | 'market'>>,
): Html | '' => {
  const { city = [], market } = input
  if (cityHints(cityNames(city), kind, marketsSearched(market)).length > 0) return ''
  const names = criteriaOf(kind).map(([name]) => name)
  const text = JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name))))
  if (text.length > longestCriteria) return ''
  const own = 'assumptions' in input ? 'yes' : undefined
  return html`<a href="${pathWithQuery('/account/watches', { kind, criteria: text, own })}" rel="nofollow">Watch this search</a>`
}

/** Of one home, which this visitor has saved or not. */
export const homeLinks = (id: string, address: string, saved: boolean): Html => {
  const home = { criteria: JSON.stringify({ market: marketOfProperty(id), id: [id] }), name: address.slice(0, 80) }
  const save = saved
    ? html`<a class="button quiet" href="/account/saved" rel="nofollow">Saved</a>`
    : html`<a class="button quiet" href="${pathWithQuery('/account/saved', home)}" rel="nofollow">Save…</a>`
  return html`${save} <a class="button quiet" href="${pathWithQuery('/account/watches', { kind: 'parcels', ...home })}" rel="nofollow">Watch</a>`
}
