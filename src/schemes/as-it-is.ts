// Uses that build nothing new: keep the home, let it, or renovate and resell it.
import { isDefault } from '../domain/assumptions/assumptions.ts'
import { rentOffer } from '../intelligence/decision/offers.ts'
import { holdOf } from '../intelligence/proforma/hold.ts'
import { renovationOf } from '../intelligence/scores/flippability.ts'
import { decimal, sqft, usd } from '../intelligence/scores/number-format.ts'
import { renovationApproval } from '../intelligence/site/demolition-approval.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { gainOf, monthsText } from './homes.ts'
import { type Build, byZoning, lowCase, type SchemeRow, spreadShare } from './scheme.ts'
import type { SchemeSite } from './site.ts'

export const keep: SchemeRow = {
  kind: 'keep',
  variants: ({ value, facts }) => [
    {
      ...byZoning('none'),
      because: value ? [] : ['Its value is not known.'],
      bears: value && {
        maximumOffer: value.value,
        maximumOfferLow: value.low,
        confidence: value.confidence,
        names: [],
        ...(facts.units === undefined ? {} : { homes: facts.units }),
        units: [
          {
            ...{ role: 'house' as const, count: 1, use: 'keep' as const, priceUsd: value.value },
            ...{ low: value.low, high: value.high, basis: 'The estimated value as it stands.' },
            ...(facts.livingSqft === undefined ? {} : { sqft: facts.livingSqft }),
          },
        ],
      },
    },
  ],
}

export const rent: SchemeRow = {
  kind: 'rent',
  variants: (site) => {
    const { rentUsd, facts, assumptions, pack, value } = site
    if (isVacantLot(facts)) return []
    const { livingSqft } = facts
    const hasTerms = rentUsd !== undefined && livingSqft !== undefined
    // The offer does not depend on the price; the yield does.
    const holdAt = (priceUsd: number) =>
      holdOf({ priceUsd, rentUsd: rentUsd!, livingSqft: livingSqft! }, assumptions, (name) => isDefault(pack, name))
    const offerAt = (price: number) => rentOffer(holdAt(price), assumptions.targetHoldYieldPct)
    const offer = hasTerms ? offerAt(value?.value ?? 1_000_000) : undefined
    return [
      {
        ...byZoning('none'),
        because: hasTerms ? [] : ['Its rent or its living area is not known.'],
        bears: offer && {
          maximumOffer: offer.maximumOffer,
          maximumOfferLow: offer.maximumOfferLow ?? 0,
          target: 'targetHoldYieldPct',
          yieldPctAt: (price) => offerAt(price).yieldPct,
          confidence: 'medium',
          names: ['targetHoldYieldPct', 'vacancyPct', 'operatingCostPct', 'propertyTaxPct', 'landlordInsurancePct'],
          units: [
            {
              ...{ role: 'house' as const, count: 1, use: 'rent' as const, monthlyRent: rentUsd! },
              ...(livingSqft === undefined ? {} : { sqft: livingSqft }),
              ...(facts.beds === undefined ? {} : { beds: Math.round(facts.beds) }),
            },
          ],
        },
      },
    ]
  },
}

export const renovate: SchemeRow = {
  kind: 'renovate',
  variants: (site) => {
    if (isVacantLot(site.facts)) return []
    const build = renovationBuild(site)
    return [
      {
        ...byZoning(renovationApproval(site.pack?.market.demolitionReview)),
        because: build?.because ?? ['It needs no renovation, or what it would then sell for is not known.'],
        build,
      },
    ]
  },
}

const renovationBuild = (site: SchemeSite): Build | undefined => {
  const { renovation, facts, assumptions, pack, changed } = site
  const flip =
    renovation &&
    renovationOf(
      {
        ...renovation,
        pack,
        livingSqft: facts.livingSqft,
        conditionScore: renovation.conditionNow,
        costs: assumptions,
      },
      changed,
    )
  if (!renovation || !flip) return undefined
  const { project, costPerSqftUsd } = flip
  const { hardCost, softCosts, contingency, resaleGross } = project
  const workUsd = hardCost + softCosts + contingency
  return {
    because: [],
    ...(site.value ? gainOf(Math.round(resaleGross - site.value.value - workUsd)) : {}),
    project,
    low: lowCase(project, site, spreadShare(site, renovation.confidence)),
    target: 'targetRenovatePct',
    units: [
      {
        ...{ role: 'house', count: 1, use: 'sell', priceUsd: Math.round(project.resaleGross) },
        ...(facts.livingSqft === undefined ? {} : { sqft: facts.livingSqft }),
        basis: 'Its value in the condition that the renovation reaches.',
      },
    ],
    homes: 1,
    builtSqft: 0,
    monthsBasis: monthsText(project.phases),
    texts: {
      hardCost: `${sqft(facts.livingSqft!)} × ${usd(costPerSqftUsd)} per sq ft`,
      softCosts: `${decimal(share(project.softCosts, project.hardCost))}% of the hard cost`,
      demoCost: 'nothing is demolished',
      contingency: `${decimal(share(project.contingency, project.hardCost))}% of the hard cost`,
      resaleGross: 'the house in the condition that the renovation reaches',
    },
    confidence: renovation.confidence,
    names: ['targetRenovatePct', 'baseCostPerSqft'],
  }
}

const share = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10
