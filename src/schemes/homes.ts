// Projects that several schemes share: homes built to be sold, a dwelling beside the house, and land divided into lots.
import type { AssumptionName } from '../domain/assumptions/assumptions.ts'
import type { SchemeUnit } from '../domain/findings/schemes.ts'
import type { Phases } from '../intelligence/cash-flow/schedule.ts'
import { newHouseBuildMonths, newHouseCostPerSqft } from '../intelligence/proforma/new-house.ts'
import { demolitionCost, usualStories } from '../intelligence/proforma/proforma.ts'
import { type LineTexts, type Project, projectOffer } from '../intelligence/proforma/project.ts'
import { lowestConfidence } from '../intelligence/scores/confidence.ts'
import { decimal, plural, sqft as sqftText, usd } from '../intelligence/scores/number-format.ts'
import { allowableArea } from '../intelligence/site/allowable-area.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import { landAssumptions } from '../intelligence/site/land-value.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { homePrice, type Price, products, smallLotShare } from './prices.ts'
import { type Build, bestBuild, lowCase, lowShare, sizesTo, spreadShare } from './scheme.ts'
import type { SchemeSite } from './site.ts'

/** The smallest home that is built to be sold. */
export const leastHomeSqft = 800

export interface HomesPlan {
  count: number
  sqft: number
  /** Of one home. */
  price: Price | undefined
  target: AssumptionName
  /** Percent of hard cost. */
  soft: AssumptionName
  contingency: AssumptionName
  permit: AssumptionName
  sale: AssumptionName
  /** Survey, map, utilities or papers, dollars. */
  mapUsd: number
  mapWords: string
  /** The house on the lot is demolished. */
  demolishes: boolean
  stories?: number
  /** Percent that is added to the cost per square foot of houses. */
  furtherCostPct?: number
  /** Of a building: its hard cost and months, in place of those of houses. */
  building?: { hardCost: number; words: string; months: number }
  names?: readonly AssumptionName[]
}

/** Homes that are built and sold; undefined without a price. Fees are due on area and homes that the lot does not have yet. */
export const homesProject = (site: SchemeSite, plan: HomesPlan): Build | undefined => {
  const { assumptions: a, facts } = site
  const { count, sqft, price, building } = plan
  if (!price) return undefined
  const total = count * sqft
  const had = isVacantLot(facts) ? 0 : (facts.livingSqft ?? 0)
  const newHomes = Math.max(0, count - (isVacantLot(facts) ? 0 : (facts.units ?? 1)))
  const costPerSqft = newHouseCostPerSqft({ sqft, stories: plan.stories, slopePct: facts.slopePct }, a)
  const eachSqft = Math.round(costPerSqft * (100 + (plan.furtherCostPct ?? 0))) / 100
  const hardCost = building?.hardCost ?? Math.round(total * eachSqft)
  const fees = a.impactFeesPerSqft * Math.max(0, total - had) + (a.impactPerHomeUsd + a.connectionUsd) * newHomes
  const fixed = fees + plan.mapUsd
  const phases = {
    permit: a[plan.permit],
    build:
      building?.months ??
      newHouseBuildMonths({ sqft: total, slopePct: facts.slopePct }, a) + a.furtherHomeMonths * (count - 1),
    sale: a[plan.sale],
  }
  const project: Project = {
    hardCost,
    softCosts: Math.round((a[plan.soft] / 100) * hardCost + fixed),
    fixedSoftCosts: fixed,
    demoCost: plan.demolishes ? demolitionCost(had, a) : 0,
    contingency: Math.round((a[plan.contingency] / 100) * hardCost),
    resaleGross: Math.round(count * price.usd),
    phases,
    ratePct: a.ratePct,
  }
  return {
    project,
    target: plan.target,
    // Only the best of some dozen sizes is described.
    get low() {
      return lowCase(project, site, lowShare([price]))
    },
    get units() {
      return [homeUnit('home', count, sqft, price)]
    },
    get monthsBasis() {
      return monthsText(phases)
    },
    get texts() {
      return {
        hardCost: building?.words ?? `${count} × ${sqftText(sqft)} × ${usd(eachSqft)} per sq ft`,
        softCosts: `${decimal(a[plan.soft])}% of the hard cost, fees of ${usd(fees)}${plan.mapUsd > 0 ? ` and ${plan.mapWords} ${usd(plan.mapUsd)}` : ''}`,
        demoCost: plan.demolishes ? 'demolition of the existing house' : 'nothing is demolished',
        contingency: `${decimal(a[plan.contingency])}% of the hard cost`,
        resaleGross: `${count} × ${usd(price.usd)}`,
      }
    },
    homes: count,
    builtSqft: total,
    because: [],
    confidence: price.confidence,
    get names() {
      return [
        ...(price.names ?? []),
        ...[plan.soft, plan.contingency, plan.permit, plan.sale, plan.target],
        ...(['furtherHomeMonths', 'impactPerHomeUsd', 'connectionUsd', 'impactFeesPerSqft'] as const),
        ...(plan.names ?? []),
      ]
    },
  }
}

export const monthsText = ({ permit, build, sale }: Phases): string =>
  [
    `${decimal(tenth(permit))} months of design and permit`,
    ...(build > 0 ? [`${decimal(tenth(build))} to build`] : []),
    `${decimal(tenth(sale))} to sell`,
  ].join(', ')

const tenth = (months: number): number => Math.round(10 * months) / 10

export const homeUnit = (
  role: SchemeUnit['role'],
  count: number,
  sqft: number | undefined,
  price: Price,
): SchemeUnit => ({
  role,
  count,
  ...(sqft === undefined ? {} : { sqft }),
  use: 'sell',
  priceUsd: Math.round(price.usd),
  low: Math.round(price.low),
  high: Math.round(price.high),
  basis: price.basis,
  ...(price.comparables === undefined ? {} : { comparables: price.comparables }),
})

/** The house as it stands, sold with what is added, or on a smaller lot. */
const houseUnit = (sqft: number | undefined, price: Pick<Price, 'usd' | 'low' | 'high'>, basis: string): SchemeUnit =>
  homeUnit('house', 1, sqft, { ...price, confidence: 'high', basis })

const scaled = ({ value, low, high, confidence }: NonNullable<SchemeSite['value']>, factor: number): Price => ({
  ...{ usd: value * factor, low: low * factor, high: high * factor, confidence },
  basis: '',
})

export interface AddedPlan
  extends Pick<Project, 'hardCost' | 'softCosts' | 'phases'>,
    Partial<Pick<Project, 'fixedSoftCosts' | 'contingency'>>,
    Pick<Build, 'units' | 'confidence' | 'names' | 'homes' | 'builtSqft' | 'isRough'> {
  target?: AssumptionName
  words(): Pick<LineTexts, 'hardCost' | 'softCosts'> & Partial<LineTexts>
  /** What it adds to the price of the house, and in the low case. */
  added: Pick<Price, 'usd' | 'low' | 'high'>
  /** What the house loses by it. */
  houseFactor?: number
}

/** A unit adds at least this share of its cost. */
const leastAdded = 0.6
export const addedByUnits = (usd: number, costUsd: number): AddedPlan['added'] => ({
  ...{ usd, low: Math.min(usd, Math.round(leastAdded * costUsd)), high: usd },
})

/** Where the house stays it carries the offer, so that an addition that loses money must say so. */
export const gainOf = (gainUsd: number): Pick<Build, 'gainUsd' | 'because'> => ({
  gainUsd,
  because: gainUsd < 0 ? ['It costs more than it adds to the price: selling the house as it is brings more.'] : [],
})

/** Something is added to the house, and both are sold together. Undefined without a value of the house. */
export const addedProject = (site: SchemeSite, plan: AddedPlan): Build | undefined => {
  const { assumptions: a, facts, value } = site
  if (!value) return undefined
  const { added, phases, target = 'targetUnitPct' } = plan
  const house = scaled(value, plan.houseFactor ?? 1)
  const project: Project = {
    hardCost: plan.hardCost,
    softCosts: plan.softCosts,
    fixedSoftCosts: plan.fixedSoftCosts ?? 0,
    demoCost: 0,
    contingency: plan.contingency ?? 0,
    resaleGross: Math.round(house.usd + added.usd),
    phases,
    ratePct: a.ratePct,
  }
  const { hardCost, softCosts, contingency } = project
  return {
    ...gainOf(project.resaleGross - value.value - hardCost - softCosts - contingency),
    project,
    get low() {
      // What is added is in doubt, not the house that stands.
      return lowCase(project, site, (house.usd + added.low) / (house.usd + added.usd))
    },
    target,
    get units() {
      return [houseUnit(facts.livingSqft, house, 'The estimated value of the house as it stands.'), ...plan.units]
    },
    homes: plan.homes,
    builtSqft: plan.builtSqft,
    get monthsBasis() {
      return monthsText(phases)
    },
    get texts() {
      return {
        demoCost: 'nothing is demolished',
        contingency: 'part of the soft costs',
        resaleGross: `${usd(house.usd)} for the house and ${usd(added.usd)} for what is added`,
        ...plan.words(),
      }
    },
    confidence: lowestConfidence(value.confidence, plan.confidence),
    isRough: plan.isRough ?? false,
    names: [target, ...plan.names],
  }
}

/** A further dwelling on the lot, sold together with the house, of the size that could bear most. */
export const secondDwelling = (
  site: SchemeSite,
  most: number,
  homes: number,
  target: AssumptionName,
  least = leastHomeSqft,
) => {
  const dwellings = sizesTo(Math.min(least, most), most).map((sqft) => dwellingOf(site, sqft, homes, target))
  const build = bestBuild(site, dwellings)
  const reason = `Of sizes to ${sqftText(most)} in steps of 50 sq ft, what could bear most.`
  return build && Object.assign(build, { because: [reason, ...build.because] })
}

export const dwellingOf = (
  site: SchemeSite,
  sqft: number,
  homes: number,
  target: AssumptionName,
): Build | undefined => {
  const { assumptions: a, facts, place } = site
  const price = homePrice(place, products.secondHouse, { sqft, lotSqft: facts.lotSqft }, a)
  if (!price) return undefined
  const costPerSqft = newHouseCostPerSqft({ sqft, slopePct: facts.slopePct }, a)
  const hardCost = Math.round(sqft * costPerSqft)
  const fees = a.impactFeesPerSqft * sqft + a.impactPerHomeUsd + a.connectionUsd
  const phases = {
    permit: site.permit.months,
    build: newHouseBuildMonths({ sqft, slopePct: facts.slopePct }, a),
    sale: a.severalSaleMonths,
  }
  return addedProject(site, {
    get units() {
      return [homeUnit('home', 1, sqft, price)]
    },
    target,
    hardCost,
    softCosts: Math.round((a.furtherSoftPct / 100) * hardCost + fees),
    fixedSoftCosts: fees,
    words: () => ({
      hardCost: `${sqftText(sqft)} × ${usd(costPerSqft)} per sq ft`,
      softCosts: `${decimal(a.furtherSoftPct)}% of the hard cost and fees of ${usd(fees)}`,
      contingency: `${decimal(a.furtherContingencyPct)}% of the hard cost`,
    }),
    contingency: Math.round((a.furtherContingencyPct / 100) * hardCost),
    added: price,
    phases,
    confidence: 'low',
    names: [...(price.names ?? []), 'furtherSoftPct', 'furtherContingencyPct', 'severalSaleMonths'],
    homes,
    builtSqft: sqft,
  })
}

/** What the land sales nearby say of a lot of this size. Undefined where they are of lots much larger or smaller. */
export const landPrice = (land: SchemeSite['place']['land'], lotSqft: number): number | undefined =>
  land && lotSqft >= smallLotShare * land.lotSqft && land.lotSqft >= smallLotShare * lotSqft
    ? land.usd * (lotSqft / land.lotSqft) ** landAssumptions.elasticity.value
    : undefined

/** A lot that is sold: what five sales of land say, else what a builder of one house on it could pay. */
export const lotPrice = (site: SchemeSite, lotSqft: number, isShared: boolean): Price | undefined => {
  const { land } = site.place
  const sold = landPrice(land, lotSqft)
  if (land && sold !== undefined) {
    const spread = spreadShare(site, 'medium')
    const access = isShared ? 1 - site.assumptions.sharedAccessPct / 100 : 1
    const usdPrice = access * sold
    return {
      ...{ usd: usdPrice, low: spread * usdPrice, high: (2 - spread) * usdPrice, confidence: 'medium' },
      ...{
        basis: `From ${plural(land.count, 'sale')} of land nearby, for this place and size.`,
        comparables: land.count,
      },
    }
  }
  const built = houseOnLot(site, lotSqft, isShared)
  if (!built) return undefined
  const { assumptions: a } = site
  const [base, low] = [built.project, built.low].map((project) => projectOffer(project, a, a.targetRoiPct, 0))
  if (!base) return undefined
  const size = built.units[0]!.sqft!
  return {
    ...{ usd: base, low: low!, high: 2 * base - low!, confidence: 'low' },
    basis: `What a builder of a house of ${sqftText(size)} on ${sqftText(lotSqft)} could pay.`,
  }
}

/** The house that the buyer of a new lot would build. */
const houseOnLot = (site: SchemeSite, lotSqft: number, isShared: boolean): Build | undefined => {
  const { facts, district } = site
  const { lotWidthFt: _w, lotDepthFt: _d, ...shapeless } = facts
  const most = allowableArea(buildingEnvelope({ ...shapeless, lotSqft }, district))?.buildableSqft
  const bare: SchemeSite = {
    ...site,
    facts: { ...facts, propertyType: 'land', livingSqft: undefined, units: undefined },
  }
  return most === undefined
    ? undefined
    : bestBuild(
        site,
        sizesTo(Math.min(leastHomeSqft, most), most).map((sqft) => lotHouse(bare, sqft, lotSqft, isShared)),
      )
}

/** `site`: a vacant lot. */
export const lotHouse = (site: SchemeSite, sqft: number, lotSqft: number, isShared: boolean): Build | undefined =>
  homesProject(site, {
    ...{ count: 1, sqft, target: 'targetRoiPct', soft: 'furtherSoftPct' },
    price: homePrice(site.place, products.house, { sqft, lotSqft, isShared }, site.assumptions),
    ...{ contingency: 'furtherContingencyPct', permit: 'dividePermitMonths', sale: 'severalSaleMonths' },
    ...{ mapUsd: 0, mapWords: '', demolishes: false, stories: usualStories(site.envelope.stories) },
  })

interface LandPlan {
  /** The lots that are sold without a house, their size, and whether they share an access. */
  lots: number
  lotSqft: number
  isShared: boolean
  /** The house is sold on what is left of the lot. */
  keepsHouse: boolean
  target: AssumptionName
  permit: AssumptionName
  sale: AssumptionName
  mapUsd: number
  mapName: AssumptionName
}

/** Nothing is built: the land is divided and sold, with the house on one of the lots where it stays. */
export const landProject = (site: SchemeSite, plan: LandPlan): Build | undefined => {
  const { assumptions: a, facts, value } = site
  const { lots, lotSqft, keepsHouse } = plan
  const price = lotPrice(site, lotSqft, plan.isShared)
  if (!price || !facts.lotSqft || (keepsHouse && !value)) return undefined
  const left = facts.lotSqft - lots * lotSqft
  const house = keepsHouse ? scaled(value!, (left / facts.lotSqft) ** a.priceLotExponent) : undefined
  const sold = { usd: lots * price.usd, low: lots * price.low, high: lots * price.high }
  const phases = { permit: a[plan.permit], build: 0, sale: a[plan.sale] }
  const hasHouse = !isVacantLot(facts)
  const project: Project = {
    hardCost: 0,
    softCosts: Math.round(plan.mapUsd),
    fixedSoftCosts: Math.round(plan.mapUsd),
    demoCost: hasHouse && !keepsHouse ? demolitionCost(facts.livingSqft ?? 0, a) : 0,
    contingency: 0,
    resaleGross: Math.round(sold.usd + (house?.usd ?? 0)),
    phases,
    ratePct: a.ratePct,
  }
  return {
    ...(house ? gainOf(project.resaleGross - value!.value - project.softCosts) : { because: [] }),
    project,
    low: lowCase(project, site, lowShare([sold, ...(house ? [house] : [])])),
    target: plan.target,
    units: [
      ...(house ? [houseUnit(facts.livingSqft, house, `Its value, less for a lot of ${sqftText(left)}.`)] : []),
      homeUnit('lot', lots, lotSqft, price),
    ],
    homes: lots + (house ? 1 : 0),
    builtSqft: 0,
    monthsBasis: monthsText(phases),
    texts: {
      hardCost: 'nothing is built',
      softCosts: 'survey, map, legal and utilities',
      demoCost: project.demoCost > 0 ? 'demolition of the existing house' : 'nothing is demolished',
      contingency: 'nothing is built',
      resaleGross: `${lots} × ${usd(price.usd)}${house ? ` and ${usd(house.usd)} for the house on ${sqftText(left)}` : ''}`,
    },
    confidence: lowestConfidence(price.confidence, house?.confidence),
    names: ['priceLotExponent', plan.mapName, plan.permit, plan.sale, plan.target],
  }
}
