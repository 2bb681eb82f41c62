// Rent: what the home earns when it is let, and what an accessory unit on its lot costs and earns.
import { describeDefaults } from '../../domain/assumptions/assumptions.ts'
import type { AduEarnings, AduEconomics, Hold, MonthlyRent } from '../../domain/findings/rent.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import type { Draw } from '../charts/scheme-drawing.ts'
import { collapsible } from '../collapsible.ts'
import { defaultMark, defaultsList } from '../default-mark.ts'
import { day, percent, sqft, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import type { Deal } from './deal.ts'

type Answer = Pick<Deal, 'hold' | 'holdUnavailable'> | undefined

export const earningsSection = (data: PropertyDetail, answer: Answer, draw: Draw): Html =>
  html`<section class="rules rent">${collapsible('Rent and accessory units', 'rent', html`<div data-live="rent">${earnings(data, answer)}</div>${unitDrawings(data, draw)}`)}</section>`

/** `answer` has the figures at a visitor's price. */
export const earnings = (data: PropertyDetail, answer: Answer): Html => {
  const { monthlyRent, rentUnavailable, adu } = data
  const { hold, holdUnavailable } = answer ?? data
  const defaults = describeDefaults([...(hold?.defaults ?? []), ...(adu?.economics?.defaults ?? [])])
  return html`<div class="rules-grid">
<div class="rule-set"><h3>If rented</h3>${monthlyRent ? rentLine(monthlyRent) : html`<p>No rent is shown. ${rentUnavailable?.text}</p>`}
${hold ? holdTable(hold) : monthlyRent ? html`<p class="note">${holdUnavailable?.text ?? 'What it earns needs a price.'}</p>` : ''}</div>
${adu ? html`<div class="rule-set"><h3>Accessory unit</h3>${adu.economics ? html`<p>${adu.verdict}</p><p class="note">${adu.economics.monthlyRent.basis}</p>` : html`<p>${adu.unavailable?.text}</p>`}</div>` : ''}</div>
${adu ? planner(adu) : ''}
${defaultsList(defaults, 'rent-defaults')}
<p class="note"><a href="/docs/methods/rent-and-holding">How rent and earnings are computed</a></p>`
}

const rentLine = ({ amount, low, high, basis, asOf, source, sample }: MonthlyRent): Html =>
  html`<p class="verdict"><b>${usd(amount)}</b> a month${low === undefined ? '' : `; nine of ten rents are above ${usd(low)}, nine of ten below ${usd(high)}`}</p>
<p class="note">${basis} ${source}${sample ? ' (generated)' : ''}, ${day(asOf)}.</p>`

const holdTable = ({ noi, capRatePct, grossYieldPct, dscr, cashOnCashPct, debtService, terms, defaults }: Hold): Html =>
  html`${rows([
    ['Net operating income', html`${usd(noi)}${defaultMark(defaults.length > 0, 'rent-defaults')}`],
    ['Cap rate', percent(capRatePct)],
    ['Gross yield', percent(grossYieldPct)],
    ['Debt service', usd(debtService)],
    ['Debt coverage', dscr === undefined ? '–' : dscr.toFixed(2).replace('-', '−')],
    ['Cash on cash', percent(cashOnCashPct)],
  ])}<p class="note">A year, bought for ${usd(terms.price)} with a 30-year loan of ${terms.holdLoanPct}% at ${terms.holdRatePct}%.</p>`

/** Every unit that fits, smallest first, and the best combination where it has several. */
const planner = ({ units = [], bestSet }: AduEarnings): Html => {
  const name = ({ kind, sqft: size }: AduEconomics['unit']) => `${unitNames[kind]}, ${sqft(size)}`
  const together =
    bestSet && bestSet.units.length > 1
      ? html`<p>Together ${bestSet.units.map(name).join('; ')}: cost ${usd(bestSet.costUsd)}, add ${usd(bestSet.valueAdded)}, ${bestSet.gainUsd < 0 ? 'a loss' : 'a gain'} of ${usd(Math.abs(bestSet.gainUsd))}.</p>`
      : ''
  const choices = bySize(units).map(({ economics }) => economics)
  if (choices.length === 0) return html``
  const row = (title: string, value: (unit: AduEconomics) => string) =>
    html`<tr><th scope="row">${title}</th>${choices.map((each) => html`<td class="num">${value(each)}</td>`)}</tr>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Every unit that fits"><table class="data units"><caption>Every unit that fits${defaultMark(
    units.some(({ economics }) => economics.defaults.length > 0),
    'rent-defaults',
  )}</caption><thead><tr><td></td>${choices.map(({ unit }) => html`<th scope="col" class="num">${name(unit)}</th>`)}</tr></thead><tbody>
${row('Cost', ({ costUsd }) => usd(costUsd))}${row('Rent a month', ({ monthlyRent }) => usd(monthlyRent.amount))}${row('Loan payment a month', ({ monthlyPayment }) => usd(monthlyPayment))}${row('Left a month after costs', ({ noi = 0, monthlyPayment = 0 }) => usd(Math.round(noi / 12 - monthlyPayment)))}${row('Adds to the price', ({ valueAdded }) => usd(valueAdded))}${row('Gain if sold', ({ gainUsd, returnPct }) => `${usd(gainUsd)} (${percent(returnPct)})`)}${row('Payback', ({ paybackYears }) => (paybackYears === undefined ? '–' : `${paybackYears} years`))}</tbody></table></div>
<p class="note">Payment on a 30-year loan of the whole cost at ${choices[0]!.terms.holdRatePct}%. Left: the rent collected, less operating costs, property tax, insurance and the payment.</p>${together}`
}

const bySize = (units: NonNullable<AduEarnings['units']>) => units.toSorted((a, b) => a.unit.sqft - b.unit.sqft)

/** Apart from the figures, which follow the assumptions: sizes do not. */
const unitDrawings = ({ adu }: PropertyDetail, draw: Draw): Html | '' => {
  const detached = bySize(adu?.units ?? []).filter(({ unit }) => unit.kind === 'detached')
  return draw && detached.length > 0
    ? html`<ul class="unit-drawings">${detached.map(({ unit }) => html`<li>${draw({ kind: 'add_unit', units: [] }, `A unit of ${sqft(unit.sqft)} on the lot`, [unit.sqft])}${sqft(unit.sqft)}</li>`)}</ul>`
    : ''
}

const unitNames: Readonly<Record<AduEconomics['unit']['kind'], string>> = {
  detached: 'Detached unit',
  conversion: 'Conversion',
  junior: 'Junior unit',
}

const rows = (each: readonly (readonly [name: string, value: string | Html])[]): Html =>
  html`<dl class="ledger">${each.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** "detached unit of 800 sq ft costs $420K, rents for $3,600 a month, adds $440K: 4.7% return, paid back in 13.6 years" */
export const unitWords = (economics: AduEconomics): string => {
  const { unit, costUsd, monthlyRent, valueAdded, returnPct, paybackYears } = economics
  const result =
    returnPct < 0
      ? `it would lose ${usdShort(costUsd - valueAdded)}`
      : `${percent(returnPct)} return${paybackYears === undefined ? '' : `, paid back in ${paybackYears} years`}`
  return `${unitNames[unit.kind].toLowerCase()} of ${sqft(unit.sqft)} costs ${usdShort(costUsd)}, rents for ${usd(monthlyRent.amount)} a month, adds ${usdShort(valueAdded)}: ${result}`
}
