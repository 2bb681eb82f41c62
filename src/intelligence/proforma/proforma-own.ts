// A stored pro forma computed again with a caller's own assumptions, by the same arithmetic.

import type { SearchRow, StoredDeal } from '../../criteria/conditions.ts'
import type { OwnRows } from '../../criteria/own-assumptions.ts'
import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import { replacedAssumptions } from '../../domain/assumptions/replaced-assumptions.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { Proforma } from '../../domain/findings/proforma.ts'
import type { MarketPack } from '../../domain/packs/pack.ts'
import { costBasis, type NewHousePlan, newHouseCostPerSqft } from './new-house.ts'
import { adjusted, demolitionCost, type ProformaResult, servedProforma } from './proforma.ts'
import { computeProforma, type ProformaTerms, returnAtExpectedPct } from './proforma-arithmetic.ts'
import { oneDecimal, sellingCostPctAt } from './project.ts'
import { newHouseDuration, type PermitTimes, type ProjectAssumptions, projectAssumptions } from './project-duration.ts'

export type DealTerms = ReturnType<typeof dealTerms>

/** What of a stored pro forma does not depend on assumptions. */
export const dealTerms = (priceUsd: number, deal: StoredDeal) => {
  const [existingSqft, isVacant, buildSqft, arvPerSqft, shrinkWeight, mean, expected, most, stories, slope] = deal
  return {
    priceUsd,
    expectedUsd: expected ?? undefined,
    /** Living area of the house to demolish; 0 if there is none or its size is unknown. */
    existingSqft,
    isVacant: isVacant === 1,
    /** The size built at the market's assumptions, and the largest that zoning and sales allow. */
    buildSqft,
    mostSqft: most ?? undefined,
    arvPerSqft,
    shrinkWeight,
    marketMeanRoiPct: mean ?? undefined,
    /** Of the new house and its lot; two and flat where an earlier version stored none. */
    stories: stories ?? undefined,
    slopePct: slope ?? undefined,
  }
}

const houseOf = (deal: DealTerms, { buildSizeMultiple }: Assumptions): NewHousePlan => ({
  sqft:
    deal.mostSqft === undefined || deal.existingSqft === 0
      ? deal.buildSqft
      : Math.min(deal.mostSqft, Math.round(buildSizeMultiple * deal.existingSqft)),
  stories: deal.stories,
  slopePct: deal.slopePct,
})

const termsOf = (deal: DealTerms, { assumptions, permit }: ProjectAssumptions): ProformaTerms => {
  const house = houseOf(deal, assumptions)
  const { months, phases } = newHouseDuration(house, assumptions, permit)
  return {
    priceUsd: deal.priceUsd,
    expectedUsd: deal.expectedUsd,
    buildSqft: house.sqft,
    arvPerSqft: deal.arvPerSqft,
    existingSqft: deal.existingSqft,
    costPerSqft: newHouseCostPerSqft(house, assumptions),
    demoCost: deal.isVacant ? 0 : demolitionCost(deal.existingSqft, assumptions),
    contingencyPct: assumptions.contingencyPct,
    months,
    phases,
    ratePct: assumptions.ratePct,
  }
}

const adjustmentOf = ({ shrinkWeight, marketMeanRoiPct }: DealTerms) => ({ shrinkWeight, mean: marketMeanRoiPct })

/** The figures that a list filters and sorts by, rounded as they are served. */
export const ownReturns = (deal: DealTerms, project: ProjectAssumptions) => {
  const { assumptions } = project
  const terms = termsOf(deal, project)
  const sums = computeProforma(terms, assumptions)
  return {
    returnPct: oneDecimal(sums.returnPct),
    /** Null where no price is expected. */
    returnAtExpectedPct: returnAtExpectedPct(terms, assumptions) ?? null,
    developerRoi: adjusted(sums.returnPct, adjustmentOf(deal)),
    proformaRoi: sums.roiPct,
  }
}

/** The whole pro forma, for an answer. */
export const ownProforma = (
  stored: Proforma,
  deal: DealTerms,
  project: ProjectAssumptions,
  changed: ReadonlySet<string>,
  place?: string,
): Pick<ProformaResult, 'proforma' | 'proformaROI' | 'developerROI'> => {
  const { assumptions, permit } = project
  const terms = termsOf(deal, project)
  const house = houseOf(deal, assumptions)
  const sums = computeProforma(terms, assumptions)
  const { defaults: before = [], ...rest } = stored
  const replaced: ReadonlySet<string> = new Set(replacedAssumptions({ costPerSqft: assumptions.costPerSqft }))
  const defaults = before.filter((name) => !changed.has(name) && !replaced.has(name))
  const { costPerSqft, contingencyPct, months, ratePct } = terms
  return servedProforma(
    {
      ...rest,
      ...(defaults.length > 0 && { defaults }),
      buildSqft: terms.buildSqft,
      assumptions: {
        ...stored.assumptions,
        costPerSqft,
        costBasis: costBasis(house, assumptions, place),
        contingencyPct,
        months,
        monthsBasis: newHouseDuration(house, assumptions, permit).basis,
        ratePct,
        sellingCostPct: sellingCostPctAt(sums.resaleGross, assumptions),
      },
    },
    terms,
    sums,
    assumptions,
    adjustmentOf(deal),
  )
}

/** Rows with their returns at own assumptions, by the arithmetic of lists. A row without a deal has none. */
export const ownRows =
  (packOf: (market: MarketId) => MarketPack | undefined): OwnRows =>
  (values, permitTimes) => {
    const byCity = new Map<string, ProjectAssumptions>()
    const rowCache = new WeakMap<SearchRow, SearchRow>()
    return (row) => {
      const known = rowCache.get(row)
      if (known) return known
      const { returnPct: _a, returnAtExpectedPct: _b, developerRoi: _c, proformaRoi: _d, ...numbers } = row.numbers
      const project =
        byCity.get(row.citySlug) ??
        projectAssumptions(packOf(row.market), row.citySlug, permitTimes as PermitTimes | undefined, values)
      byCity.set(row.citySlug, project)
      const returns =
        row.deal && numbers.price !== undefined ? ownReturns(dealTerms(numbers.price, row.deal), project) : undefined
      const ownFields = returns && Object.fromEntries(Object.entries(returns).filter(([, value]) => value !== null))
      const result = { ...row, numbers: { ...numbers, ...ownFields } }
      rowCache.set(row, result)
      return result
    }
  }
