// The filters of the Explore page as a form, and the filters in use as chips that remove them.

import { keysOf } from '../../common/typed.ts'
import { formGroups } from '../../criteria/table.ts'
import { shownStatuses } from '../../domain/facts.ts'
import { schemeTable } from '../../domain/findings/scheme-kinds.ts'
import { cities, cityBySlug, markets } from '../../domain/packs/markets.ts'
import { cityField } from '../city-field.ts'
import { type ChoiceWords, chipText, formFields } from '../criteria-form.ts'
import { statusWords } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { pathWithQuery } from '../query.ts'
import { type Explore, isForSale, ownCriteria, queryParamsOf, sortChoices } from './explore-filter.ts'
import { splitStatusWords } from './lead-rows.ts'
import { marketOnly } from './numbers-line.ts'
import { ownFields } from './own-fields.ts'
import { changedText, marketValues } from './scenario.ts'

export const filterForm = (explore: Explore): Html => {
  const { area, picks, follow, criteria } = explore
  return html`<form class="filters explore-filters" method="get" action="/explore" role="search" aria-label="Homes" data-filters>
<label>Market<select name="market">${markets().map(
    ({ id, name }) => html`<option value="${id}"${explore.market === id ? html` selected` : ''}>${name}</option>`,
  )}</select></label>
${cityField(explore.market, explore.city)}
${formFields('listings', 'first', criteria, {}, ownCriteria)}
<label>Sort<select name="sort">${Object.entries(sortChoices).map(
    ([value, name]) => html`<option value="${value}"${value === explore.sort ? html` selected` : ''}>${name}</option>`,
  )}</select></label>
<details class="more-filters"><summary>More filters</summary><div class="filters">
${formFields('listings', 'more', criteria, {}, ownCriteria)}
<label>Min score, of the ranking<input name="minScore" inputmode="numeric" value="${explore.minScore}" placeholder="0–100"></label>
${keysOf(formGroups).map((group) => html`<div class="filter-group" role="group" aria-label="${formGroups[group]}"><p>${formGroups[group]}</p>${formFields('listings', group, criteria, choiceWords, ownCriteria)}</div>`)}
<fieldset class="status-choice"><legend>Status</legend>${shownStatuses.map(
    (status) =>
      html`<label><input type="checkbox" name="status" value="${status}"${explore.status.includes(status) ? html` checked` : ''}><span>${statusWords[status]}</span></label>`,
  )}</fieldset></div></details>
<details class="more-filters"><summary>My assumptions</summary><div class="filters">${ownFields(
    explore.assumptions,
    citiesOf(explore).map((city) => marketValues(explore.market, city)),
  )}</div>
<p class="note">A number replaces the value of every city. Returns, their filters and their order follow your numbers. Scores and ranks do not.</p></details>
<div class="filter-buttons"><button class="button">Search</button></div>
<span data-state hidden>${explore.numbers.instead ? hidden('numbers', marketOnly) : ''}${Object.entries(area?.params ?? {}).map(([name, value]) => hidden(name, value))}${follow ? '' : hidden('follow', '0')}${picks.length > 0 ? hidden('pick', picks.join(',')) : ''}</span>
</form>`
}

/** Whose values the list uses: the city, or every city of the market and what is outside of them. */
const citiesOf = ({ market, city }: Explore): readonly (string | undefined)[] =>
  city ? [city] : [undefined, ...cities().flatMap((each) => (each.market === market ? [each.slug] : []))]

const choiceWords: ChoiceWords = {
  propertyType: {
    single_family: 'Single-family house',
    condo: 'Condominium',
    townhouse: 'Townhouse',
    multi_family: 'Multifamily',
    land: 'Vacant land',
    other: 'Other',
  },
  sb9Status: splitStatusWords,
  allows: Object.fromEntries(Object.entries(schemeTable).map(([kind, { title }]) => [kind, title])),
}

const hidden = (name: string, value: string | number): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

export const filterChips = (explore: Explore): Html => {
  const { area } = explore
  const params: Record<string, string | number | readonly string[] | undefined> = queryParamsOf(explore)
  const chip = (label: string, ...names: string[]) => {
    const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
    return html`<li><a class="chip" href="${pathWithQuery('/explore', rest)}"><span class="visually-hidden">Remove filter </span>${label} <span aria-hidden="true">×</span></a></li>`
  }
  const chips = [
    explore.city && chip(cityBySlug(explore.city)?.name ?? explore.city, 'city'),
    !isForSale(explore) && chip(explore.status.map((status) => statusWords[status]).join(', '), 'status'),
    explore.minScore !== undefined && chip(`Min score ${explore.minScore}`, 'minScore'),
    ...Object.entries(explore.criteria).map(([name, value]) => chip(chipText(name, value), name)),
    ...keysOf(explore.assumptions).map((name) =>
      chip(`My ${changedText({ [name]: explore.assumptions[name] })}`, name),
    ),
    area && chip(areaWords[area.kind], ...Object.keys(area.params)),
  ].filter((each) => typeof each === 'object')
  return chips.length > 0 ? html`<ul class="chips" aria-label="Filters in use">${chips}</ul>` : html``
}

const areaWords = { box: 'Map area', drawn: 'Drawn area', circle: 'Radius' } as const
