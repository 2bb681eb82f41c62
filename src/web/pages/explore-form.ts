// The filters of the Explore page as a form, and the filters in use as chips that remove them.
import { shownStatuses } from '../../contract/facts.ts'
import { cities, markets } from '../../contract/markets.ts'
import { count, percent, statusWords, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { pathWithQuery } from '../query.ts'
import { type Explore, isForSale, queryParamsOf, sortChoices } from './explore-filter.ts'

export const filterForm = (explore: Explore): Html => {
  const { filter, area, picks, follow } = explore
  return html`<form class="filters explore-filters" method="get" action="/explore" data-filters>
<label>Market<select name="market">${markets.map(
    ({ id, name }) => html`<option value="${id}"${filter.market === id ? html` selected` : ''}>${name}</option>`,
  )}</select></label>
<label>City<select name="city"><option value="">All cities</option>${cities
    .filter(({ market }) => market === filter.market)
    .map(
      ({ slug, name }) => html`<option value="${slug}"${slug === filter.city ? html` selected` : ''}>${name}</option>`,
    )}</select></label>
<label>Max price<input name="maxPrice" value="${filter.maxPrice}" placeholder="$3M"></label>
<label>Sort<select name="sort">${Object.entries(sortChoices).map(
    ([value, name]) => html`<option value="${value}"${value === filter.sort ? html` selected` : ''}>${name}</option>`,
  )}</select></label>
<details class="more-filters"><summary>More filters</summary><div class="filters">
<label>Min price<input name="minPrice" value="${filter.minPrice}" placeholder="No min"></label>
<label>Min score<input name="minScore" inputmode="numeric" value="${filter.minScore}" placeholder="0–100"></label>
<label>Min return, %<input name="minReturnPct" value="${filter.minReturnPct}" placeholder="10"></label>
<label>Min lot, sq ft<input name="minLotSize" inputmode="numeric" value="${filter.minLotSize}" placeholder="6,000"></label>
<label>ZIP code<input name="zip" inputmode="numeric" value="${filter.zip}" placeholder="94025"></label>
<label>Min beds<input name="minBeds" inputmode="numeric" value="${filter.minBeds}" placeholder="Any"></label>
<label>Street address<input name="address" type="search" value="${filter.address}" maxlength="100" placeholder="123 Oak"></label>
<fieldset class="status-choice"><legend>Status</legend>${shownStatuses.map(
    (status) =>
      html`<label><input type="checkbox" name="status" value="${status}"${filter.status.includes(status) ? html` checked` : ''}><span>${statusWords[status]}</span></label>`,
  )}</fieldset></div></details>
<div class="filter-buttons"><button class="button">Search</button></div>
<span data-state hidden>${Object.entries(area?.params ?? {}).map(([name, value]) => hidden(name, value))}${follow ? '' : hidden('follow', '0')}${picks.length > 0 ? hidden('pick', picks.join(',')) : ''}</span>
</form>`
}

const hidden = (name: string, value: string | number): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** One chip for each filter in use; its link is the page without that filter. */
export const filterChips = (explore: Explore): Html => {
  const { filter, area } = explore
  const params: Record<string, string | number | readonly string[] | undefined> = queryParamsOf(explore)
  const chip = (label: string, ...names: string[]) => {
    const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
    return html`<li><a class="chip" href="${pathWithQuery('/explore', rest)}"><span class="visually-hidden">Remove filter </span>${label} <span aria-hidden="true">×</span></a></li>`
  }
  const chips = [
    filter.city && chip(cities.find(({ slug }) => slug === filter.city)!.name, 'city'),
    filter.zip !== undefined && chip(`ZIP ${filter.zip.replaceAll(',', ', ')}`, 'zip'),
    !isForSale(filter) && chip(filter.status.map((status) => statusWords[status]).join(', '), 'status'),
    filter.minPrice !== undefined && chip(`From ${usdShort(filter.minPrice)}`, 'minPrice'),
    filter.maxPrice !== undefined && chip(`Up to ${usdShort(filter.maxPrice)}`, 'maxPrice'),
    filter.minScore !== undefined && chip(`Score ${filter.minScore}+`, 'minScore'),
    filter.minReturnPct !== undefined && chip(`Return ${percent(filter.minReturnPct, 0)}+`, 'minReturnPct'),
    filter.minLotSize !== undefined && chip(`Lot ${count(filter.minLotSize)}+ sq ft`, 'minLotSize'),
    filter.minBeds !== undefined && chip(`${filter.minBeds}+ beds`, 'minBeds'),
    filter.address !== undefined && chip(`“${filter.address}”`, 'address'),
    area && chip(areaWords[area.kind], ...Object.keys(area.params)),
  ].filter((each) => typeof each === 'object')
  return chips.length > 0 ? html`<ul class="chips" aria-label="Filters in use">${chips}</ul>` : html``
}

const areaWords = { box: 'Map area', drawn: 'Drawn area', circle: 'Radius' } as const
