// The pro forma: a waterfall chart, the returns, and sliders that recompute it in the browser.
import { type Assumptions, assumptionsFor, assumptionTable, describeDefaults } from '../../contract/assumptions.ts'
import type { Proforma, UnmodellableReason } from '../../contract/proforma.ts'
import type { PropertyDetail } from '../../contract/property.ts'
import { replacedAssumptions } from '../../contract/replaced-assumptions.ts'
import {
  type CostTerms,
  computeProforma,
  costTermsOf,
  type ProformaTerms,
  priceForReturn,
} from '../../intelligence/proforma-arithmetic.ts'
import { lineDefaults, returnBeforeFinancingUsesDefault } from '../../intelligence/proforma-defaults.ts'
import { waterfallRows, waterfallSteps } from '../charts/waterfall.ts'
import { defaultMark, defaultsList } from '../default-mark.ts'
import { formatReason } from '../finding-labels.ts'
import { capitalized, percent, plural, usd, usdShort } from '../formats.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { isChanged, type Scenario } from './scenario.ts'

/** What the browser needs to recompute the pro forma. */
interface ProformaData {
  terms: ProformaTerms
  costs: CostTerms
  shrinkWeight: number
  marketMeanRoiPct: number
  targetRoiPct: number
  /** Names of the default assumptions in use. */
  defaults: readonly string[]
}

/** Whether the pro forma lacks nothing but a price: the property is not for sale, or its listing has none. */
export const needsPrice = ({ proforma, status }: Pick<PropertyDetail, 'proforma' | 'status'>): boolean =>
  proforma === undefined ? status === undefined : proforma.unmodellableReason === 'NO_PRICE'

/** The return at the price of the property and the most to pay for the target return; undefined where it cannot be computed. */
export const offerOf = ({ proforma, price, city, market }: PropertyDetail) => {
  const model = proforma && proformaData(proforma, price, assumptionsFor(city, market))
  if (!model) return undefined
  const { terms, costs, targetRoiPct: targetPct } = model
  const { returnPct } = computeProforma(terms, costs)
  const maxOffer = priceForReturn(terms, costs, targetPct)
  return { price: terms.priceUsd, returnPct, maxOffer, targetPct, usesDefaults: model.defaults.length > 0 }
}

export const proformaSection = (data: PropertyDetail, scenario: Scenario = {}): Html => {
  const { id, proforma, price, status, city, market, intelligence } = data
  if (needsPrice(data)) return priceForm(id, intelligence.valueEstimate?.value)
  if (!proforma) return html``
  const model = proformaData(proforma, price, assumptionsFor(city, market))
  if (!model) return notModeled(proforma.unmodellableReason, data.explanation?.proforma?.because)
  const { costs, targetRoiPct } = model
  const terms = { ...model.terms, ...termsOf(scenario) }
  const result = computeProforma(terms, costs)
  const { returnPct } = result
  const adjustedPct = model.shrinkWeight * returnPct + (1 - model.shrinkWeight) * model.marketMeanRoiPct
  const maxOffer = priceForReturn(terms, costs, targetRoiPct)
  const replaced: readonly string[] = replacedAssumptions(scenario)
  const defaults = model.defaults.filter((name) => !replaced.includes(name))
  const markOf = (figure: 'all' | 'before-financing', isUsed: boolean) =>
    html`<span data-uses-defaults="${figure}"${isUsed ? '' : html` hidden`}>${defaultMark(true)}</span>`
  const mark = markOf('all', defaults.length > 0)
  return html`<section class="proforma" id="proforma"${status ? '' : html` data-own-price`}><h2>Pro forma: build and sell</h2>
${status ? '' : html`<p class="note">This property is not for sale. The price is yours; change it with the slider.</p>`}
<p class="note" data-changed${isChanged(scenario) ? '' : html` hidden`}>You changed the assumptions. The address of this page contains your scenario, so you can share it. Press Reset to see the original figures.</p>
<p class="note">${formatReason(capitalized(proforma.assumptions.buildSizeBasis ?? 'build size from zoning'))}. The resale value is based on ${plural(proforma.compCount, 'sale')} of new, renovated or top-priced homes.</p>
<div class="proforma-grid"><div>
<table class="waterfall" aria-label="Pro forma"><tbody data-waterfall>${waterfallRows(waterfallSteps(result, terms, lineDefaults(defaults)))}</tbody></table>
${defaultsList(describeDefaults(model.defaults), 'defaults', defaults)}
</div><div class="levers">
<dl class="results">
<div><dt>Return on total cost${mark}</dt><dd data-out="return">${percent(returnPct)}</dd></div>
<div><dt>Return, adjusted toward the market average${mark}</dt><dd data-out="adjusted">${percent(adjustedPct)}</dd></div>
<div><dt>Return before buying costs, contingency and financing${markOf('before-financing', returnBeforeFinancingUsesDefault(defaults))}</dt><dd data-out="before-financing">${percent(result.roiPct)}</dd></div>
<div><dt>Maximum offer for a ${targetRoiPct}% return${mark}</dt><dd data-out="offer">${maxOffer > 0 ? usd(maxOffer) : 'none'}</dd></div></dl>
<form class="sliders" data-sliders hidden>${slidersFor(model.terms).map((each) => slider(each, terms[each.name] ?? each.value))}<button type="reset" class="button quiet">Reset</button></form>
<noscript><p class="note">To change the assumptions, enable JavaScript, add them to the address of this page (for example <code>?price=2000000&amp;months=18</code>), or call <a href="/docs/reference#run_proforma">the API</a>.</p></noscript>
</div></div>
<p class="note">Adjusted return = ${model.shrinkWeight.toFixed(2)} × return on total cost + ${(1 - model.shrinkWeight).toFixed(2)} × market average of ${percent(model.marketMeanRoiPct)}. The better the comparable sales, the more the property’s own return counts.</p>
${dataBlock('application/json', model, 'proforma-data')}</section>`
}

const proformaData = (
  { buildSqft, arvPerSqft, capital, unmodellableReason, assumptions, defaults = [] }: Proforma,
  price: number | undefined,
  own: Assumptions,
): ProformaData | undefined => {
  if (unmodellableReason || !buildSqft || !arvPerSqft || !capital) return undefined
  const { costPerSqft, softCosts = 0, demoCost = 0, shrinkWeight = 1, marketMeanRoiPct = 0 } = assumptions
  const { existingSqft = buildSqft, contingencyPct, months, ratePct } = assumptions
  const hardCost = Math.round(buildSqft * costPerSqft)
  return {
    terms: {
      // A sold home keeps the price it was scored with.
      priceUsd: price ?? capital - hardCost - softCosts - demoCost,
      ...{ buildSqft, existingSqft, arvPerSqft, costPerSqft, demoCost, contingencyPct, months, ratePct },
    },
    costs: costTermsOf(own),
    ...{ shrinkWeight, marketMeanRoiPct, targetRoiPct: own.targetRoiPct, defaults },
  }
}

interface Slider {
  name: keyof ProformaTerms
  label: string
  min: number
  max: number
  step: number
  value: number
  format(value: number): string
}

const slidersFor = (terms: ProformaTerms): Slider[] => {
  const rangeAround = (value: number, share: number, step: number) => ({
    min: Math.max(step, Math.floor((value * (1 - share)) / step) * step),
    max: Math.ceil((value * (1 + share)) / step) * step,
    step,
    value,
  })
  const [minCost, maxCost] = assumptionTable.costPerSqft.range
  return [
    {
      name: 'priceUsd',
      label: 'Purchase price',
      ...rangeAround(terms.priceUsd, 0.4, 5_000),
      format: usdShort,
    },
    {
      name: 'costPerSqft',
      label: 'Construction cost per sq ft',
      min: Math.min(minCost, terms.costPerSqft),
      max: Math.max(maxCost, terms.costPerSqft),
      step: 5,
      value: terms.costPerSqft,
      format: usd,
    },
    {
      name: 'buildSqft',
      label: 'House size',
      ...rangeAround(terms.buildSqft, 0.5, 10),
      format: (value) => `${Math.round(value).toLocaleString('en-US')} sq ft`,
    },
    {
      name: 'arvPerSqft',
      label: 'Resale price per sq ft',
      ...rangeAround(terms.arvPerSqft, 0.4, 5),
      format: usd,
    },
    {
      name: 'months',
      label: 'Project duration',
      min: 6,
      max: 48,
      step: 1,
      value: terms.months,
      format: (value) => `${value} months`,
    },
    {
      name: 'ratePct',
      label: 'Loan interest rate',
      min: 0,
      max: 18,
      step: 0.25,
      value: terms.ratePct,
      format: (value) => `${value}%`,
    },
  ]
}

/** Starts at the scenario; Reset returns to `data-default`. */
const slider = ({ name, label, min, max, step, value, format }: Slider, current: number): Html => {
  const whole = [value, current].every((each) => Number.isInteger(each / step))
  return html`<label><span>${label}</span><output data-for="${name}">${format(current)}</output><input type="range" name="${name}" min="${Math.min(min, current)}" max="${Math.max(max, current)}" step="${step === 0.25 || whole ? step : 'any'}" value="${current}" data-default="${value}"></label>`
}

const termsOf = ({ price, ...rest }: Scenario): Partial<ProformaTerms> =>
  price === undefined ? rest : { ...rest, priceUsd: price }

const priceForm = (id: string, value: number | undefined): Html => {
  const path = `/properties/${encodeURIComponent(id)}`
  return html`<section class="proforma" id="proforma"><h2>Pro forma: build and sell</h2>
<p>This property is not for sale. Enter the price you would pay to see what a new house here would earn.</p>
<form class="find-box" method="get" action="${path}#proforma"><label for="own-price">Purchase price</label>
<div><input id="own-price" name="price" inputmode="decimal" placeholder="${value === undefined ? '$2M' : usdShort(value)}" required><button class="button">Compute</button></div></form>
${value === undefined ? '' : html`<p><a href="${path}?price=${Math.round(value)}#proforma">Use the estimated value of ${usdShort(value)}</a></p>`}</section>`
}

const reasons: Record<UnmodellableReason, string> = {
  NO_LOT_SIZE: 'The lot size is unknown, so the allowed building size is unknown too.',
  NO_ZONING: 'The building limits of this parcel are not known.',
  NOT_SINGLE_FAMILY: 'This is not a single-family home, so it cannot be rebuilt on its own.',
  TOO_FEW_COMPS: 'There are too few comparable sales to estimate the resale price of a new house.',
  NO_PRICE: 'The purchase price is not known.',
  HISTORIC_BLOCKED: 'The house is historic, so the city is unlikely to allow its replacement.',
}

const notModeled = (reason: UnmodellableReason | null, because: string | undefined): Html => {
  // Either no rules are known for the district, or they allow no larger house: the finding says which.
  const text = reason === 'NO_ZONING' && because ? because : reason && reasons[reason]
  return html`<section class="proforma"><h2>Pro forma: build and sell</h2><p class="not-modeled"><b>No pro forma.</b> ${text ?? 'Too little data is available.'}</p></section>`
}
