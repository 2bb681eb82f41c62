// The schemes of one lot: what each could bear, for assessments, and all their figures at a price, for one property.
import type { Confidence } from '../domain/facts.ts'
import type { Room } from '../domain/findings/best-use.ts'
import type { SchemeOffer } from '../domain/findings/decision.ts'
import { type SchemeKind, schemeTable, variantWords } from '../domain/findings/scheme-kinds.ts'
import type { Scheme, SchemeVariant } from '../domain/findings/schemes.ts'
import { largest } from '../intelligence/decision/best-use.ts'
import { monthsOfPhases } from '../intelligence/proforma/new-house.ts'
import {
  breakEvenOf,
  oneDecimal,
  projectCashFlow,
  projectLines,
  projectSums,
} from '../intelligence/proforma/project.ts'
import { schemes } from './list.ts'
import { type Build, type Offer, offerOf, type Variant } from './scheme.ts'
import type { SchemeSite } from './site.ts'

interface Computed {
  variant: Variant
  offer: Offer | undefined
}

export interface ComputedScheme {
  kind: SchemeKind
  /** Best first. */
  variants: readonly [Computed, ...Computed[]]
}

const allowedFirst = ['yes', 'likely', 'conditional', 'unknown', 'no'] as const
const rank = ({ variant, offer }: Computed): readonly number[] => [
  variant.allowed === 'no' ? 1 : 0,
  -(offer ? (variant.build?.confidence === 'low' ? offer.maximumOfferLow : offer.maximumOffer) : -1),
  allowedFirst.indexOf(variant.allowed),
]

const compared = (one: Computed, other: Computed): number => {
  const [a, b] = [rank(one), rank(other)]
  return a.map((value, at) => value - b[at]!).find((difference) => difference !== 0) ?? 0
}

/** Every scheme that the registry has for this lot. A condominium has no lot of its own: it can only be kept or let. */
export const computeSchemes = (site: SchemeSite): ComputedScheme[] =>
  schemes.flatMap(({ kind, variants }) => {
    if (site.facts.propertyType === 'condo' && kind !== 'keep' && kind !== 'rent') return []
    const [first, ...others] = variants(site)
      .map((variant) => ({ variant, offer: offerOf(variant, site) }))
      .sort(compared)
    return first ? [{ kind, variants: [first, ...others] }] : []
  })

/** What each scheme could bear: one offer for every variant, so that the best can be chosen among all. */
export const offersOf = (computed: readonly ComputedScheme[]): SchemeOffer[] =>
  computed.flatMap(({ kind, variants }) =>
    variants.flatMap(({ variant, offer }) => {
      if (!offer) return []
      const { allowed, approval, conditions, build, bears } = variant
      const isRough = isRoughOf(kind, build)
      const homes = build?.homes ?? bears?.homes
      const needed = allowed === 'conditional' || approval === 'discretionary' ? conditions[0] : undefined
      return [
        {
          kind,
          variant: variant.variant,
          allowed,
          approval,
          homes,
          ...roundedOffer(offer, isRough),
          confidence: confidenceOf(variant),
          workLoses: build?.gainUsd !== undefined && build.gainUsd < 0 ? true : undefined,
          condition: needed,
        },
      ]
    }),
  )

const confidenceOf = ({ build, bears }: Variant): Confidence => build?.confidence ?? bears?.confidence ?? 'low'

/** The pro forma, the flip, the rent and the accessory unit have the amounts of these uses to the dollar. */
const exact: readonly SchemeKind[] = ['keep', 'rent', 'renovate', 'new_house', 'add_unit']
const isRoughOf = (kind: SchemeKind, build: Build | undefined): boolean =>
  build?.isRough || (build?.confidence === 'low' && !exact.includes(kind))

const roughStep = 50_000
/** Amounts of low confidence are rounded, since they are no more precise; an offer down, so that it still earns its target. */
const roundedFor = <Usd extends number | undefined>(usd: Usd, isRough: boolean, round = Math.round) =>
  (usd !== undefined && isRough ? round(usd / roughStep) * roughStep + 0 : usd) as Usd

const roundedOffer = ({ maximumOffer, maximumOfferLow }: Offer, isRough: boolean) => ({
  maximumOffer: roundedFor(maximumOffer, isRough, Math.floor),
  maximumOfferLow: roundedFor(maximumOfferLow, isRough, Math.floor),
})

export interface ShownPrice {
  usd: number
  high: number
  against: Room['against']
}

export interface FigureTerms {
  /** The prices that all schemes use; undefined if none is known. */
  price: number | undefined
  /** The price to beat; undefined where there is none, or the value is itself a residual. */
  beat: ShownPrice | undefined
  withCashFlow?: boolean
}

export const schemeFigures = (site: SchemeSite, { kind, variants }: ComputedScheme, terms: FigureTerms): Scheme => {
  const figures = variants.map((computed) => variantFigures(site, kind, computed, terms))
  const law = variants.find(({ variant }) => variant.law)?.variant.law
  return {
    kind,
    law,
    zoning: site.facts.zoning,
    ...figures[0]!,
    variants: figures.length > 1 ? figures : [],
  }
}

/** What the schedule of every project follows from: shown with it. */
const scheduleNames = [
  ...(['baseCostPerSqft', 'acquisitionPct', 'loanToCostPct', 'ratePct', 'pointsPct', 'propertyTaxPct'] as const),
  ...(['insurancePct', 'sellingCostPct', 'transferTaxPct', 'costSpreadPct', 'monthsSpreadPct'] as const),
]

const variantFigures = (
  site: SchemeSite,
  kind: SchemeKind,
  { variant: computedVariant, offer }: Computed,
  { price, beat, withCashFlow }: FigureTerms,
): SchemeVariant => {
  const { variant, allowed, approval, conditions, untestedRules, because, build, bears } = computedVariant
  const isRough = isRoughOf(kind, build)
  const room = offer && beat && kind !== 'keep' && kind !== 'rent' ? roomOf(offer, beat, isRough) : undefined
  const { title } = schemeTable[kind]
  const { assumptions: a } = site
  const target = build?.target ?? bears?.target
  const usedNames = build?.names ?? bears?.names ?? []
  const names = build && withCashFlow ? [...usedNames, ...scheduleNames] : usedNames
  return {
    variant,
    title: variant ? `${title}: ${variantWords[variant]}` : title,
    allowed,
    approval,
    conditions: [...conditions],
    untestedRules: [...untestedRules],
    because: [...because],
    units: (build?.units ?? bears?.units ?? []).map((unit) => ({
      ...unit,
      priceUsd: roundedFor(unit.priceUsd, isRough),
      low: roundedFor(unit.low, isRough),
      high: roundedFor(unit.high, isRough),
    })),
    homes: build?.homes,
    builtSqft: build?.builtSqft,
    lines: [],
    months: build && monthsOfPhases(build.project.phases),
    monthsBasis: build?.monthsBasis,
    ...(build && price !== undefined ? projectFigures(site, build, price, withCashFlow ?? false) : {}),
    yieldPct: price === undefined ? undefined : bears?.yieldPctAt?.(price),
    gainUsd: roundedFor(build?.gainUsd, isRough),
    targetReturnPct: target && a[target],
    ...(offer && roundedOffer(offer, isRough)),
    room,
    confidence: confidenceOf(computedVariant),
    assumptions: Object.fromEntries(names.map((name) => [name, a[name]])),
  }
}

export const roomOf = (
  { maximumOffer, maximumOfferLow }: Pick<SchemeOffer, 'maximumOffer' | 'maximumOfferLow'>,
  beat: ShownPrice,
  isRough = false,
): Room => ({
  usd: roundedFor(maximumOffer, isRough, Math.floor) - beat.usd,
  ...(maximumOfferLow === undefined ? {} : { low: roundedFor(maximumOfferLow, isRough, Math.floor) - beat.high }),
  against: beat.against,
})

const projectFigures = (
  { assumptions: a }: SchemeSite,
  { project, texts }: NonNullable<Variant['build']>,
  price: number,
  withCashFlow: boolean,
): Partial<SchemeVariant> => {
  const sums = projectSums(price, project, a)
  const { cashFlow, peakEquity, equityMultiple, irrPct } = projectCashFlow(price, project, a)
  const breakEven = breakEvenOf(price, project, a)
  return {
    lines: projectLines(sums, texts, a),
    totalCost: sums.totalCost,
    proceedsNet: sums.resaleNet,
    profit: sums.profit,
    returnPct: oneDecimal(sums.returnPct),
    ...(irrPct === undefined ? {} : { irrPct: oneDecimal(irrPct) }),
    ...(equityMultiple === undefined ? {} : { equityMultiple: Math.round(100 * equityMultiple) / 100 }),
    peakEquity,
    ...(breakEven ? { breakEven } : {}),
    ...(withCashFlow ? { cashFlow } : {}),
  }
}

/** The residual: what the best use could bear for a lot that nothing else values. */
export const residualValue = (offers: readonly SchemeOffer[]): number | undefined =>
  largest(offers, ({ maximumOffer }) => maximumOffer)?.maximumOffer
