// Rent: what the home earns when it is let, and what an accessory unit on its lot costs and earns.
import { describeDefaults } from '../../domain/assumptions/assumptions.ts'
import type { AduEarnings, AduEconomics, Hold, MonthlyRent } from '../../domain/findings/rent.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { collapsible } from '../collapsible.ts'
import { defaultMark, defaultsList } from '../default-mark.ts'
import { day, percent, plural, sqft, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import type { Deal } from './deal.ts'

type Answer = Pick<Deal, 'hold' | 'holdUnavailable'> | undefined

export const earningsSection = (data: PropertyDetail, answer: Answer): Html =>
  html`<section class="rules rent">${collapsible('Rent', 'rent', html`<div data-live="rent">${earnings(data, answer)}</div>`)}</section>`

/** `answer` has the figures at a visitor's price. */
export const earnings = (data: PropertyDetail, answer: Answer): Html => {
  const { monthlyRent, rentUnavailable, adu } = data
  const { hold, holdUnavailable } = answer ?? data
  const defaults = describeDefaults([...(hold?.defaults ?? []), ...(adu?.economics?.defaults ?? [])])
  return html`<div class="rules-grid">
<div class="rule-set"><h3>If rented</h3>${monthlyRent ? rentLine(monthlyRent) : html`<p>No rent is shown. ${rentUnavailable?.text}</p>`}
${hold ? holdTable(hold) : monthlyRent ? html`<p class="note">${holdUnavailable?.text ?? 'What it earns needs a price.'}</p>` : ''}</div>
${adu ? html`<div class="rule-set"><h3>Accessory unit</h3>${adu.economics ? html`<p>${adu.verdict}</p>${unitTable(adu.economics)}${otherUnits(adu)}` : html`<p>${adu.unavailable?.text}</p>`}</div>` : ''}</div>
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

const unitTable = ({
  unit,
  costUsd,
  costPerSqft,
  monthlyRent,
  valueAdded,
  gainUsd,
  paybackYears,
  returnPct,
  defaults,
}: AduEconomics): Html =>
  html`<p class="verdict">${unitNames[unit.kind]}, ${sqft(unit.sqft)}, ${unit.bedrooms === 0 ? 'studio' : plural(unit.bedrooms, 'bedroom')}</p>${rows(
    [
      ['Cost', html`${usd(costUsd)} (${usd(Math.round(costPerSqft))} per sq ft)`],
      ['Rent', `${usd(monthlyRent.amount)} a month`],
      ['Value added', html`${usd(valueAdded)}${defaultMark(defaults.length > 0, 'rent-defaults')}`],
      [gainUsd < 0 ? 'Loss' : 'Gain', `${usd(gainUsd)} (${percent(returnPct)})`],
      ['Payback', paybackYears === undefined ? '–' : `${paybackYears} years`],
    ],
  )}<p class="note">${monthlyRent.basis}</p>`

/** Every unit that fits, and the best combination where it has several. */
const otherUnits = ({ units = [], bestSet }: AduEarnings): Html => {
  const name = ({ kind, sqft: size }: AduEconomics['unit']) => `${unitNames[kind]}, ${sqft(size)}`
  const together =
    bestSet && bestSet.units.length > 1
      ? html`<p>Together ${bestSet.units.map(name).join('; ')}: cost ${usd(bestSet.costUsd)}, add ${usd(bestSet.valueAdded)}, ${bestSet.gainUsd < 0 ? 'a loss' : 'a gain'} of ${usd(Math.abs(bestSet.gainUsd))}.</p>`
      : ''
  return units.length < 2
    ? html``
    : html`<table class="units"><caption>Every unit that fits</caption><thead><tr><th scope="col">Unit</th><th scope="col">Cost</th><th scope="col">Adds</th><th scope="col">Gain</th></tr></thead><tbody>${units.map(({ unit, economics }) => html`<tr><th scope="row">${name(unit)}</th><td>${usd(economics.costUsd)}</td><td>${usd(economics.valueAdded)}</td><td>${usd(economics.gainUsd)}</td></tr>`)}</tbody></table>${together}`
}

const unitNames: Readonly<Record<AduEconomics['unit']['kind'], string>> = {
  detached: 'Detached unit',
  conversion: 'Conversion',
  junior: 'Junior unit',
}

const rows = (each: readonly (readonly [name: string, value: string | Html])[]): Html =>
  html`<dl class="ledger">${each.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** "detached unit of 800 sq ft costs $420K, rents for $3,600 a month, adds $440K: 4.7% return, paid back in 13.6 years" */
export const unitWords = ({
  unit,
  costUsd,
  monthlyRent,
  valueAdded,
  returnPct,
  paybackYears,
}: AduEconomics): string => {
  const result =
    returnPct < 0
      ? `it would lose ${usdShort(costUsd - valueAdded)}`
      : `${percent(returnPct)} return${paybackYears === undefined ? '' : `, paid back in ${paybackYears} years`}`
  return `${unitNames[unit.kind].toLowerCase()} of ${sqft(unit.sqft)} costs ${usdShort(costUsd)}, rents for ${usd(monthlyRent.amount)} a month, adds ${usdShort(valueAdded)}: ${result}`
}
