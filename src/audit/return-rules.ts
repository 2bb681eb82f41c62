// The pro forma: its lines sum, one return is served everywhere, and the maximum offer returns its target.
import type { Proforma } from '../domain/findings/proforma.ts'
import type { DeepPartial } from './records.ts'
import { dollars, follows, near, percentOf, propertyRules, same, unless, unlessAll } from './rule.ts'

const isModeled = (proforma: DeepPartial<Proforma> | undefined): proforma is DeepPartial<Proforma> =>
  proforma !== undefined && proforma.unmodellableReason === null

/** Rounded to dollars and to one decimal of a percent. */
const dollarRounding = 2
const percentRounding = 0.06

const carryOf = ({ carry }: NonNullable<DeepPartial<Proforma>['assumptions']>): number | undefined =>
  carry && (carry.interest ?? 0) + (carry.points ?? 0) + (carry.tax ?? 0) + (carry.insurance ?? 0)

export const returnRules = propertyRules({
  'pro-forma-arithmetic: Capital, net resale and returns follow from the lines of the pro forma.': (record) => {
    const { proforma, price } = record.detail
    if (!isModeled(proforma)) return []
    const { buildSqft, arvPerSqft, capital, resaleNet, roiPct, returnPct, assumptions = {} } = proforma
    const { costPerSqft, softCosts, demoCost, sellingCostPct, acquisition = 0, contingency = 0 } = assumptions
    if (
      price === undefined ||
      buildSqft === undefined ||
      arvPerSqft === undefined ||
      costPerSqft === undefined ||
      sellingCostPct === undefined ||
      capital === undefined ||
      resaleNet === undefined
    )
      return ['a term of the pro forma is missing']
    const spent = price + buildSqft * costPerSqft + (softCosts ?? 0) + (demoCost ?? 0)
    const received = buildSqft * arvPerSqft * (1 - sellingCostPct / 100)
    const after = acquisition + contingency + (carryOf(assumptions) ?? 0)
    const earned = (100 * (resaleNet - capital - after)) / (capital + after)
    return unlessAll({
      [`capital is ${dollars(capital)}, its lines sum to ${dollars(spent)}`]: near(capital, spent, dollarRounding),
      ...follows('resaleNet', resaleNet, received, dollarRounding),
      [`roiPct ${percentOf(roiPct)} does not follow from capital and resaleNet`]: near(
        roiPct,
        (100 * (resaleNet - capital)) / capital,
        percentRounding,
      ),
      [`returnPct is ${percentOf(returnPct)}, the costs give ${percentOf(earned)}`]:
        returnPct !== undefined && near(returnPct, earned, percentRounding),
    })
  },
  'one-return: The same returnPct is served in lists, details, pro formas and what-if answers.': (record) => {
    const { detail, signal, whatIf } = record
    if (!isModeled(detail.proforma)) return []
    const { profit, totalCost } = whatIf ?? {}
    const { shrinkWeight, marketMeanRoiPct } = detail.proforma.assumptions ?? {}
    const { returnPct } = detail.proforma
    const adjusted =
      shrinkWeight === undefined || marketMeanRoiPct === undefined || returnPct === undefined
        ? undefined
        : shrinkWeight * returnPct + (1 - shrinkWeight) * marketMeanRoiPct
    return [
      ...unless(returnPct !== undefined, 'no returnPct is served'),
      ...same('returnPct', {
        'pro forma': returnPct,
        detail: detail.intelligence?.returnPct,
        list: signal?.returnPct,
        'what-if': whatIf?.returnPct,
      }),
      ...same('returnAtExpectedPct', {
        'pro forma': detail.proforma.returnAtExpectedPct,
        detail: detail.intelligence?.returnAtExpectedPct,
        list: signal?.returnAtExpectedPct,
        'what-if': whatIf?.returnAtExpectedPct,
      }),
      ...same('proformaROI', {
        'pro forma': detail.proforma.roiPct,
        detail: detail.intelligence?.proformaROI,
        list: signal?.proformaROI,
      }),
      ...same('developerROI', { detail: detail.intelligence?.developerROI, list: signal?.developerROI }),
      ...unlessAll({
        [`returnPct ${percentOf(whatIf?.returnPct)} is not profit over total cost`]:
          profit === undefined ||
          totalCost === undefined ||
          near(whatIf?.returnPct, (100 * profit) / totalCost, percentRounding),
        [`developerROI is ${percentOf(detail.intelligence?.developerROI)}, its weights give ${percentOf(adjusted)}`]:
          near(detail.intelligence?.developerROI, adjusted, 0.15),
      }),
    ]
  },
  'maximum-offer: At the maximum offer, the return is the target within 0.1 percentage points.': (record) => {
    const { whatIf, atMaximumOffer } = record
    const { price, targetRoiPct } = whatIf?.maximumOffer ?? {}
    if (price === undefined || targetRoiPct === undefined || !atMaximumOffer) return []
    const earned = atMaximumOffer.returnPct
    return unless(
      earned !== undefined && near(earned, targetRoiPct, 0.1),
      `the maximum offer of ${dollars(price)} returns ${percentOf(earned)} instead of ${targetRoiPct}%`,
    )
  },
  /** Each month costs interest, tax and insurance. */
  'stress-delay: In the stress table, a longer delay never raises the return.': ({ whatIf }) => {
    const rows = [...(whatIf?.stress ?? [])].sort((a, b) => (a.extraMonths ?? 0) - (b.extraMonths ?? 0))
    if (rows.length === 0) return []
    if (rows.some(({ returnPct }) => returnPct === undefined))
      return ['the stress table has no returnPct, so a delay does not change the return it shows']
    const lastOf = new Map<string, number>()
    for (const { resalePct, costPct, extraMonths, returnPct = 0 } of rows) {
      const scenario = `${resalePct}% resale, ${costPct}% cost`
      const before = lastOf.get(scenario)
      // Two months of taxes change a deep loss by less than the tenth of a point that is served.
      if (before !== undefined && returnPct > before)
        return [`${extraMonths} extra months return ${percentOf(returnPct)}, more than the shorter delay (${scenario})`]
      lastOf.set(scenario, returnPct)
    }
    return []
  },
  'no-smaller-house: A modeled new house is not smaller than the existing house.': (record) => {
    const { proforma, facts } = record.detail
    const existing = facts?.livingSqft
    if (!isModeled(proforma) || existing === undefined || proforma.buildSqft === undefined) return []
    return unless(
      proforma.buildSqft >= existing,
      `the new house of ${proforma.buildSqft} sq ft is smaller than the existing ${existing} sq ft`,
    )
  },
})
