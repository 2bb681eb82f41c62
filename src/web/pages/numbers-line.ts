// What a page says about the numbers behind its returns: those of the market, of the visitor's set, or of its URL; and the choice that
// sharing it asks for.
import { ownIn } from '../../criteria/own-assumptions.ts'
import type { PageNumbers } from '../account/visit.ts'
import { type Html, html } from '../html.ts'
import { pathWithQuery } from '../query.ts'
import { changedText, isChanged, ownValuesIn, type Scenario } from './scenario.ts'

type Params = Parameters<typeof pathWithQuery>[1]

interface Numbered {
  numbers: PageNumbers
  /** Of the URL. */
  scenario: Scenario
  path: string
  /** The URL's own parameters, without `numbers`. */
  params: Params
  /** The city that the page is about, if it is one. */
  city?: string | undefined
}

export const marketOnly = 'market'

/** As a parameter of links from a page to others about the same homes. */
export const numbersParam = ({ instead }: PageNumbers) => ({ numbers: instead && marketOnly })

export const numbersLine = ({ numbers: { set, instead }, scenario, path, params, city }: Numbered): Html => {
  const values = ownValuesIn(scenario)
  const keep = isChanged(values)
    ? html` <a href="${pathWithQuery('/account/assumption-sets', { new: 1, ...values })}" rel="nofollow">Keep them as my numbers</a>`
    : ''
  const ofUrl = isChanged(scenario) ? html`With the numbers of this page: ${changedText(scenario)}.${keep}` : ''
  if (set)
    return html`<p class="note">With your numbers <a href="${pathWithQuery('/account/assumption-sets', { set: set.id })}">${set.name}</a>: ${changedText(ownIn(set.values, city ?? '')) || 'none of your own'}${city === undefined && set.values.byCity ? ', and others in some cities' : ''}. ${ofUrl} <a href="${pathWithQuery(path, { ...params, numbers: marketOnly })}" rel="nofollow">${isChanged(values) ? 'Leave out my set' : 'Show market numbers'}</a></p>`
  if (instead)
    return html`<p class="note">Market numbers. ${ofUrl} <a href="${pathWithQuery(path, params)}" rel="nofollow">Use my numbers ${instead.name}</a></p>`
  return ofUrl === '' ? html`` : html`<p class="note">${ofUrl}</p>`
}

/** Undefined where there is nothing to ask: the URL says all. With JavaScript a choice copies its link, without it opens it. */
export const shareChoice = ({ numbers: { set }, scenario, path, params, city }: Numbered): Html | undefined => {
  if (!set) return undefined
  const mine = { ...ownIn(set.values, city ?? ''), ...ownValuesIn(scenario) }
  const link = (more: Params) => pathWithQuery(path, { ...more, ...params, numbers: marketOnly })
  return html`<details class="share"><summary class="button quiet">Share</summary><div><p>Which numbers should the link have?</p>
<p><a class="button quiet" data-share-page href="${link({})}">Market numbers</a></p>
<p><a class="button quiet" data-share-page href="${link(mine)}">With my numbers</a> <small>Anyone with the link sees them: ${changedText(mine)}${city === undefined && set.values.byCity ? '. Your numbers for single cities are left out' : ''}.</small></p></div></details>`
}
