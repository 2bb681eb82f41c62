// Every lawful use of the lot in one table, the best opened.
import type { BestUse } from '../../domain/findings/best-use.ts'
import { schemeTable } from '../../domain/findings/scheme-kinds.ts'
import type { Scheme, SchemesAnswer } from '../../domain/findings/schemes.ts'
import { allowedWords, approvalWords } from '../../domain/findings/use-words.ts'
import type { Draw } from '../charts/scheme-drawing.ts'
import { collapsible } from '../collapsible.ts'
import { capitalized, count, offerShort, percent, plural, signedUsd, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { pathWithQuery } from '../query.ts'
import { termNames } from './scenario.ts'

export const againstWords: Record<NonNullable<SchemesAnswer['against']>, string> = {
  expected: 'the expected price',
  asking: 'the asking price',
  value: 'the estimated value plus what an owner who is not selling asks',
  given: 'your price',
}

export const memoPath = (id: string, scheme: string, params: Record<string, string | number> = {}): string =>
  pathWithQuery(`/properties/${encodeURIComponent(id)}/memo`, { scheme, ...params })

/** The best use of a lot in a list or on a map, or the nearest to its target where none earns it. */
export const bestUseLine = (bestUse: BestUse | undefined): Html | '' => {
  const { scheme, maximumOffer, room, confidence } = bestUse ?? {}
  if (!scheme || maximumOffer === undefined) return ''
  const beat = room && usdShort(maximumOffer - room.usd)
  const words =
    room &&
    (room.against === 'value' ? `if it could be bought at ${beat}` : `against ${againstWords[room.against]} of ${beat}`)
  const isNearest = (room?.usd ?? 0) < 0
  const head = `${isNearest ? 'Nearest to its target' : 'Best use'}${confidence === 'low' ? ', on thin evidence' : ''}`
  const worth = isNearest ? `at ${offerShort(maximumOffer)} or less` : `worth up to ${offerShort(maximumOffer)}`
  return html`<span class="in-short">${head}: ${schemeTable[scheme].noun}, ${worth}${room ? html`. Room <span class="num">${signedUsd(room.usd)}</span> ${words}${room.low === undefined ? '' : html`, <span class="num">${signedUsd(room.low)}</span> in the low case`}` : ''}</span>`
}

/** What a visitor enters for the house of the pro forma. Other uses have their own. */
const newHouseTerms = termNames.filter((name) => name !== 'price')

export const schemesSection = (answer: SchemesAnswer, params: Record<string, number>, draw: Draw): Html => {
  const { id, priceUsd, against, best, bestIfApproved, schemes } = answer
  const shown = schemes.filter(({ allowed, maximumOffer }) => allowed !== 'no' || maximumOffer !== undefined)
  if (shown.length < 2) return html``
  const chosen =
    schemes.find(({ kind }) => kind === best?.kind) ?? schemes.find(({ kind }) => kind === bestIfApproved?.kind)
  // Land without a value of its own.
  const isResidual = against === 'value' && !schemes.some(({ kind, maximumOffer }) => kind === 'keep' && maximumOffer)
  return html`<section class="schemes">${collapsible(
    'What could be done with it',
    'schemes',
    html`<div data-live="schemes">${priceUsd === undefined || !against ? '' : html`<p class="note">All uses are computed at ${isResidual ? 'what the best use could pay' : againstWords[against]}, ${usdShort(priceUsd)}. “Worth up to” is the price at which a use earns its target.${newHouseTerms.some((name) => name in params) ? ' The house size, resale price, fees and demolition that you entered apply only to the pro forma.' : ''}</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Uses of the lot"><table class="data cards">
<thead><tr><th scope="col">Use</th><th scope="col">Law</th><th scope="col" class="num">Homes</th><th scope="col" class="num">Months</th><th scope="col" class="num">Total cost</th><th scope="col" class="num">Return</th><th scope="col" class="num">Worth up to</th><th scope="col" class="num">Room</th></tr></thead>
<tbody>${shown.map((scheme) => schemeRow(id, scheme, best?.kind, params, draw))}</tbody></table></div>
${chosen ? opened(id, chosen, chosen.kind === best?.kind, params, draw) : noUseText(shown)}</div>`,
  )}</section>`
}

/** A use whose figures are missing has not failed its target. */
const noUseText = (schemes: readonly Scheme[]): Html =>
  schemes.some(({ kind, totalCost, maximumOffer }) => kind !== 'keep' && (totalCost ?? maximumOffer) !== undefined)
    ? html`<p>No use earns its target without an approval that may be refused.</p>`
    : html`<p>These uses could not be computed:</p><ul>${schemes.map(({ title, because }) => because.slice(0, 1).map((reason) => html`<li>${title}: ${reason}</li>`))}</ul>`

const schemeRow = (
  id: string,
  scheme: Scheme,
  best: string | undefined,
  params: Record<string, number>,
  draw: Draw,
): Html => {
  const { kind, title, allowed, approval, homes, months, totalCost, returnPct } = scheme
  const { yieldPct, maximumOffer, room, confidence, builtSqft } = scheme
  const cell = (name: string, value: string) => html`<td class="num" data-name="${name}">${value}</td>`
  return html`<tr><th scope="row">${draw?.(scheme)}<a href="${memoPath(id, kind, params)}">${title}</a>${kind === best ? html` <span class="tag">${isEnough(scheme) ? 'best' : nearestWords(scheme)}</span>` : ''}<small>${builtSqft ? `${count(builtSqft)} sq ft new, ` : ''}confidence ${confidence}</small></th>
<td data-name="Law">${capitalized(allowedWords[allowed])}${approval === 'none' ? '' : `; ${approvalWords[approval]}`}</td>
${cell('Homes', count(homes))}${cell('Months', count(months))}${cell('Total cost', usdShort(totalCost))}${cell('Return', yieldPct === undefined ? percent(returnPct) : `${percent(yieldPct)} yield`)}${cell('Worth up to', offerShort(maximumOffer))}${cell('Room', room ? signedUsd(room.usd) : '–')}</tr>`
}

export const drawingOf = (scheme: Scheme, draw: Draw): Html | '' =>
  draw
    ? html`<figure>${draw(scheme, `${scheme.title}, drawn on the lot`)}<figcaption>Gray stays, blue is built, dashed lines are new lots; the street is below. Sizes are to scale, places are an example.</figcaption></figure>`
    : ''

/** True if the use can pay the price, or its room is not known. */
const isEnough = ({ room }: Scheme): boolean => (room?.usd ?? 0) >= 0

const nearestWords = ({ confidence }: Scheme): string =>
  confidence === 'low' ? 'nearest to its target, on thin evidence' : 'nearest to its target with enough evidence'

const opened = (id: string, scheme: Scheme, isBest: boolean, params: Record<string, number>, draw: Draw): Html => {
  const { kind, title, because, conditions, untestedRules, units, breakEven, peakEquity, irrPct } = scheme
  return html`<div class="opened">${drawingOf(scheme, draw)}<div><h3>${isEnough(scheme) ? 'Best use' : capitalized(nearestWords(scheme))}${isBest ? '' : ' if approved'}: ${title}</h3>
<ul>${because.map((each) => html`<li>${capitalized(each)}</li>`)}${units.map((unit) => html`<li>${unitText(unit)}</li>`)}${conditions.map(({ text }) => html`<li>Condition: ${text}</li>`)}${untestedRules.map(({ text }) => html`<li>Not tested: ${text}</li>`)}</ul>
<p>${[
    peakEquity === undefined ? '' : `Peak equity ${usdShort(peakEquity)}.`,
    irrPct === undefined ? '' : `${percent(irrPct)} a year on the equity.`,
    breakEven ? breakEvenText(breakEven) : '',
  ]
    .filter(Boolean)
    .join(' ')} <a href="${memoPath(id, kind, params)}">Memo for a lender or partner</a></p></div></div>`
}

export const breakEvenText = ({ resalePct, costPct, extraMonths }: NonNullable<Scheme['breakEven']>): string =>
  `Nothing is left if the resale falls by ${percent(-resalePct)}${costPct === undefined ? '' : `, the construction cost rises by ${percent(costPct)}`} or the sale takes ${plural(extraMonths + 1, 'month')} longer.`

export const unitText = (unit: Scheme['units'][number]): string => {
  const { role, count: many, sqft, use, priceUsd, monthlyRent, low, high, basis } = unit
  const parts = [
    `${many} ${role}${many === 1 ? '' : 's'}${sqft === undefined ? '' : ` of ${count(sqft)} sq ft`}`,
    priceUsd === undefined
      ? undefined
      : `${use === 'sell' ? 'sold for' : 'worth'} ${usd(priceUsd)}${many === 1 ? '' : ' each'}`,
    monthlyRent === undefined ? undefined : `rent ${usd(monthlyRent)} a month`,
    low === undefined || high === undefined ? undefined : `range ${usdShort(low)} to ${usdShort(high)}`,
  ]
  return parts.filter(Boolean).join(', ') + (basis ? `. ${basis}` : '')
}
