// The pro forma: figures for the visitor's scenario, and a form for every assumption. The form works without JavaScript; with it,
// the figures follow each change.

import { ownIn } from '../../criteria/own-assumptions.ts'
import type { ProformaAnswer, ProformaCase } from '../../domain/findings/proforma.ts'
import { returnBeforeFinancingUsesDefault } from '../../intelligence/proforma/proforma-defaults.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import type { PageNumbers } from '../account/visit.ts'
import { waterfallRows, waterfallSteps } from '../charts/waterfall.ts'
import { defaultMark, defaultsList } from '../default-mark.ts'
import { formatReason } from '../finding-labels.ts'
import { aPercent, capitalized, offerShort, percent, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type Deal, whyNoDeal } from './deal.ts'
import { marketOnly } from './numbers-line.ts'
import {
  changedText,
  isChanged,
  labelOf,
  mainAssumptions,
  marketValues,
  otherAssumptions,
  type Scenario,
  type ScenarioName,
  type Slider,
  sliderOf,
  termNames,
  valueIn,
} from './scenario.ts'
import { problemList } from './search-list.ts'

export const proformaSection = (
  data: PropertyDetail,
  { deal, answer }: { deal?: Deal; answer?: ProformaAnswer },
  scenario: Scenario,
  problems: readonly string[],
  numbers: PageNumbers = {},
): Html => {
  const { id, status, intelligence } = data
  const why = deal ? undefined : whyNoDeal(data, answer)
  if (why) return notModeled(why)
  if (!answer || answer.proforma.unmodellableReason === 'NO_PRICE')
    return status === undefined || answer ? priceForm(id, intelligence.valueEstimate?.value, problems) : html``
  if (!deal) return notModeled('Too little data is available.')
  return html`<section class="proforma" id="proforma"><h2>Pro forma: build and sell</h2>
${status ? '' : html`<p class="note">This property is not for sale. The price is yours.</p>`}
<output class="visually-hidden" data-said></output>
<div class="proforma-grid"><div data-live="figures">${figures(deal, problems)}</div>
${scenarioForm(data, deal, scenario, numbers)}</div></section>`
}

/** Everything that depends on the scenario. */
const figures = (deal: Deal, problems: readonly string[]): Html => {
  const { proforma, maximumOffer, returnPct, developerROI, defaultAssumptions = [], scenario, resaleBasis } = deal
  const { shrinkWeight = 1, marketMeanRoiPct, buildSizeBasis, months, monthsBasis } = proforma.assumptions
  const defaults = proforma.defaults ?? []
  const mark = defaultMark(defaults.length > 0)
  return html`${problemList(problems)}${isChanged(scenario) ? html`<p class="note" data-changed>You changed the assumptions. Yours: ${changedText(scenario)}. The URL of this page contains them, so you can share or print it.</p>` : ''}
<dl class="results">
<div><dt>Return on total cost${mark}</dt><dd data-out="return">${percent(returnPct)}</dd></div>
<div><dt>Maximum offer for ${aPercent(maximumOffer.targetRoiPct)} return${mark}</dt><dd data-out="offer">${maximumOffer.price === undefined ? 'none' : usd(maximumOffer.price)}</dd></div>
</dl><details class="stress"><summary>Two other returns that the API serves</summary><dl class="results"><div><dt>Return, adjusted toward the market average${mark}</dt><dd data-out="adjusted">${percent(developerROI)}</dd></div>
<div><dt>Return before buying costs, contingency and financing${defaultMark(returnBeforeFinancingUsesDefault(defaults))}</dt><dd data-out="before-financing">${percent(proforma.roiPct)}</dd></div></dl>
${marketMeanRoiPct === undefined ? '' : html`<p class="note">Adjusted return = ${shrinkWeight.toFixed(2)} × return on total cost + ${(1 - shrinkWeight).toFixed(2)} × market average of ${percent(marketMeanRoiPct)}. The better the comparable sales, the more the property’s own return counts.</p>`}</details>
<table class="waterfall" aria-label="Pro forma"><tbody>${waterfallRows(waterfallSteps(deal))}</tbody></table>
${defaultsList(defaultAssumptions)}
<p class="note">${formatReason(capitalized(buildSizeBasis ?? 'build size from zoning'))}. ${resaleBasis} ${monthsBasis === undefined ? '' : `${months} months from purchase to resale: ${monthsBasis}. `}${capitalized(proforma.confidence)} confidence.</p>
${warningList(deal)}
${casesTable(deal)}
${stressTable(deal)}`
}

const warningList = ({ warnings, resaleBasis }: Deal): Html => {
  const shown = warnings.filter((warning) => warning !== resaleBasis)
  return shown.length === 0
    ? html``
    : html`<ul class="warnings">${shown.map((warning) => html`<li>${warning}</li>`)}</ul>`
}

const caseRows: readonly [name: string, value: (of: ProformaCase) => string][] = [
  ['Resale per sq ft', ({ arvPerSqft }) => usd(arvPerSqft)],
  ['Construction per sq ft', ({ costPerSqft }) => usd(costPerSqft)],
  ['Months', ({ months }) => String(months)],
  ['Return', ({ returnPct }) => percent(returnPct)],
  ['Maximum offer', ({ maximumOffer }) => (maximumOffer === undefined ? 'none' : offerShort(maximumOffer))],
]

const casesTable = ({ cases: { low, base, high } }: Deal): Html =>
  html`<table class="data cases"><caption>Low, base and high case</caption><thead><tr><td></td><th scope="col" class="num">Low</th><th scope="col" class="num">Base</th><th scope="col" class="num">High</th></tr></thead>
<tbody>${caseRows.map(([name, value]) => html`<tr><th scope="row">${name}</th>${[low, base, high].map((each) => html`<td class="num">${value(each)}</td>`)}</tr>`)}</tbody></table>`

/** Returns by resale and cost in rows, by delay in columns. */
const stressTable = ({ stress }: Deal): Html => {
  const delays = [...new Set(stress.map(({ extraMonths }) => extraMonths))]
  const rows = stress.filter(({ extraMonths }) => extraMonths === delays[0])
  return html`<details class="stress"><summary>Stress test: returns if resale, cost or duration differ</summary><div class="scroll" tabindex="0" role="region" aria-label="Stress test"><table class="data"><thead><tr><th scope="col">Resale</th><th scope="col">Cost</th>${delays.map((months) => html`<th scope="col" class="num">${months === 0 ? 'On time' : `+${months} mo.`}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ resalePct, costPct }) =>
      html`<tr><td>${signed(resalePct)}</td><td>${signed(costPct)}</td>${delays.map((months) => {
        const cell = stress.find(
          (each) => each.resalePct === resalePct && each.costPct === costPct && each.extraMonths === months,
        )
        return html`<td class="num ${(cell?.returnPct ?? 0) < 0 ? 'down' : ''}">${percent(cell?.returnPct)}</td>`
      })}</tr>`,
  )}</tbody></table></div></details>`
}

const signed = (pct: number): string => (pct === 0 ? '0%' : `${pct > 0 ? '+' : '−'}${Math.abs(pct)}%`)

/** An empty field keeps the assumption, which its placeholder shows. */
const scenarioForm = (
  { id, status, market, facts }: PropertyDetail,
  deal: ProformaAnswer,
  scenario: Scenario,
  numbers: PageNumbers,
): Html => {
  const path = `/properties/${encodeURIComponent(id)}`
  const ofMarket = market === undefined ? {} : marketValues(market, facts?.citySlug)
  const usual = { ...ofMarket, ...ownIn(numbers.set?.values ?? {}, facts?.citySlug ?? '') }
  const field = (name: ScenarioName) => scenarioField(name, valueIn(name, deal, { ...usual, ...scenario }), scenario)
  const fold = (title: string, names: readonly ScenarioName[]) =>
    html`<details class="more-assumptions"${names.some((name) => scenario[name] !== undefined) ? html` open` : ''}><summary>${title}</summary>${names.map(field)}</details>`
  const first: readonly ScenarioName[] = [...termNames, ...mainAssumptions]
  return html`<form class="levers" method="get" action="${path}#proforma" data-scenario="${status === undefined ? 'own-price' : ''}" aria-label="Assumptions">${numbers.instead ? html`<input type="hidden" name="numbers" value="${marketOnly}">` : ''}
${first.map(field)}
${[...otherAssumptions].map(([title, names]) => fold(title, names))}
<p><button class="button">Compute</button> <a class="button quiet" href="${path}#proforma" data-reset>Reset</a></p></form>`
}

const scenarioField = (name: ScenarioName, value: number | undefined, scenario: Scenario): Html => {
  const label = labelOf(name)
  const slider = sliderOf(name)
  const text = value?.toLocaleString('en-US', { maximumFractionDigits: 2 })
  return html`<div class="lever"><label for="own-${name}">${label}</label><input id="own-${name}" name="${name}" inputmode="decimal" autocomplete="off" value="${scenario[name] === undefined ? '' : text}" placeholder="${text}">${slider && value !== undefined ? range(name, label, value, slider) : ''}</div>`
}

const range = (name: string, label: string, value: number, slider: Slider): Html => {
  const { step } = slider
  const [min, max] =
    'around' in slider
      ? [
          Math.max(step, Math.floor((value * (1 - slider.around)) / step) * step),
          Math.ceil((value * (1 + slider.around)) / step) * step,
        ]
      : [Math.min(slider.from, value), Math.max(slider.to, value)]
  return html`<input type="range" data-slider="${name}" aria-label="${label}" min="${min}" max="${max}" step="${step}" value="${value}" hidden>`
}

const priceForm = (id: string, value: number | undefined, problems: readonly string[]): Html => {
  const path = `/properties/${encodeURIComponent(id)}`
  return html`<section class="proforma" id="proforma"><h2>Pro forma: build and sell</h2>${problemList(problems)}
<p>This property is not for sale. Enter the price you would pay to see what a new house here would earn.</p>
<form class="find-box" method="get" action="${path}"><label for="own-price">Purchase price</label>
<div><input id="own-price" name="price" inputmode="decimal" placeholder="${value === undefined ? '$2M' : usdShort(value)}" required><button class="button">Compute</button></div></form>
${value === undefined ? '' : html`<p><a href="${path}?price=${Math.round(value)}">Use the estimated value of ${usdShort(value)}</a></p>`}</section>`
}

const notModeled = (why: string): Html =>
  html`<section class="proforma" id="proforma"><h2>Pro forma: build and sell</h2><p class="not-modeled"><b>No pro forma.</b> ${why}</p></section>`
