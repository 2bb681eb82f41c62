// Number fields for a visitor's own assumptions on pages about many homes: the main ones, and the others by group.
import type { OwnName, OwnValues } from '../../criteria/own-assumptions.ts'
import { type Html, html } from '../html.ts'
import { labelOf, mainAssumptions, marketValues, otherAssumptions } from './scenario.ts'

/** An empty field keeps the value of the market, or of the city, which its placeholder shows. */
export const ownFields = (values: OwnValues, market: string | undefined, city?: string): Html => {
  const usual = market === undefined ? {} : marketValues(market, city)
  const field = (name: OwnName) =>
    // The duration follows the permit times of each city.
    html`<label>${labelOf(name)}<input name="${name}" inputmode="decimal" autocomplete="off" value="${values[name]}" placeholder="${name === 'months' ? 'by city' : usual[name]}"></label>`
  const isChanged = [...otherAssumptions.values()].flat().some((name) => values[name] !== undefined)
  return html`${mainAssumptions.map(field)}
<details class="all-assumptions"${isChanged ? html` open` : ''}><summary>All assumptions</summary>${[...otherAssumptions].map(([title, names]) => html`<fieldset><legend>${title}</legend>${names.map(field)}</fieldset>`)}</details>`
}
