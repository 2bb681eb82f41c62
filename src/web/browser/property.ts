// The sliders: the service's own arithmetic, run again with what the reader sets.
import {
  computeProforma,
  type LoanTerms,
  type ProformaTerms,
  priceForRoi,
} from '../../intelligence/proforma-arithmetic.ts'
import { waterfallRows, waterfallSteps } from '../charts/waterfall.ts'
import { percent, usd, usdShort } from '../formats.ts'
import { textOf } from '../html.ts'

interface ProformaData {
  terms: ProformaTerms
  loan: LoanTerms
  shrinkWeight: number
  marketMeanRoiPct: number
  targetRoiPct: number
}

const block = document.getElementById('proforma-data')
const form = document.querySelector<HTMLFormElement>('[data-sliders]')
const rows = document.querySelector<HTMLElement>('[data-waterfall]')
if (block && form && rows) start(JSON.parse(block.textContent ?? '') as ProformaData, form, rows)

function start(data: ProformaData, sliders: HTMLFormElement, waterfall: HTMLElement): void {
  sliders.hidden = false
  const inputs = [...sliders.querySelectorAll<HTMLInputElement>('input[type=range]')]

  const redo = () => {
    const terms = { ...data.terms }
    for (const input of inputs) {
      const name = input.name as keyof ProformaTerms
      terms[name] = Number(input.value)
      setText(`[data-for="${name}"]`, sayings[name]?.(terms[name]!) ?? input.value)
    }
    const sums = computeProforma(terms, data.loan)
    const own = (100 * sums.profit) / sums.totalCost
    const offer = priceForRoi(terms, data.loan, data.targetRoiPct)
    setText('[data-out=roi]', percent(sums.roiPct))
    setText('[data-out=own]', percent(own))
    setText('[data-out=developer]', percent(data.shrinkWeight * own + (1 - data.shrinkWeight) * data.marketMeanRoiPct))
    setText('[data-out=offer]', offer > 0 ? usd(offer) : 'nothing')
    const changed = inputs.some((input) => input.value !== input.defaultValue)
    document.querySelector('[data-changed]')?.toggleAttribute('hidden', !changed)
    waterfall.innerHTML = textOf(waterfallRows(waterfallSteps(sums, terms)))
  }

  sliders.addEventListener('input', redo)
  // The fields take their first values only after the event.
  sliders.addEventListener('reset', () => setTimeout(redo))
}

const sayings: Partial<Record<keyof ProformaTerms, (value: number) => string>> = {
  priceUsd: usdShort,
  costPerSqft: usd,
  arvPerSqft: usd,
  buildSqft: (value) => `${Math.round(value).toLocaleString('en-US')} sq ft`,
  months: (value) => `${value} months`,
  ratePct: (value) => `${value} %`,
}

function setText(selector: string, text: string): void {
  const element = document.querySelector(selector)
  if (element) element.textContent = text
}
