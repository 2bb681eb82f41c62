// The pro forma: a waterfall, the result, and sliders that redo it in the browser with the service's own arithmetic.
import { type Assumptions, assumptionsFor, assumptionTable } from '../../contract/assumptions.ts'
import {
  computeProforma,
  type LoanTerms,
  type ProformaTerms,
  priceForRoi,
} from '../../intelligence/proforma-arithmetic.ts'
import { waterfallRows, waterfallSteps } from '../charts/waterfall.ts'
import { asSet } from '../finding-words.ts'
import { percent, sentence, usd, usdShort, words } from '../formats.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { type Loose, looseOf, numberAt, textAt } from '../stored-findings.ts'
import type { Detail } from './property-detail.ts'

/** What the browser needs to redo the figures. */
export interface ProformaData {
  terms: ProformaTerms
  loan: LoanTerms
  shrinkWeight: number
  marketMeanRoiPct: number
  targetRoiPct: number
}

export const proformaSection = (data: Detail): Html => {
  const proforma = looseOf(data.proforma)
  if (!proforma) return html``
  const model = proformaData(proforma, data.price, assumptionsFor(data.city))
  if (!model) return unmodelled(textAt(proforma, 'unmodellableReason'))
  const { terms, loan, targetRoiPct } = model
  const sums = computeProforma(terms, loan)
  const own = (100 * sums.profit) / sums.totalCost
  const shrunk = model.shrinkWeight * own + (1 - model.shrinkWeight) * model.marketMeanRoiPct
  const offer = priceForRoi(terms, loan, targetRoiPct)
  return html`<section class="proforma" id="proforma"><h2>Build and sell</h2>
<p class="note" data-changed hidden>These figures are as set with the sliders, not as assessed.</p>
<p class="note">${asSet(sentence(textAt(looseOf(proforma.assumptions), 'buildSizeBasis') ?? 'build size from zoning'))}. ${numberAt(proforma, 'compCount') ?? 0} comparable sales.</p>
<div class="proforma-grid"><div>
<table class="waterfall" aria-label="Pro forma"><tbody data-waterfall>${waterfallRows(waterfallSteps(sums, terms))}</tbody></table>
</div><div class="levers">
<dl class="results">
<div><dt>Pro forma return</dt><dd data-out="roi">${percent(sums.roiPct)}</dd></div>
<div><dt>After carry and contingency</dt><dd data-out="own">${percent(own)}</dd></div>
<div><dt>Developer return</dt><dd data-out="developer">${percent(shrunk)}</dd></div>
<div><dt>Most to pay for ${targetRoiPct} %</dt><dd data-out="offer">${offer > 0 ? usd(offer) : 'nothing'}</dd></div></dl>
<form class="sliders" data-sliders hidden>${slidersFor(terms).map(slider)}<button type="reset" class="button quiet">As assessed</button></form>
<noscript><p class="note">With JavaScript, sliders here redo these figures. Without it, ask <a href="/playground?op=run_proforma&amp;id=${data.id}">the API</a>.</p></noscript>
</div></div>
<p class="note">Developer return = ${model.shrinkWeight.toFixed(2)} × own return + ${(1 - model.shrinkWeight).toFixed(2)} × the market’s mean of ${percent(model.marketMeanRoiPct)}, by how good the comparables are.</p>
${dataBlock('application/json', model, 'proforma-data')}</section>`
}

const proformaData = (
  proforma: Loose,
  price: number | undefined,
  assumptions: Assumptions,
): ProformaData | undefined => {
  const given = looseOf(proforma.assumptions)
  const [buildSqft, arvPerSqft, capital] = (['buildSqft', 'arvPerSqft', 'capital'] as const).map((name) =>
    numberAt(proforma, name),
  )
  const [costPerSqft, demoCost, sellingCostPct, months, ratePct] = (
    ['costPerSqft', 'demoCost', 'sellingCostPct', 'months', 'ratePct'] as const
  ).map((name) => numberAt(given, name))
  if (textAt(proforma, 'unmodellableReason') || !buildSqft || !arvPerSqft || !capital || !costPerSqft) return undefined
  const hardCost = Math.round(buildSqft * costPerSqft)
  const softCosts = numberAt(given, 'softCosts') ?? 0
  const contingency = numberAt(given, 'contingency')
  const { loanToCostPct, drawPct, pointsPct, propertyTaxPct, insurancePct } = assumptions
  return {
    terms: {
      // A sold home keeps the price it was assessed at.
      priceUsd: price ?? capital - hardCost - softCosts - (demoCost ?? 0),
      buildSqft,
      arvPerSqft,
      costPerSqft,
      demoCost: demoCost ?? 0,
      sellingCostPct: sellingCostPct ?? assumptions.sellingCostPct,
      contingencyPct:
        numberAt(given, 'contingencyPct') ??
        (contingency === undefined ? assumptions.contingencyPct : Math.round((1000 * contingency) / hardCost) / 10),
      months: months ?? assumptions.months,
      ratePct: ratePct ?? assumptions.ratePct,
    },
    loan: {
      softCostPct: (100 * softCosts) / hardCost,
      loanToCostPct,
      drawPct,
      pointsPct,
      propertyTaxPct,
      insurancePct,
    },
    shrinkWeight: numberAt(given, 'shrinkWeight') ?? 1,
    marketMeanRoiPct: numberAt(given, 'marketMeanRoiPct') ?? 0,
    targetRoiPct: assumptions.targetRoiPct,
  }
}

interface Slider {
  name: keyof ProformaTerms
  label: string
  min: number
  max: number
  step: number
  value: number
  shown: string
}

const slidersFor = (terms: ProformaTerms): Slider[] => {
  const around = (value: number, share: number, step: number) => ({
    min: Math.max(step, Math.floor((value * (1 - share)) / step) * step),
    max: Math.ceil((value * (1 + share)) / step) * step,
    step,
    value,
  })
  const [leastCost, mostCost] = assumptionTable.costPerSqft.range
  return [
    { name: 'priceUsd', label: 'Price', ...around(terms.priceUsd, 0.4, 5_000), shown: usdShort(terms.priceUsd) },
    {
      name: 'costPerSqft',
      label: 'Cost per sq ft',
      min: Math.min(leastCost, terms.costPerSqft),
      max: Math.max(mostCost, terms.costPerSqft),
      step: 5,
      value: terms.costPerSqft,
      shown: usd(terms.costPerSqft),
    },
    {
      name: 'buildSqft',
      label: 'Size',
      ...around(terms.buildSqft, 0.5, 10),
      shown: `${terms.buildSqft.toLocaleString('en-US')} sq ft`,
    },
    {
      name: 'arvPerSqft',
      label: 'Resale per sq ft',
      ...around(terms.arvPerSqft, 0.4, 5),
      shown: usd(terms.arvPerSqft),
    },
    { name: 'months', label: 'Time', min: 6, max: 48, step: 1, value: terms.months, shown: `${terms.months} months` },
    {
      name: 'ratePct',
      label: 'Loan rate',
      min: 0,
      max: 18,
      step: 0.25,
      value: terms.ratePct,
      shown: `${terms.ratePct} %`,
    },
  ]
}

const slider = ({ name, label, min, max, step, value, shown }: Slider): Html =>
  html`<label><span>${label}</span><output data-for="${name}">${shown}</output><input type="range" name="${name}" min="${min}" max="${max}" step="${step === 0.25 || Number.isInteger(value / step) ? step : 'any'}" value="${value}"></label>`

const reasons: Record<string, string> = {
  NO_LOT_SIZE: 'The lot size is not known, so neither is what may be built.',
  NO_ZONING: 'The zoning of this parcel gives no building envelope we can rely on.',
  NOT_SINGLE_FAMILY: 'It is not a single-family home: it is not torn down and rebuilt alone.',
  TOO_FEW_COMPS: 'There are too few comparable sales to say what a new house would sell for.',
  NO_PRICE: 'It is not for sale, so there is no price to start from.',
  HISTORIC_BLOCKED: 'It is historic: replacing it would hardly be allowed.',
}

const unmodelled = (reason: string | undefined): Html =>
  html`<section class="proforma"><h2>Build and sell</h2><p class="unmodelled"><b>Not modelled.</b> ${reason === undefined ? 'Not enough is known.' : (reasons[reason] ?? sentence(words(reason)))}</p></section>`
