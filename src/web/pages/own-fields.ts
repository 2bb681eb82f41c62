// Number fields for a visitor's own assumptions on pages about many homes: the main ones, and the others by group.
import type { OwnName, OwnValues } from '../../criteria/own-assumptions.ts'
import { isFinalName } from '../../domain/assumptions/assumptions.ts'
import { type Html, html } from '../html.ts'
import { labelOf, mainAssumptions, otherAssumptions } from './scenario.ts'

/** `usual`: of each city. An empty field keeps its value, which the placeholder shows if it is the same for all. */
export const ownFields = (values: Partial<Record<OwnName, string | number>>, usual: readonly OwnValues[]): Html => {
  const usualOf = (name: OwnName) =>
    // Cost and duration follow the size of the house, its lot and the permit times of the city.
    isFinalName(name) || usual.some((each) => each[name] !== usual[0]![name])
      ? isFinalName(name)
        ? 'by home'
        : 'by city'
      : usual[0]?.[name]
  const field = (name: OwnName) =>
    html`<label>${labelOf(name)}<input name="${name}" inputmode="decimal" autocomplete="off" value="${values[name]}" placeholder="${usualOf(name)}"></label>`
  const isChanged = [...otherAssumptions.values()].flat().some((name) => values[name] !== undefined)
  return html`${mainAssumptions.map(field)}
<details class="all-assumptions"${isChanged ? html` open` : ''}><summary>All assumptions</summary>${[...otherAssumptions].map(([title, names]) => html`<fieldset><legend>${title}</legend>${names.map(field)}</fieldset>`)}</details>`
}
