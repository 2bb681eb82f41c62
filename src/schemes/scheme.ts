// What a scheme is: one row of the registry (list.ts). It says when it is lawful, what it builds, what that costs and what it brings;
// lines, schedule, offer, break-even and return come from intelligence/proforma/project.ts.
import type { AssumptionName } from '../domain/assumptions/assumptions.ts'
import type { Confidence } from '../domain/facts.ts'
import type { Envelope } from '../domain/findings/building-envelope.ts'
import type { Approval, DecisionCondition } from '../domain/findings/decision.ts'
import type { LawReference } from '../domain/findings/laws.ts'
import type { SchemeKind, SchemeVariantName } from '../domain/findings/scheme-kinds.ts'
import type { SchemeUnit, SchemeVariant } from '../domain/findings/schemes.ts'
import { resaleSpread } from '../intelligence/proforma/proforma-cases.ts'
import {
  changedProject,
  type LineTexts,
  type Project,
  projectOffer,
  roughOffer,
} from '../intelligence/proforma/project.ts'
import { sqft } from '../intelligence/scores/number-format.ts'
import { newHouseApproval } from '../intelligence/site/demolition-approval.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { replacementWarning } from '../laws/rented-homes.ts'
import type { Price } from './prices.ts'
import type { LawUse, SchemeSite } from './site.ts'

export interface SchemeRow {
  kind: SchemeKind
  variants(site: SchemeSite): readonly Variant[]
}

export interface Variant extends Lawfulness {
  variant?: SchemeVariantName | undefined
  because: readonly string[]
  /** Absent where there are no figures. */
  build?: Build | undefined
  /** Of uses without a project. */
  bears?: Bearing | undefined
}

interface Lawfulness {
  allowed: SchemeVariant['allowed']
  approval: Approval
  conditions: readonly DecisionCondition[]
  untestedRules: SchemeVariant['untestedRules']
  law?: LawReference | undefined
}

interface Shown {
  units: readonly SchemeUnit[]
  homes?: number
  confidence: Confidence
  /** The assumptions that only this kind depends on. */
  names: readonly AssumptionName[]
}

/** A project and what it builds. */
export interface Build extends Shown {
  project: Project
  /** In the low case. */
  low: Project
  target: AssumptionName
  builtSqft?: number
  monthsBasis: string
  texts: LineTexts
  because: readonly string[]
  /** True if the price comes from a formula: amounts are then rounded for every kind, since no other answer has this amount. */
  isRough?: boolean
  /** Where the house stays: what is added, less what it costs. */
  gainUsd?: number
}

export interface Bearing extends Shown {
  maximumOffer: number
  maximumOfferLow: number
  target?: AssumptionName
  /** Net operating income in percent at a price. */
  yieldPctAt?: (price: number) => number
}

export type Offer = NonNullable<ReturnType<typeof offerOf>>

/** 0 where no price earns the target. */
export const offerOf = ({ build, bears }: Variant, { assumptions: a }: SchemeSite) => {
  if (bears) return bears
  if (!build) return undefined
  const offer = (project: Project) => projectOffer(project, a, a[build.target], 0)
  const maximumOffer = offer(build.project)
  return { maximumOffer, maximumOfferLow: maximumOffer === 0 ? 0 : Math.min(maximumOffer, offer(build.low)) }
}

/** Hard cost and months of the low case; `resale` is what the resale falls to. */
export const lowCase = (project: Project, { assumptions: a }: SchemeSite, resale: number): Project =>
  changedProject(project, {
    resale,
    cost: 1 + a.costSpreadPct / 100,
    months: 1 + a.monthsSpreadPct / 100,
  })

/** The resale of a price with a range, or of one that is only as sure as its confidence. */
export const lowShare = (prices: readonly Pick<Price, 'usd' | 'low'>[]): number => {
  const sum = (name: 'usd' | 'low') => prices.reduce((all, price) => all + price[name], 0)
  return sum('low') / sum('usd')
}

export const spreadShare = ({ assumptions }: SchemeSite, confidence: Confidence): number =>
  1 - resaleSpread(assumptions, confidence) / 100

/** Sizes in steps of 50 up to the limit, the limit itself last. */
export const sizesTo = (least: number, most: number): number[] => {
  const sizes: number[] = []
  for (let size = Math.ceil(least / 50) * 50; size < most; size += 50) sizes.push(size)
  return most >= least ? [...sizes, Math.floor(most)] : []
}

/** Of several ways to build, the one that could bear most; the first of equals. */
export const bestBuild = (
  { assumptions: a }: SchemeSite,
  builds: readonly (Build | undefined)[],
): Build | undefined => {
  const offer = (build: Build, floor?: number) => roughOffer(build.project, a, a[build.target], floor)
  const known = builds.filter((build) => build !== undefined)
  let best: Build | undefined
  // The largest home is often the best: most others then need no schedule.
  let most = known.length > 0 ? offer(known.at(-1)!) : 0
  for (const build of known) {
    const largest = offer(build, most)
    if (largest < most || (largest === most && best)) continue
    most = largest
    best = build
  }
  return best
}

const strictness: readonly Approval[] = ['none', 'ministerial', 'design_review', 'unknown', 'discretionary']
const stricter = (one: Approval, other: Approval): Approval =>
  strictness.indexOf(one) >= strictness.indexOf(other) ? one : other

/** Of a demolition: what is not known counts as refused. */
const mayBeRefused = (approval: Approval | undefined): boolean => approval === 'discretionary' || approval === 'unknown'

/** Without a law of its own: what zoning allows. */
export const byZoning = (
  approval: Approval,
  ...conditions: readonly (DecisionCondition | undefined)[]
): Lawfulness => ({
  allowed: mayBeRefused(approval) ? 'conditional' : 'yes',
  approval,
  conditions: conditions.filter((each) => each !== undefined),
  untestedRules: [],
})

/** What a law allows. The approval of a demolition is added where the house goes. */
export const byLaw = (use: LawUse, site: SchemeSite, demolishes: boolean): Lawfulness => {
  const demolition = demolishes ? demolitionOf(site) : undefined
  const approval = stricter(use.approval, demolition?.approval ?? 'none')
  const allowed = ownerAllowed(use, site)
  const isSure = allowed === 'yes' || allowed === 'likely'
  return {
    allowed: isSure && mayBeRefused(demolition?.approval) ? 'conditional' : allowed,
    approval,
    conditions: [
      ...(demolition?.condition ? [demolition.condition] : []),
      ...use.conditions.map(({ text, citation }) => ({ text, citation })),
      ...(demolition?.warning ? [demolition.warning] : []),
    ],
    untestedRules: use.untestedRules.map(({ rule, text, citation }) => ({ rule, text, citation })),
    law: use.law,
  }
}

/** An owner who will live there meets the only condition that a split has by itself. */
const ownerAllowed = ({ scheme, allowed, untestedRules }: LawUse, { assumptions }: SchemeSite): LawUse['allowed'] =>
  allowed === 'conditional' && scheme === 'split' && assumptions.ownerWillLive === 1
    ? untestedRules.length > 0
      ? 'likely'
      : 'yes'
    : allowed

/** `hearing`: what the size of the new house needs. The warning comes last: the first condition is the one that may be refused. */
export const demolitionOf = ({ facts, pack }: SchemeSite, hearing?: Envelope['review']) => ({
  ...newHouseApproval(facts, pack?.market.demolitionReview, hearing),
  warning: isVacantLot(facts) ? undefined : replacementWarning(pack?.market.state, facts.overlays),
})

/** So many rules that could not be tested leave any figure in doubt. */
const manyUntested = 3
/** Changed in place: a copy would make all its texts, which only one property needs. */
export const withLaw = (build: Build, { untestedRules }: Pick<Variant, 'untestedRules'>): Build =>
  untestedRules.length >= manyUntested ? Object.assign(build, { confidence: 'low' as const }) : build

/** The uses of one scheme that a law names, with what each builds. `build` is called for uses that are not barred. */
export const lawVariants = (
  site: SchemeSite,
  scheme: LawUse['scheme'],
  build: (use: LawUse, goes: boolean) => Build | undefined,
): Variant[] =>
  site.uses
    .filter((use) => use.scheme === scheme)
    .map((use) => {
      const goes = use.variant === 'house_goes'
      const law = byLaw(use, site, goes)
      const built = use.allowed === 'no' ? undefined : build(use, goes)
      return {
        ...law,
        ...(use.variant ? { variant: use.variant } : {}),
        because: [...use.because, ...(built?.because ?? (use.allowed === 'no' ? [] : [noFigures]))],
        build: built && withLaw(built, law),
      }
    })

export const noFigures = 'The facts or the prices that its figures follow from are not known.'

export const chosen = (count: number, size: number, least: number, most: number): string =>
  `${count} × ${sqft(size)}: of ${least === most ? `${most}` : `${least} to ${most}`} homes in steps of 50 sq ft, what could bear most for the lot.`
