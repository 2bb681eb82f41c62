// The sliders of the pro forma: recompute it in the browser with the same arithmetic as the service.

import { replacedAssumptions } from '../../contract/replaced-assumptions.ts'
import {
  type CostTerms,
  computeProforma,
  type ProformaTerms,
  priceForReturn,
} from '../../intelligence/proforma-arithmetic.ts'
import { lineDefaults, returnBeforeFinancingUsesDefault } from '../../intelligence/proforma-defaults.ts'
import { waterfallRows, waterfallSteps } from '../charts/waterfall.ts'
import { percent, usd, usdShort } from '../formats.ts'
import { textOf } from '../html.ts'

interface ProformaData {
  terms: ProformaTerms
  costs: CostTerms
  shrinkWeight: number
  marketMeanRoiPct: number
  targetRoiPct: number
  defaults: readonly string[]
}

const start = (data: ProformaData, sliders: HTMLFormElement, waterfall: HTMLElement): void => {
  sliders.hidden = false
  const inputs = [...sliders.querySelectorAll<HTMLInputElement>('input[type=range]')]

  const update = () => {
    const terms = { ...data.terms }
    for (const input of inputs) {
      const name = input.name as keyof ProformaTerms
      terms[name] = Number(input.value)
      setText(`[data-for="${name}"]`, formats[name]?.(terms[name]!) ?? input.value)
    }
    const result = computeProforma(terms, data.costs)
    const { returnPct } = result
    const maxOffer = priceForReturn(terms, data.costs, data.targetRoiPct)
    setText('[data-out=return]', percent(returnPct))
    setText(
      '[data-out=adjusted]',
      percent(data.shrinkWeight * returnPct + (1 - data.shrinkWeight) * data.marketMeanRoiPct),
    )
    setText('[data-out=before-financing]', percent(result.roiPct))
    setText('[data-out=offer]', maxOffer > 0 ? usd(maxOffer) : 'none')
    const changed = inputs.filter((input) => Number(input.value) !== Number(input.dataset.default))
    document.querySelector('[data-changed]')?.toggleAttribute('hidden', changed.length === 0)
    keepInUrl(inputs, changed)
    const replaced: readonly string[] = replacedAssumptions(
      Object.fromEntries(changed.map((input) => [input.name, Number(input.value)])),
    )
    const defaults = data.defaults.filter((name) => !replaced.includes(name))
    waterfall.innerHTML = textOf(waterfallRows(waterfallSteps(result, terms, lineDefaults(defaults))))
    showDefaults(defaults)
  }

  sliders.addEventListener('input', update)
  sliders.addEventListener('reset', (event) => {
    event.preventDefault()
    for (const input of inputs) input.value = input.dataset.default ?? input.value
    update()
  })
}

/** Lists only the defaults that the visitor has not replaced. */
const showDefaults = (defaults: readonly string[]): void => {
  for (const item of document.querySelectorAll<HTMLElement>('#defaults [data-default-name]'))
    item.hidden = !defaults.includes(item.dataset.defaultName ?? '')
  for (const element of document.querySelectorAll('[data-uses-defaults=all], #defaults'))
    element.toggleAttribute('hidden', defaults.length === 0)
  document
    .querySelector('[data-uses-defaults=before-financing]')
    ?.toggleAttribute('hidden', !returnBeforeFinancingUsesDefault(defaults))
}

/** The URL always describes the figures on the page, so that it can be shared. */
const keepInUrl = (inputs: readonly HTMLInputElement[], changed: readonly HTMLInputElement[]): void => {
  const url = new URL(location.href)
  for (const input of inputs) url.searchParams.delete(parameterOf(input))
  for (const input of changed) url.searchParams.set(parameterOf(input), input.value)
  // A property that is not for sale has no price of its own, so its scenario always names one.
  const price = inputs.find(({ name }) => name === 'priceUsd')
  if (price && document.querySelector('[data-own-price]')) url.searchParams.set('price', price.value)
  history.replaceState(null, '', url)
}

const parameterOf = ({ name }: HTMLInputElement): string => (name === 'priceUsd' ? 'price' : name)

const formats: Partial<Record<keyof ProformaTerms, (value: number) => string>> = {
  priceUsd: usdShort,
  costPerSqft: usd,
  arvPerSqft: usd,
  buildSqft: (value) => `${Math.round(value).toLocaleString('en-US')} sq ft`,
  months: (value) => `${value} months`,
  ratePct: (value) => `${value}%`,
}

const setText = (selector: string, text: string): void => {
  const element = document.querySelector(selector)
  if (element) element.textContent = text
}

// Wide screens show every part, so that screen readers also find them open.
if (matchMedia('(min-width: 40.01rem)').matches)
  for (const part of document.querySelectorAll<HTMLDetailsElement>('details.fold')) part.open = true

const block = document.getElementById('proforma-data')
const form = document.querySelector<HTMLFormElement>('[data-sliders]')
const rows = document.querySelector<HTMLElement>('[data-waterfall]')
if (block && form && rows) start(JSON.parse(block.textContent ?? '') as ProformaData, form, rows)
