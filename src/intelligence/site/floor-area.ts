// Applies a zoning district's floor-area rule to one lot. Formulas and their sources: packs/<market>/zoning, docs/methods/zoning.md.

import type { Confidence } from '../../domain/facts.ts'
import type { FloorAreaRule, LotUnitFactorRule } from '../../domain/packs/zoning.ts'
import { decimal, roundDown, sqft } from '../scores/number-format.ts'
import { clamp } from '../statistics/clamp.ts'

export interface FloorAreaFacts {
  lotSqft: number
  slopePct?: number
  cornerLot?: boolean
  /** Where the rule depends on it and it is unknown, the smaller allowance is used. */
  garage?: 'attached' | 'detached'
  /** The town's own figure; otherwise computed from lot size and slope. */
  lotUnitFactor?: number
}

interface FloorAreaLimit {
  sqft?: number
  formula: string
  /** Confidence of the formula's own points, where some are less certain than others. */
  confidence?: Confidence
  missing: readonly string[]
  /** Los Altos Hills also limits buildings and hardscape together. */
  developmentAreaSqft?: number
  /** Why `sqft` is absent. */
  reason?: string
}

export function floorAreaLimit(rule: Exclude<FloorAreaRule, { kind: 'none' }>, facts: FloorAreaFacts): FloorAreaLimit {
  const lot = facts.lotSqft
  switch (rule.kind) {
    case 'unknown':
      return unknown('The floor-area rule of this district is unknown.')
    case 'ratio':
      return capped(rule.ratio * lot, `${rule.ratio} × ${sqft(lot)}`, rule.capSqft)
    case 'tiers': {
      const tier = rule.tiers.findLast((one) => lot >= one.fromSqft)
      if (!tier) return unknown(`The floor-area rule for lots under ${sqft(rule.tiers[0]!.fromSqft)} is unknown.`)
      const over = tier.overSqft > 0 ? `(${sqft(lot)} − ${sqft(tier.overSqft)})` : sqft(lot)
      const parts = [tier.baseSqft > 0 && sqft(tier.baseSqft), tier.rate > 0 && `${tier.rate} × ${over}`]
      return capped(tier.baseSqft + tier.rate * (lot - tier.overSqft), parts.filter(Boolean).join(' + '), rule.capSqft)
    }
    case 'slidingRatio': {
      const ratio = between(lot, rule.fromSqft, rule.fromRatio, rule.toSqft, rule.toRatio)
      return capped(ratio * lot, `${decimal(ratio)} × ${sqft(lot)}`)
    }
    case 'garageAndCorner': {
      const place = facts.cornerLot === false ? 'interior' : 'corner'
      const garage = facts.garage === 'detached' ? 'Detached' : 'Attached'
      const base = rule.baseSqft[`${place}${garage}`]
      const formula = `${rule.ratio} × ${sqft(lot)} + ${sqft(base)} (${place} lot, ${garage.toLowerCase()} garage)`
      const missing = [facts.cornerLot === undefined && 'cornerLot', facts.garage === undefined && 'garage']
      return {
        ...capped(rule.ratio * lot + base, formula, rule.capSqft),
        missing: missing.filter((one) => one !== false),
      }
    }
    case 'slopeRatio':
      return slopeRatioLimit(rule, facts)
    case 'slopeFixed': {
      if (lot >= rule.belowLotSqft)
        return capped(rule.elseSqft, `${sqft(rule.elseSqft)} on lots of at least ${sqft(rule.belowLotSqft)}`)
      if (facts.slopePct === undefined) return needsSlope()
      const [gentle, steep] = [rule.points[0]!, rule.points.at(-1)!]
      const limit = between(facts.slopePct, gentle.slopePct, gentle.sqft, steep.slopePct, steep.sqft)
      return capped(limit, `${sqft(gentle.sqft)} falling to ${sqft(steep.sqft)}, at ${decimal(facts.slopePct)}% slope`)
    }
    case 'mainHouseCap':
      return { ...capped(rule.sqft, 'cap on the main house'), confidence: 'medium' }
    case 'lotUnitFactor':
      return lotUnitFactorLimit(rule, facts)
  }
}

function slopeRatioLimit(rule: Extract<FloorAreaRule, { kind: 'slopeRatio' }>, facts: FloorAreaFacts): FloorAreaLimit {
  const slope = facts.slopePct
  if (slope === undefined) return needsSlope()
  const after = rule.points.find((point) => slope <= point.slopePct)
  if (!after) return unknown(`The floor-area ratio above ${rule.points.at(-1)!.slopePct}% slope is unknown.`)
  const before = rule.points[rule.points.indexOf(after) - 1]
  const exact = !before || slope === after.slopePct
  const ratio = exact ? after.ratio : between(slope, before.slopePct, before.ratio, after.slopePct, after.ratio)
  const how = exact ? '' : ', interpolated between two known points'
  return {
    ...capped(
      ratio * facts.lotSqft,
      `${decimal(ratio)} × ${sqft(facts.lotSqft)} at ${decimal(slope)}% slope${how}`,
      rule.capSqft,
    ),
    confidence: exact ? after.confidence : 'low',
  }
}

/** Los Altos Hills, Ord. 412: guaranteed minimums above a factor of one half, a conditional permit at or below it. */
function lotUnitFactorLimit(rule: LotUnitFactorRule, facts: FloorAreaFacts): FloorAreaLimit {
  const slope = facts.slopePct
  const factor = facts.lotUnitFactor ?? (slope === undefined ? undefined : lotUnitFactor(rule, facts.lotSqft, slope))
  if (factor === undefined) return needsSlope()
  const { development } = rule
  if (factor <= rule.smallUnit) {
    const formula = (factor / rule.smallUnit) * rule.floorSqft
    const limit = Math.max(formula, rule.smallApprovableSqft)
    const least = formula < rule.smallApprovableSqft ? `, but ${sqft(rule.smallApprovableSqft)} may be approved` : ''
    return {
      ...capped(
        limit,
        `(${decimal(factor)} ÷ ${rule.smallUnit}) × ${sqft(rule.floorSqft)} = ${sqft(formula)} by permit${least}`,
      ),
      developmentAreaSqft: roundDown(Math.max(formula + development.smallExtraSqft, development.smallApprovableSqft)),
    }
  }
  if (slope === undefined) return needsSlope()
  const fall = Math.min(Math.max(slope, rule.fallFromSlopePct), rule.fallToSlopePct) - rule.fallFromSlopePct
  const perUnit = rule.perUnitSqft - rule.fallPerSlopePct * fall
  const formula = `${decimal(factor)} × ${sqft(perUnit)}, at least ${sqft(rule.floorSqft)}`
  const developmentPerUnit = development.perUnitSqft - development.fallPerSlopePct * fall
  return {
    ...capped(Math.max(factor * perUnit, rule.floorSqft), formula),
    developmentAreaSqft: roundDown(Math.max(factor * developmentPerUnit, development.floorSqft)),
  }
}

export function lotUnitFactor(rule: LotUnitFactorRule, lotSqft: number, slopePct: number): number {
  const lost = rule.unitSlopeRate * Math.max(0, slopePct - rule.fallFromSlopePct)
  return (lotSqft / sqftPerAcre) * Math.max(0, 1 - lost)
}

const sqftPerAcre = 43_560

function capped(limit: number, formula: string, capSqft?: number): FloorAreaLimit {
  if (capSqft === undefined || limit <= capSqft) return { sqft: roundDown(limit), formula, missing: [] }
  return { sqft: capSqft, formula: `${formula}, capped at ${sqft(capSqft)}`, missing: [] }
}

const unknown = (reason: string): FloorAreaLimit => ({ formula: 'unknown', missing: [], reason })

const needsSlope = (): FloorAreaLimit => ({
  formula: 'depends on slope',
  missing: ['slopePct'],
  reason: 'The floor-area limit depends on slope, which is unknown.',
})

function between(x: number, x0: number, y0: number, x1: number, y1: number): number {
  const share = clamp((x - x0) / (x1 - x0), 0, 1)
  return y0 + share * (y1 - y0)
}
