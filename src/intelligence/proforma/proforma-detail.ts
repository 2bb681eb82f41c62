// The full pro forma of one property: line items, low/base/high cases, stress table, residual land value, maximum offer.

import { pick } from '../../common/typed.ts'
import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Confidence } from '../../domain/facts.ts'
import type { ProformaAnswer, ProformaCase, ProformaLine, StressRow } from '../../domain/findings/proforma.ts'
import { decimal, sqft, usd } from '../scores/number-format.ts'
import { type ProformaInput, type ProformaResult, proforma, resaleConfidence } from './proforma.ts'
import { addedSqft, computeProforma, type ProformaTerms, priceForReturn } from './proforma-arithmetic.ts'
import { movedTerms, shifted } from './proforma-cases.ts'
import { lineDefaults } from './proforma-defaults.ts'
import { type LineTexts, oneDecimal, type ProjectLine, projectLines } from './project.ts'

/** What the wire's answer adds to the result, and the terms it was computed from. */
type ProformaDetail = ProformaResult &
  Pick<
    ProformaAnswer,
    'lines' | 'totalCost' | 'profit' | 'returnOnEquityPct' | 'cases' | 'stress' | 'residualLandValue' | 'maximumOffer'
  >

const stressSteps = {
  resalePct: [-15, -10, -5, 0, 5],
  costPct: [0, 10, 20],
} as const

export function proformaDetail(input: ProformaInput): ProformaDetail {
  const result = proforma(input)
  const { terms, sums } = result
  if (!terms || !sums) return { ...result, lines: [], stress: [] }
  const { assumptions, overrides = {} } = input
  const targetRoiPct = overrides.targetRoiPct ?? assumptions.targetRoiPct
  const offer = aboveZero(priceForReturn(terms, assumptions, targetRoiPct))
  return {
    ...result,
    lines: withDefaults(
      projectLines(sums, houseLineTexts(terms, assumptions), assumptions, terms.sellingCostPct !== undefined),
      lineDefaults(result.proforma.defaults ?? [], { months: input.changed?.months, ...overrides }),
    ),
    totalCost: sums.totalCost,
    profit: sums.profit,
    // Infinite when everything is borrowed, as with a price of a dollar.
    returnOnEquityPct: Number.isFinite(sums.returnOnEquityPct) ? oneDecimal(sums.returnOnEquityPct) : undefined,
    cases: casesOf(terms, assumptions, resaleConfidence(input.comps, terms.buildSqft), targetRoiPct),
    stress: stressOf(terms, assumptions, input.permit?.delayMonths),
    residualLandValue: priceForReturn(terms, assumptions, 0),
    maximumOffer: { targetRoiPct, price: offer, priceAfterCarry: offer },
  }
}

const withDefaults = (lines: readonly ProjectLine[], defaults: ReturnType<typeof lineDefaults>): ProformaLine[] =>
  lines.map((line) => (defaults[line.name].length > 0 ? { ...line, defaults: defaults[line.name] } : line))

export const houseLineTexts = (terms: ProformaTerms, assumptions: Assumptions): LineTexts => ({
  hardCost: `${sqft(terms.buildSqft)} × ${usd(terms.costPerSqft)} per sq ft`,
  softCosts: softCostText(terms, assumptions),
  demoCost: terms.demoCost > 0 ? 'demolition of the existing house' : 'nothing is demolished',
  contingency: `${decimal(terms.contingencyPct)}% of the hard cost`,
  resaleGross: `${sqft(terms.buildSqft)} × ${usd(terms.arvPerSqft)} per sq ft`,
})

const softCostText = (terms: ProformaTerms, { softCostPct, impactFeesPerSqft }: Assumptions): string => {
  if (terms.softCosts !== undefined) return 'entered by the user'
  const added = addedSqft(terms)
  const text = `${softCostPct}% of the hard cost`
  return impactFeesPerSqft > 0 && added > 0
    ? `${text}, and fees of $${decimal(impactFeesPerSqft)} per sq ft on ${sqft(added)} added`
    : text
}

function casesOf(terms: ProformaTerms, assumptions: Assumptions, comps: Confidence, targetPct: number) {
  const offered = (caseTerms: ProformaTerms): ProformaCase => ({
    ...caseOf(caseTerms, assumptions),
    maximumOffer: aboveZero(priceForReturn(caseTerms, assumptions, targetPct)),
  })
  const moved = (sign: -1 | 1) => offered(movedTerms(terms, assumptions, comps, sign))
  return { low: moved(-1), base: offered(terms), high: moved(1) }
}

/**
 * Every combination of lower resale, higher cost and delay, because they often happen together. The delay is that of a permit that
 * takes longer than nine of ten, where that is measured.
 */
function stressOf(terms: ProformaTerms, assumptions: Assumptions, delay = 6): StressRow[] {
  return stressSteps.resalePct.flatMap((resalePct) =>
    stressSteps.costPct.flatMap((costPct) =>
      [0, delay, delay + 6].map((extraMonths) => ({
        resalePct,
        costPct,
        extraMonths,
        ...caseOf({ ...shifted(terms, resalePct, costPct), ...permittedLater(terms, extraMonths) }, assumptions),
      })),
    ),
  )
}

const permittedLater = ({ months, phases }: ProformaTerms, extraMonths: number) => ({
  months: months + extraMonths,
  phases: { ...phases, permit: phases.permit + extraMonths },
})

function caseOf(terms: ProformaTerms, assumptions: Assumptions): ProformaCase {
  const sums = computeProforma(terms, assumptions)
  return {
    ...pick(terms, 'arvPerSqft', 'costPerSqft', 'months'),
    ...pick(sums, 'capital', 'resaleNet', 'roiPct'),
    returnPct: oneDecimal(sums.returnPct),
    returnAfterCarryPct: oneDecimal(sums.returnPct),
  }
}

function aboveZero(price: number): number | undefined {
  return price > 0 ? price : undefined
}
