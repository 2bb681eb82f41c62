// A new house in place of the old one: the house of the pro forma, the same with a basement, and the same with an accessory unit.
import { assumptionTable } from '../domain/assumptions/assumptions.ts'
import { aduUnits } from '../intelligence/proforma/adu-economics.ts'
import { hearingFor, type ProformaResult, proforma } from '../intelligence/proforma/proforma.ts'
import { houseProject } from '../intelligence/proforma/proforma-arithmetic.ts'
import { movedTerms } from '../intelligence/proforma/proforma-cases.ts'
import { houseLineTexts } from '../intelligence/proforma/proforma-detail.ts'
import { changedProject, type Project } from '../intelligence/proforma/project.ts'
import { lowestConfidence } from '../intelligence/scores/confidence.ts'
import { decimal, sqft, usd } from '../intelligence/scores/number-format.ts'
import { buildSize } from '../intelligence/site/allowable-area.ts'
import { addedByUnits, homeUnit } from './homes.ts'
import { homePrice, type Price, products } from './prices.ts'
import {
  type Build,
  byZoning,
  demolitionOf,
  lowCase,
  lowShare,
  type SchemeRow,
  type Variant,
  withLaw,
} from './scheme.ts'
import type { SchemeSite } from './site.ts'

/** Without enough comparable sales the resale price is by formula. */
const resaleOf = (site: SchemeSite): { comps: SchemeSite['comps']; price?: Price } => {
  const { comps, assumptions: a, facts, envelope, newHouses } = site
  if (comps.arvPerSqft !== undefined && comps.compCount >= a.minComps) return { comps }
  const size = buildSize(envelope, facts.livingSqft, a, newHouses).sqft
  const price = size && homePrice(site.place, products.house, { sqft: size, lotSqft: facts.lotSqft }, a)
  return price
    ? { comps: { arvPerSqft: price.usd / size!, compCount: a.minComps, confidence: price.confidence }, price }
    : { comps }
}

/** Reasons of the pro forma that leave no house to compute. */
const isBarred = ({ unmodellableReason: reason }: ProformaResult['proforma']): boolean =>
  reason !== null && reason !== 'HISTORIC_BLOCKED' && reason !== 'NO_PRICE'

interface Built {
  build?: Build
  result: ProformaResult
}

/** Three schemes begin with it. */
const builds = new WeakMap<SchemeSite, Built>()

export const newHouseBuild = (site: SchemeSite): Built => {
  const known = builds.get(site) ?? computedBuild(site)
  builds.set(site, known)
  return known
}

const computedBuild = (site: SchemeSite): Built => {
  const { assumptions: a } = site
  const { comps, price } = resaleOf(site)
  // The offer does not depend on the price, and without one the pro forma says only that it is missing.
  const result = proforma({ ...site, comps, priceUsd: 1, isOutline: true })
  const { house, proforma: computedProforma } = result
  if (!house || isBarred(computedProforma)) return { result }
  const terms = { ...house, arvPerSqft: price ? price.usd / house.buildSqft : house.arvPerSqft }
  const project = houseProject(terms, a)
  const resale = computedProforma.resaleConfidence ?? 'low'
  const moved = houseProject(movedTerms(terms, a, resale, -1), a)
  const high = houseProject(movedTerms(terms, a, resale, 1), a)
  const sold: Price = price ?? {
    ...{ usd: project.resaleGross, low: moved.resaleGross, high: high.resaleGross, confidence: resale },
    basis: `${comps.compCount} sales of new, renovated or top-priced homes.`,
    comparables: comps.compCount,
  }
  return {
    result,
    build: {
      project,
      low: price ? lowCase(project, site, lowShare([price])) : moved,
      target: 'targetRoiPct',
      units: [homeUnit('house', 1, house.buildSqft, sold)],
      homes: 1,
      builtSqft: house.buildSqft,
      monthsBasis: computedProforma.assumptions.monthsBasis ?? '',
      texts: houseLineTexts(terms, a),
      because: computedProforma.assumptions.buildSizeBasis ? [computedProforma.assumptions.buildSizeBasis] : [],
      confidence: lowestConfidence(computedProforma.confidence, price?.confidence),
      isRough: price?.confidence === 'low',
      names: [
        ...(price?.names ?? []),
        ...(['targetRoiPct', 'softCostPct', 'contingencyPct', 'impactFeesPerSqft'] as const),
      ],
    },
  }
}

/** The law of a new house: whether its demolition or its size may be refused. */
const lawOf = (site: SchemeSite, { result }: Built) => {
  const { envelope } = site
  const { buildSqft, unmodellableReason: reason } = result.proforma
  const hearing = buildSqft === undefined ? undefined : hearingFor(envelope, buildSqft)
  const { approval, condition, warning } = demolitionOf(site, hearing)
  const law = byZoning(approval, condition, warning)
  return reason === 'NOT_SINGLE_FAMILY' || reason === 'NO_ZONING' || reason === 'NO_LOT_SIZE'
    ? { ...law, allowed: 'unknown' as const, conditions: [] }
    : law
}

const refusal = ({ result }: Built): string[] => (result.because ? [result.because] : [])

export const newHouse: SchemeRow = {
  kind: 'new_house',
  variants: (site) => {
    const built = newHouseBuild(site)
    return [{ ...lawOf(site, built), because: built.build?.because ?? refusal(built), build: built.build }]
  },
}

/** What is built beside the house of the pro forma. */
interface Part {
  hardCost: number
  hardWords: string
  months: number
  monthsFor: 'basement' | 'unit'
  price: Price
  unit: Build['units'][number]
  builtSqft: number
  names: Build['names']
}

/** A house with further parts. Soft costs and contingency are the same shares of the whole. */
export const withParts = (site: SchemeSite, house: Build, parts: readonly Part[]): Build => {
  const sum = (of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0)
  const added = (project: Project): Project => {
    const { phases, hardCost } = project
    const larger = changedProject(project, { cost: (hardCost + sum((part) => part.hardCost)) / hardCost })
    return {
      ...larger,
      resaleGross: Math.round(project.resaleGross + sum(({ price }) => price.usd)),
      phases: { ...phases, build: phases.build + sum(({ months }) => months) },
    }
  }
  const project = added(house.project)
  const [sold] = house.units
  const prices = [{ usd: sold!.priceUsd!, low: sold!.low! }, ...parts.map(({ price }) => price)]
  return {
    ...house,
    project,
    low: lowCase(project, site, lowShare(prices)),
    units: [...house.units, ...parts.map(({ unit }) => unit)],
    homes: 1 + parts.filter(({ unit }) => unit.role === 'unit').length,
    builtSqft: (house.builtSqft ?? 0) + sum(({ builtSqft }) => builtSqft),
    monthsBasis: [
      house.monthsBasis,
      ...parts.map(({ months, monthsFor }) => `${decimal(months)} for the ${monthsFor}`),
    ].join(', '),
    texts: {
      ...house.texts,
      hardCost: [house.texts.hardCost, ...parts.map(({ hardWords }) => hardWords)].join('; '),
      resaleGross: [house.texts.resaleGross, ...parts.map(({ price }) => usd(price.usd))].join(' + '),
    },
    confidence: lowestConfidence(house.confidence, ...parts.map(({ price }) => price.confidence)),
    isRough: house.isRough || parts.some(({ price }) => price.confidence === 'low'),
    names: [...house.names, ...parts.flatMap(({ names }) => names)],
  }
}

/** As large as the ground floor, in steps of 50 sq ft. */
export const basementOf = ({ assumptions: a }: SchemeSite, { project, builtSqft = 0 }: Build, size?: number): Part => {
  const area = size ?? Math.floor(builtSqft / 2 / 50) * 50
  const perSqft = project.resaleGross / builtSqft
  const [low, high] = assumptionTable.basementPricePct.range.map((end) => (area * perSqft * end) / 100)
  const usdPrice = (area * perSqft * a.basementPricePct) / 100
  const price: Price = {
    ...{ usd: usdPrice, low: Math.min(low!, usdPrice), high: Math.max(high!, usdPrice), confidence: 'low' },
    basis: `${decimal(a.basementPricePct)}% of the price per sq ft above ground.`,
  }
  return {
    hardCost: Math.round((area * (a.basementCostPct / 100) * project.hardCost) / builtSqft),
    hardWords: `a basement of ${sqft(area)}`,
    months: a.basementMonths,
    monthsFor: 'basement',
    price,
    unit: homeUnit('home', 1, area, price),
    builtSqft: area,
    names: ['basementPricePct', 'basementCostPct', 'basementMonths'],
  }
}

/** A detached unit of at most 800 sq ft does not count as floor area, so that it fits beside the largest house. */
const exemptUnitSqft = 800
/** Building the unit beside the house takes this much longer. */
const unitMonths = 1

export const unitOf = ({ accessory, assumptions: a }: SchemeSite): Part | undefined => {
  const detached = accessory?.units
    .filter(({ kind }) => kind === 'detached')
    .map((unit) => ({ ...unit, sqft: Math.min(exemptUnitSqft, unit.sqft) }))
  const [best] =
    detached && accessory?.rents
      ? aduUnits(detached.slice(0, 1), { ...accessory, rents: accessory.rents }, a, () => false)
      : []
  if (!best) return undefined
  const { unit, terms, valueAdded, costUsd } = best
  const price: Price = {
    ...{ ...addedByUnits(valueAdded, costUsd), confidence: 'medium' },
    basis: 'What the unit adds to the price of the home.',
  }
  return {
    hardCost: terms.hardCost!,
    hardWords: `a detached unit of ${sqft(unit.sqft)}`,
    months: unitMonths,
    monthsFor: 'unit',
    price,
    unit: { ...homeUnit('unit', 1, unit.sqft, price), beds: unit.bedrooms },
    builtSqft: unit.sqft,
    names: ['aduFixedUsd', 'aduPerSqftUsd', 'aduNetCapRatePct', 'aduAreaSharePct'],
  }
}

const variantOf = (site: SchemeSite, built: Built, parts: readonly Part[]): Variant => ({
  ...lawOf(site, built),
  because: built.build?.because ?? refusal(built),
  build: built.build && withParts(site, built.build, parts),
})

const allowsBasement = ({ cityFacts }: SchemeSite): boolean => cityFacts?.basementOutsideFloorArea?.value === 'yes'

export const newHouseBasement: SchemeRow = {
  kind: 'new_house_basement',
  variants: (site) => {
    if (!allowsBasement(site)) return []
    const built = newHouseBuild(site)
    return [variantOf(site, built, built.build ? [basementOf(site, built.build)] : [])]
  },
}

export const newHouseAndUnit: SchemeRow = {
  kind: 'new_house_and_unit',
  variants: (site) => {
    const use = site.uses.find(({ scheme }) => scheme === 'add_unit')
    const unit = use && use.allowed !== 'no' ? unitOf(site) : undefined
    if (!use || !unit) return []
    const built = newHouseBuild(site)
    const law = lawOf(site, built)
    const combined = {
      ...law,
      allowed: law.allowed === 'yes' ? use.allowed : law.allowed,
      untestedRules: use.untestedRules.map(({ rule, text, citation }) => ({ rule, text, citation })),
      law: use.law,
    }
    const withUnit = (parts: readonly Part[]): Variant => {
      const { build, ...variant } = variantOf(site, built, parts)
      return { ...variant, ...combined, build: build && withLaw(build, combined) }
    }
    return [
      withUnit([unit]),
      ...(built.build && allowsBasement(site)
        ? [{ ...withUnit([basementOf(site, built.build), unit]), variant: 'basement' as const }]
        : []),
    ]
  },
}
