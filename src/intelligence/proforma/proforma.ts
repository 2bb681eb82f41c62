// The return on tearing down a house and building a new one, in whole dollars; a caller may replace every term.

import { pick } from '../../common/typed.ts'
import type { OwnValues } from '../../criteria/own-assumptions.ts'
import { type Assumptions, defaultedAssumptions } from '../../domain/assumptions/assumptions.ts'
import type { Confidence, ParcelFacts } from '../../domain/facts.ts'
import type { Envelope } from '../../domain/findings/building-envelope.ts'
import type { ResaleComps } from '../../domain/findings/decision.ts'
import type { ExpectedPrice, Proforma, ProformaOverrides, UnmodellableReason } from '../../domain/findings/proforma.ts'
import type { NewHouseLimit } from '../../domain/findings/redevelopment.ts'
import { inMarket, type MarketPack } from '../../domain/packs/pack.ts'
import { lowestConfidence, oneLevelLower } from '../scores/confidence.ts'
import { plural, sqft } from '../scores/number-format.ts'
import { buildSize } from '../site/allowable-area.ts'
import { historicDoubt, historicStatus } from '../site/historic-doubt.ts'
import { isVacantLot, type VacantLotFacts } from '../site/vacant-lot.ts'
import { costBasis, type NewHousePlan, newHouseCostPerSqft, referenceHouse } from './new-house.ts'
import { computeProforma, type ProformaTerms, returnAtExpectedPct } from './proforma-arithmetic.ts'
import { newHouseOffers } from './proforma-cases.ts'
import { unusedAssumptions } from './proforma-defaults.ts'
import { oneDecimal, type ProformaSums, sellingCostPctAt } from './project.ts'
import { newHouseDuration, type PermitTiming, type ProjectDuration, unmeasuredPermit } from './project-duration.ts'

export const noComps: ResaleComps = { compCount: 0, confidence: 'low' }

export interface ProformaInput {
  /** Undefined for a market without a pack. */
  pack: Pick<MarketPack, 'market' | 'assumptions'> | undefined
  facts: Pick<ParcelFacts, 'lotSqft' | 'overlays' | 'zoning' | 'slopePct'> &
    Partial<Pick<ParcelFacts, 'city'>> &
    VacantLotFacts
  priceUsd?: number
  expectedPrice?: ExpectedPrice
  envelope: Envelope
  /** The largest new house that the market has seen. */
  newHouses?: NewHouseLimit
  comps: ResaleComps
  /** Mean of `returnPct` over the market. Without it the return is not adjusted toward the market. */
  marketMeanRoiPct?: number
  /** Design and the time to the permit in this city. Defaults to the assumption for cities where it is not measured. */
  permit?: PermitTiming
  assumptions: Assumptions
  /** The assumptions that are the caller's own, so that they are no defaults. */
  changed?: OwnValues
  overrides?: ProformaOverrides
  /** Computes only the house and the reason why it cannot be modeled, without sums and offers. */
  isOutline?: boolean
}

export interface ProformaResult {
  proforma: Proforma
  /** Equal to `proforma.roiPct`. */
  proformaROI?: number
  developerROI?: number
  /** Before adjustment toward the market average, which is the mean of these. */
  returnPct?: number
  /** The house that could be built, even if no return can be computed. Without a price, its price is 0. */
  house?: ProformaTerms
  /** The terms and sums behind the figures; absent when it cannot be modeled. */
  terms?: ProformaTerms
  sums?: ProformaSums
  used: readonly string[]
  missing: readonly string[]
  warnings: readonly string[]
  /** `unmodellableReason` in words. */
  because?: string
}

export function proforma(input: ProformaInput): ProformaResult {
  const { facts, comps, assumptions, overrides = {} } = input
  const size =
    overrides.buildSqft === undefined
      ? buildSize(input.envelope, facts.livingSqft, assumptions, input.newHouses)
      : { sqft: Math.round(overrides.buildSqft), capped: false, basis: 'build size entered by the user' }
  const existingSqft = isVacantLot(facts) ? 0 : (facts.livingSqft ?? 0)
  const arv = overrides.arvPerSqft ?? (comps.compCount >= assumptions.minComps ? comps.arvPerSqft : undefined)
  const arvPerSqft = arv === undefined ? undefined : Math.round(arv)
  const price = priceOf(input)
  const callerTerms = givenTerms(input)
  const house = newHouseOf(input, size.sqft)
  const duration = durationOf(input, house)
  const unused = unusedAssumptions({
    overrides: callerTerms,
    sizeCapped: size.capped ?? false,
    isLarger: (size.sqft ?? 0) > existingSqft,
    demolishedSqft: isVacantLot(facts) ? undefined : existingSqft,
    demoIncludedSqft: assumptions.demoIncludedSqft,
    unusedDuration: permitOf(input).unused,
  })
  const defaults = defaultedAssumptions(input.pack).filter(
    (name) => !unused.has(name) && input.changed?.[name] === undefined,
  )
  const shared = sharedFigures(input, { size, arvPerSqft, house, duration })
  const missing = missingFacts(input)
  const used = usedFacts(input)
  const blocked = unmodelableReason(input, { price, buildSqft: size.sqft, arvPerSqft })
  const refused = (
    [reason, because]: [UnmodellableReason, string],
    offers: Partial<Proforma> = {},
    house?: ProformaTerms,
  ): ProformaResult => ({
    proforma: { ...shared, confidence: 'low', unmodellableReason: reason, because, ...offers },
    ...(house ? { house } : {}),
    used,
    missing,
    warnings: [],
    because,
  })
  if (size.sqft === undefined || arvPerSqft === undefined)
    return refused(blocked ?? ['NO_ZONING', 'The build size is unknown.'])

  const { costPerSqft, demoCost, contingencyPct, months, ratePct } = shared.assumptions
  const terms: ProformaTerms = {
    priceUsd: price ?? 0,
    expectedUsd: input.expectedPrice && (overrides.price ?? input.expectedPrice.p50),
    buildSqft: size.sqft,
    arvPerSqft,
    existingSqft,
    costPerSqft,
    softCosts: overrides.softCosts,
    demoCost: demoCost ?? 0,
    sellingCostPct: overrides.sellingCostPct,
    contingencyPct,
    months,
    phases: duration.phases,
    ratePct,
  }
  // The maximum offer is known even if a commission prevents the house.
  if (blocked)
    return refused(
      blocked,
      blocked[0] === 'HISTORIC_BLOCKED' && price !== undefined && !input.isOutline
        ? offersOf(shared, terms, assumptions, overrides.targetRoiPct)
        : {},
      terms,
    )
  if (input.isOutline) return { proforma: shared, house: terms, used, missing, warnings: [] }
  const sums = computeProforma(terms, assumptions)
  const mean = input.marketMeanRoiPct === undefined ? undefined : oneDecimal(input.marketMeanRoiPct)
  const shrinkWeight = mean === undefined ? 1 : shrinkWeightFor(comps.confidence, assumptions)
  return {
    ...servedProforma(
      { ...shared, ...(defaults.length > 0 && { defaults }) },
      terms,
      sums,
      { ...assumptions, targetRoiPct: overrides.targetRoiPct ?? assumptions.targetRoiPct },
      { shrinkWeight, mean },
    ),
    house: terms,
    terms,
    sums,
    used,
    missing,
    warnings: warningsOf(input, size.sqft),
  }
}

interface HouseFigures {
  size: ReturnType<typeof buildSize>
  arvPerSqft: number | undefined
  house: ReturnType<typeof newHouseOf>
  duration: ReturnType<typeof durationOf>
}

/** What is served whether or not the house can be modeled: size, resale, confidence and assumptions. */
const sharedFigures = (input: ProformaInput, { size, arvPerSqft, house, duration }: HouseFigures): Proforma => {
  const { facts, comps, assumptions, overrides = {} } = input
  // A price that the caller gives replaces both.
  const expectedPrice = overrides.price === undefined ? input.expectedPrice : undefined
  return {
    ...(expectedPrice && { expectedPrice }),
    buildSqft: size.sqft,
    arvPerSqft,
    ...pick(comps, 'compCount', 'compsCityMatched', 'compsTypeMatched', 'largestCompSqft'),
    confidence: proformaConfidence(input, size.sqft),
    resaleConfidence: overrides.arvPerSqft === undefined ? resaleConfidence(comps, size.sqft) : 'high',
    unmodellableReason: null,
    assumptions: {
      costPerSqft: overrides.costPerSqft ?? newHouseCostPerSqft(house, assumptions),
      costBasis:
        overrides.costPerSqft === undefined
          ? costBasis(house, assumptions, facts.city)
          : 'construction cost entered by the user',
      stories: house.stories,
      ...(house.slopePct !== undefined && { slopePct: house.slopePct }),
      demoCost: overrides.demoCost ?? defaultDemoCost(facts, assumptions),
      sellingCostPct: overrides.sellingCostPct ?? sellingCostPctAt((size.sqft ?? 0) * (arvPerSqft ?? 0), assumptions),
      buildSizeBasis: size.basis,
      contingencyPct: overrides.contingencyPct ?? assumptions.contingencyPct,
      months: duration.months,
      monthsBasis: overrides.months === undefined ? duration.basis : 'duration entered by the user',
      ratePct: overrides.ratePct ?? assumptions.ratePct,
    },
  }
}

/** What the caller gives instead of assumptions: in the request, or the figures that are final in his own assumptions. */
const givenTerms = ({ overrides = {}, changed = {} }: ProformaInput): ProformaOverrides => ({
  ...pick(changed, 'costPerSqft', 'months'),
  ...overrides,
})

/** Most new houses have two stories. */
export const usualStories = (allowed: number | undefined): number => Math.min(2, allowed ?? 2)

/** Without a size, as for an answer that only says why there is no figure, cost and months are those of the usual house. */
const newHouseOf = ({ facts, envelope }: ProformaInput, sqft = referenceHouse.sqft): NewHousePlan => {
  return { sqft, stories: usualStories(envelope.stories), slopePct: facts.slopePct }
}

const permitOf = ({ permit, assumptions, pack }: ProformaInput): PermitTiming =>
  permit ?? unmeasuredPermit(assumptions, pack)

const durationOf = (input: ProformaInput, house: NewHousePlan): ProjectDuration =>
  newHouseDuration(
    house,
    { ...input.assumptions, ...monthsGiven(input) },
    permitOf(input),
    hearingFor(input.envelope, house.sqft),
  )

/** The review that a house of this size needs; undefined if it needs none. */
export const hearingFor = ({ review }: Envelope, buildSqft: number): Envelope['review'] =>
  review && buildSqft > review.sqft ? review : undefined

const monthsGiven = ({ overrides }: ProformaInput) =>
  overrides?.months === undefined ? {} : { months: overrides.months }

/** How far a return is adjusted toward the market average. */
interface Adjustment {
  shrinkWeight: number
  mean: number | undefined
}

/** The figures of a pro forma that could be modeled. */
export const servedProforma = (
  shared: Proforma,
  terms: ProformaTerms,
  sums: ProformaSums,
  costs: Assumptions,
  adjustment: Adjustment,
): Pick<ProformaResult, 'proforma' | 'proformaROI' | 'developerROI' | 'returnPct'> => ({
  proforma: {
    ...shared,
    roiPct: sums.roiPct,
    returnPct: oneDecimal(sums.returnPct),
    returnAtExpectedPct: returnAtExpectedPct(terms, costs),
    ...offersOf(shared, terms, costs),
    capital: sums.capital,
    resaleNet: sums.resaleNet,
    assumptions: {
      ...shared.assumptions,
      existingSqft: terms.existingSqft,
      ...pick(sums, 'softCosts', 'demoCost', 'acquisition', 'contingency', 'carry'),
      shrinkWeight: adjustment.shrinkWeight,
      marketMeanRoiPct: adjustment.mean,
    },
  },
  proformaROI: sums.roiPct,
  developerROI: adjusted(sums.returnPct, adjustment),
  returnPct: sums.returnPct,
})

const offersOf = (shared: Proforma, terms: ProformaTerms, assumptions: Assumptions, targetRoiPct?: number) =>
  newHouseOffers(terms, assumptions, shared.resaleConfidence ?? shared.confidence, targetRoiPct)

export const adjusted = (returnPct: number, { shrinkWeight, mean }: Adjustment): number =>
  oneDecimal(shrinkWeight * returnPct + (1 - shrinkWeight) * (mean ?? 0))

function unmodelableReason(
  input: ProformaInput,
  inputs: { price?: number; buildSqft?: number; arvPerSqft?: number },
): [UnmodellableReason, string] | undefined {
  const { facts, envelope, comps, assumptions, overrides = {} } = input
  const { propertyType } = facts
  if (propertyType && propertyType !== 'single_family' && propertyType !== 'land')
    return ['NOT_SINGLE_FAMILY', 'The pro forma is only for single-family houses and vacant land.']
  const historic = historicBlock(input)
  if (historic) return ['HISTORIC_BLOCKED', historic]
  if (inputs.price === undefined || inputs.price <= 0) return ['NO_PRICE', 'The property has no asking price.']
  if (overrides.buildSqft === undefined && !facts.lotSqft) return ['NO_LOT_SIZE', 'The lot size is unknown.']
  if (!inputs.buildSqft)
    return ['NO_ZONING', envelope.unmodelledReason ?? 'The zoning limits leave no room for a house.']
  if (overrides.buildSqft === undefined && facts.livingSqft && inputs.buildSqft <= facts.livingSqft)
    return [
      'AT_LIMIT',
      `No larger house is allowed: ${sqft(inputs.buildSqft)} can realistically be built, and the house has ${sqft(facts.livingSqft)}.`,
    ]
  if (inputs.arvPerSqft === undefined)
    return [
      'TOO_FEW_COMPS',
      `Only ${plural(comps.compCount, 'comparable sale')}; at least ${assumptions.minComps} are needed.`,
    ]
  return undefined
}

/** Where a commission reviews every demolition, it rarely allows that of a contributing building, or of one as old. */
function historicBlock({ facts, pack }: ProformaInput): string | undefined {
  const { yearBuilt, overlays } = facts
  if (overlays.historicListed === 'yes') return 'The property is listed as historic.'
  // Without a house there is nothing to demolish, whatever the roll says of one that stood there.
  if (isVacantLot(facts)) return undefined
  if (overlays.historicContributing === 'yes') return 'The house contributes to a historic district.'
  if (pack && historicDoubt(facts, pack.market.demolitionReview) === 'presumed')
    return `Built in ${yearBuilt} ${inMarket(pack.market)}, all of which is a historic district, and its historic status is unknown.`
  return undefined
}

const defaultDemoCost = (facts: ProformaInput['facts'], assumptions: Assumptions): number =>
  isVacantLot(facts) ? 0 : demolitionCost(facts.livingSqft ?? 0, assumptions)

/** Of a house of this size. */
export const demolitionCost = (livingSqft: number, assumptions: Assumptions): number =>
  Math.round(
    assumptions.demoBaseUsd + assumptions.demoPerSqftUsd * Math.max(0, livingSqft - assumptions.demoIncludedSqft),
  )

function shrinkWeightFor(confidence: Confidence, assumptions: Assumptions): number {
  const { shrinkWeightHigh, shrinkWeightMedium, shrinkWeightLow } = assumptions
  return { high: shrinkWeightHigh, medium: shrinkWeightMedium, low: shrinkWeightLow }[confidence]
}

const isBeyondComps = ({ largestCompSqft }: ResaleComps, buildSqft: number | undefined): boolean =>
  largestCompSqft !== undefined && buildSqft !== undefined && buildSqft > largestCompSqft

/** Of the resale value: no comparable shows what a larger house than all of them sells for. Low if it is larger by a quarter. */
export const resaleConfidence = (comps: ResaleComps, buildSqft: number | undefined): Confidence =>
  isBeyondComps(comps, buildSqft && buildSqft / 1.25)
    ? 'low'
    : isBeyondComps(comps, buildSqft)
      ? oneLevelLower(comps.confidence)
      : comps.confidence

function proformaConfidence(input: ProformaInput, buildSqft: number | undefined): Confidence {
  const { facts, envelope, comps, overrides = {} } = input
  const size = overrides.buildSqft === undefined ? envelope.confidence : 'high'
  const value = overrides.arvPerSqft === undefined ? resaleConfidence(comps, buildSqft) : 'high'
  const built = isDoubtful(input) ? 'low' : lowestConfidence(size, value)
  // An unknown slope counts as flat, unless the caller gives the cost.
  const isCostDoubtful = facts.slopePct === undefined && givenTerms(input).costPerSqft === undefined
  return facts.propertyType === undefined || isCostDoubtful ? oneLevelLower(built) : built
}

const isDoubtful = ({ facts, pack }: ProformaInput): boolean =>
  !isVacantLot(facts) && historicDoubt(facts, pack?.market.demolitionReview) !== undefined

const priceOf = ({ priceUsd, overrides }: Pick<ProformaInput, 'priceUsd' | 'overrides'>): number | undefined =>
  overrides?.price ?? priceUsd

function usedFacts({ facts, comps, ...input }: ProformaInput): string[] {
  const names = (['propertyType', 'lotSqft', 'livingSqft', 'zoning', 'yearBuilt'] as const).filter(
    (name) => facts[name] !== undefined,
  )
  return [...names, ...(priceOf(input) === undefined ? [] : ['price']), ...(comps.compCount > 0 ? ['comparables'] : [])]
}

function missingFacts({ facts, envelope, ...input }: ProformaInput): string[] {
  const names = (['propertyType', 'lotSqft', 'livingSqft', 'zoning'] as const).filter(
    (name) => facts[name] === undefined && !(name === 'livingSqft' && isVacantLot(facts)),
  )
  return [...new Set([...names, ...(priceOf(input) === undefined ? ['price'] : []), ...envelope.missing])]
}

function warningsOf(input: ProformaInput, buildSqft: number): string[] {
  const { facts, envelope, comps, overrides = {} } = input
  const warnings: string[] = []
  if (envelope.maxSqft !== undefined && buildSqft > envelope.maxSqft)
    warnings.push(`The house of ${sqft(buildSqft)} is larger than the ${sqft(envelope.maxSqft)} that zoning allows.`)
  const hearing = hearingFor(envelope, buildSqft)
  if (hearing)
    warnings.push(
      `A house above ${sqft(hearing.sqft)} needs ${hearing.approval === 'discretionary' ? 'a hearing of the' : 'a review by the'} ${hearing.body}${hearing.approval === 'discretionary' ? ', which may refuse it' : ''}${hearing.months > 0 ? `; ${plural(hearing.months, 'month')} ${hearing.months === 1 ? 'is' : 'are'} added` : ''}.`,
    )
  if (envelope.confidence === 'low') warnings.push('The zoning limits of this district are unverified.')
  if (overrides.arvPerSqft === undefined && comps.confidence === 'low')
    warnings.push('The comparable sales are few or far away.')
  if (overrides.arvPerSqft === undefined && isBeyondComps(comps, buildSqft))
    warnings.push(
      `The new house of ${sqft(buildSqft)} is larger than every comparable sale; the largest has ${sqft(comps.largestCompSqft!)}.`,
    )
  if (facts.slopePct === undefined && givenTerms(input).costPerSqft === undefined)
    warnings.push('The slope of the lot is unknown; cost and time are those of a flat lot.')
  if (!isVacantLot(facts) && historicStatus(facts.overlays) === 'unknown') warnings.push('Historic status is unknown.')
  if (isDoubtful(input))
    warnings.push(`Built in ${facts.yearBuilt}: the commission may refuse a demolition of a house of that age.`)
  const review = input.pack?.market.demolitionReview
  if (review)
    warnings.push(
      `${isVacantLot(facts) ? 'A new building' : 'Demolition'} needs a certificate from the ${review.body}.`,
    )
  return warnings
}
