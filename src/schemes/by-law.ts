// Uses that a law opens: two homes on a lot, a split, small lots, a building near transit, further dwellings, a division into lots.
import type { Confidence } from '../domain/facts.ts'
import { usualStories } from '../intelligence/proforma/proforma.ts'
import { resaleSpread } from '../intelligence/proforma/proforma-cases.ts'
import { decimal, sqft as sqftText, usd } from '../intelligence/scores/number-format.ts'
import { allowableArea } from '../intelligence/site/allowable-area.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import { sharesAccess } from '../intelligence/site/setback-lines.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { homesProject, landProject, leastHomeSqft, secondDwelling } from './homes.ts'
import { halfLotPrice, homePrice, type Product, products } from './prices.ts'
import {
  type Build,
  bestBuild,
  chosen,
  lawVariants,
  noFigures,
  type SchemeRow,
  sizesTo,
  type Variant,
} from './scheme.ts'
import type { LawUse, SchemeSite } from './site.ts'

const livableSqft = ({ envelope }: SchemeSite): number | undefined => allowableArea(envelope)?.buildableSqft

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

/** The pair of count and size that could bear most, with the reason. */
const bestPair = (
  site: SchemeSite,
  counts: readonly number[],
  sizes: (count: number) => readonly number[],
  build: (count: number, sqft: number) => Build | undefined,
): Build | undefined => {
  const builds = counts.flatMap((count) => sizes(count).map((sqft) => build(count, sqft)))
  const best = bestBuild(site, builds)
  if (!best) return undefined
  const { homes: count = 1, builtSqft = 0 } = best
  return Object.assign(best, { because: [chosen(count, builtSqft / count, counts[0]!, counts.at(-1)!)] })
}

/** Two homes of the size that could bear most. */
const bestTwo = (site: SchemeSite, sizes: readonly number[], build: typeof duplex) => {
  const sized = (_: number, sqft: number) => build(site, sqft)
  return bestPair(site, [2], () => sizes, sized)
}

const furtherTerms = {
  soft: 'furtherSoftPct',
  contingency: 'furtherContingencyPct',
  sale: 'severalSaleMonths',
} as const

/** Two attached homes in place of the house. */
export const duplex = (site: SchemeSite, sqft: number): Build | undefined => {
  const { assumptions: a, place, facts } = site
  const price = homePrice(place, products.duplexHalf, { sqft }, a)
  return homesProject(site, {
    ...{ ...furtherTerms, count: 2, sqft, price },
    ...{ target: 'targetTwoUnitsPct', permit: 'twoUnitsPermitMonths' },
    ...{ mapUsd: a.condoPapersUsd, mapWords: 'condominium papers of', demolishes: !isVacantLot(facts) },
    ...{ stories: usualStories(site.envelope.stories), furtherCostPct: a.attachedCostPct },
    names: ['attachedCostPct', 'condoPapersUsd'],
  })
}

export const twoUnits: SchemeRow = {
  kind: 'two_units',
  variants: (site) =>
    lawVariants(site, 'two_units', (use, goes) => {
      const guaranteed = use.sizes?.guaranteedUnitSqft ?? leastHomeSqft
      const livable = livableSqft(site)
      if (use.variant === 'house_stays') {
        const left = livable === undefined ? 0 : livable - (site.facts.livingSqft ?? livable)
        return secondDwelling(site, Math.max(guaranteed, left), 2, 'targetTwoUnitsPct')
      }
      if (!goes && !isVacantLot(site.facts)) return undefined
      const most = Math.max(guaranteed, Math.floor((livable ?? 0) / 2))
      return bestTwo(site, sizesTo(guaranteed, most), duplex)
    }),
}

/** Two houses, each on a lot of its own. */
export const splitHouses = (site: SchemeSite, sqft: number): Build | undefined => {
  const { assumptions: a, place, facts } = site
  const lotSqft = Math.floor((facts.lotSqft ?? 0) / 2)
  if (lotSqft <= 0) return undefined
  const spread = (confidence: Confidence) => resaleSpread(a, confidence)
  const price =
    halfLotPrice(place, sqft, spread) ??
    homePrice(place, products.house, { sqft, lotSqft, isShared: sharesAccess(facts) }, a)
  return homesProject(site, {
    ...{ ...furtherTerms, count: 2, sqft, price },
    ...{ target: 'targetSplitPct', permit: 'splitPermitMonths', mapUsd: a.splitUsd, mapWords: 'survey and map of' },
    ...{ demolishes: !isVacantLot(facts), stories: usualStories(site.envelope.stories), names: ['splitUsd'] },
  })
}

/** The smaller lot of a split: at least 40% of the land. */
const lesserShare = 0.4

export const splitHouseStays = (site: SchemeSite): Build | undefined => {
  const { lotSqft = 0 } = site.facts
  return landProject(site, {
    ...{
      lots: 1,
      lotSqft: Math.ceil(Math.max(1_200, lesserShare * lotSqft)),
      isShared: sharesAccess(site.facts),
      keepsHouse: true,
    },
    ...{ target: 'targetSplitPct', permit: 'splitPermitMonths', sale: 'severalSaleMonths' },
    ...{ mapUsd: site.assumptions.splitUsd, mapName: 'splitUsd' },
  })
}

export const split: SchemeRow = {
  kind: 'split',
  variants: (site) =>
    lawVariants(site, 'split', (use) => {
      const { facts, district } = site
      if (use.variant === 'house_stays') return splitHouseStays(site)
      const half = Math.floor((facts.lotSqft ?? 0) / 2)
      const { lotWidthFt: _w, lotDepthFt: _d, ...shapeless } = facts
      const guaranteed = use.sizes?.guaranteedUnitSqft ?? leastHomeSqft
      const allowed = allowableArea(buildingEnvelope({ ...shapeless, lotSqft: half }, district))?.buildableSqft ?? 0
      return bestTwo(site, sizesTo(guaranteed, Math.max(guaranteed, allowed)), splitHouses)
    }),
}

/** Houses of three floors on lots of their own, which share a drive. */
export const smallLotHouses = (site: SchemeSite, count: number, sqft: number): Build | undefined => {
  const { assumptions: a, place, facts } = site
  const lotSqft = Math.floor((facts.lotSqft ?? 0) / count)
  const price = homePrice(place, products.house, { sqft, lotSqft, isShared: true }, a)
  return homesProject(site, {
    ...{ count, sqft, price, target: 'targetSmallLotsPct', soft: 'smallLotsSoftPct' },
    ...{ contingency: 'furtherContingencyPct', permit: 'smallLotsPermitMonths', sale: 'smallLotsSaleMonths' },
    ...{ mapUsd: a.splitUsd + a.furtherLotUsd * (count - 2), mapWords: 'survey and map of' },
    ...{ demolishes: !isVacantLot(facts), stories: 3, names: ['splitUsd', 'furtherLotUsd', 'sharedAccessPct'] },
  })
}

export const smallLots: SchemeRow = {
  kind: 'small_lots',
  variants: (site) =>
    lawVariants(site, 'small_lots', ({ lots, leastHomes = 2, sizes }) => {
      if (!lots) return undefined
      const each = (count: number) =>
        Math.min(
          sizes?.averageUnitSqft ?? Number.POSITIVE_INFINITY,
          (sizes?.floorAreaSqft ?? Number.POSITIVE_INFINITY) / count,
        )
      return bestPair(
        site,
        range(Math.max(2, leastHomes), lots),
        (count) => sizesTo(leastHomeSqft, Math.min(each(count), 3_000)),
        (count, sqft) => smallLotHouses(site, count, sqft),
      )
    }),
}

/** Money only to so many homes: above, some are for lower incomes. */
const mostHomesWithMoney = 10
/** Sizes that such homes have, and what one floor area needs. */
const buildingKinds = {
  townhouses: { product: products.townhouse, sizes: [1_100, 1_750], stalls: 1 },
  flats: { product: products.flat, sizes: [600, 1_200], stalls: 0.8 },
} as const

export const buildingHomes = (
  site: SchemeSite,
  kind: keyof typeof buildingKinds,
  count: number,
  sqft: number,
): Build | undefined => {
  const { assumptions: a, place, facts } = site
  const { product, stalls }: { product: Product; stalls: number } = buildingKinds[kind]
  const price = homePrice(place, product, { sqft }, a)
  const gross = (count * sqft) / (a.buildingNetPct / 100)
  const perSqft = Math.round(a.buildingCostPerSqft * (a.baseCostPerSqft / 500))
  const parked = Math.round(count * stalls * a.stallsPerHome)
  return homesProject(site, {
    ...{ count, sqft, price, target: 'targetTransitPct', soft: 'buildingSoftPct' },
    ...{ contingency: 'furtherContingencyPct', permit: 'transitPermitMonths', sale: 'buildingSaleMonths' },
    ...{ mapUsd: a.condoPapersUsd, mapWords: 'condominium papers of' },
    demolishes: !isVacantLot(facts),
    building: {
      hardCost: Math.round(gross * perSqft + parked * a.stallUsd),
      words: `${sqftText(gross)} gross × ${usd(perSqft)} per sq ft and ${decimal(parked)} parking stalls`,
      months: a.buildingBuildMonths,
    },
    names: ['buildingCostPerSqft', 'buildingNetPct', 'stallUsd', 'stallsPerHome', 'condoPapersUsd'],
  })
}

export const transit: SchemeRow = {
  kind: 'transit',
  variants: (site) => {
    const variant = (kind: keyof typeof buildingKinds): Variant[] =>
      lawVariants(site, 'transit', ({ homes, leastHomes, sizes }) => {
        const least = Math.max(2, leastHomes ?? 5)
        const most = Math.min(homes ?? 0, mostHomesWithMoney)
        const [from, to] = buildingKinds[kind].sizes
        const net = ((sizes?.floorAreaSqft ?? 0) * site.assumptions.buildingNetPct) / 100
        return most < least
          ? undefined
          : bestPair(
              site,
              range(least, most),
              (count) => sizesTo(from, Math.min(to, net / count, sizes?.averageUnitSqft ?? to)),
              (count, sqft) => buildingHomes(site, kind, count, sqft),
            )
      }).map((each) => ({
        ...each,
        variant: kind,
        because: each.because.map((text) => (text === noFigures ? noMoney : text)),
      }))
    return [...variant('townhouses'), ...variant('flats')]
  },
}
const noMoney = `Money is computed only to ${mostHomesWithMoney} homes; above, some of them are for lower incomes.`

/** The smallest further dwelling that is built in practice. */
const leastDwellingSqft = 350

export const localDwellings: SchemeRow = {
  kind: 'local_dwellings',
  variants: (site) =>
    lawVariants(site, 'local_dwellings', ({ sizes, homes = 2 }) => {
      const most = Math.min(sizes?.largestUnitSqft ?? 0, 3_500)
      return most < leastDwellingSqft
        ? undefined
        : secondDwelling(site, most, homes, 'targetUnitPct', leastDwellingSqft)
    }),
}

export const dividedLots = (site: SchemeSite, lots: number, keepsHouse: boolean): Build | undefined => {
  const { assumptions: a, facts } = site
  return landProject(site, {
    ...{
      lots: keepsHouse ? lots - 1 : lots,
      lotSqft: Math.floor((facts.lotSqft ?? 0) / lots),
      isShared: false,
      keepsHouse,
    },
    ...{ target: 'targetDividePct', permit: 'dividePermitMonths', sale: 'lotSaleMonths' },
    ...{ mapUsd: a.divideUsd + a.furtherLotUsd * (lots - 2), mapName: 'divideUsd' },
  })
}

export const divide: SchemeRow = {
  kind: 'divide',
  variants: (site) => {
    const best = (keepsHouse: boolean) => (use: LawUse) => {
      const builds = range(2, use.lots ?? 0).map((lots) => dividedLots(site, lots, keepsHouse))
      return bestBuild(site, builds)
    }
    if (isVacantLot(site.facts)) return lawVariants(site, 'divide', best(false))
    const uses = site.uses.filter(({ scheme }) => scheme === 'divide')
    const named = (variant: 'house_stays' | 'house_goes') => {
      const ofVariant = { ...site, uses: uses.map((use) => ({ ...use, variant })) }
      return lawVariants(ofVariant, 'divide', best(variant === 'house_stays'))
    }
    return [...named('house_stays'), ...named('house_goes')]
  },
}
