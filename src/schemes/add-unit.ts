// The house stays and accessory units are added. The best unit is that of `adu.economics`, the best set that of `adu.bestSet`.
import { assumptionTable } from '../domain/assumptions/assumptions.ts'
import type { AduEconomics } from '../domain/findings/rent.ts'
import type { Phases } from '../intelligence/cash-flow/schedule.ts'
import { aduBestSet, aduUnits } from '../intelligence/proforma/adu-economics.ts'
import { sqft } from '../intelligence/scores/number-format.ts'
import { renovationApproval } from '../intelligence/site/demolition-approval.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { addedByUnits, addedProject, gainOf } from './homes.ts'
import { type Build, byLaw, type SchemeRow, type Variant, withLaw } from './scheme.ts'
import type { LawUse, SchemeSite } from './site.ts'

const phasesOf = ({ assumptions: a }: SchemeSite, chosen: readonly AduEconomics[]): Phases => {
  const largest = Math.max(...chosen.map(({ unit }) => unit.sqft))
  const build = a.aduBuildBaseMonths + (a.aduBuildMonthsPer1000Sqft * largest) / 1_000
  return { permit: a.aduPermitMonths, build, sale: a.saleMonths }
}

const unitsBuild = (site: SchemeSite, chosen: readonly AduEconomics[]): Build | undefined => {
  const sum = (of: (each: AduEconomics) => number) => chosen.reduce((all, each) => all + of(each), 0)
  const costUsd = sum((each) => each.costUsd)
  const hardCost = sum(({ terms }) => terms.hardCost!)
  return addedProject(site, {
    units: chosen.map(({ unit, valueAdded, monthlyRent }) => ({
      ...{ role: 'unit', count: 1, sqft: unit.sqft, beds: unit.bedrooms, use: 'sell' },
      ...{ priceUsd: valueAdded, monthlyRent: monthlyRent.amount },
      basis: 'What it adds to the price of the home.',
    })),
    hardCost,
    softCosts: costUsd - hardCost,
    words: () => ({
      hardCost: chosen.map(({ unit }) => `${unit.kind} unit of ${sqft(unit.sqft)}`).join(', '),
      softCosts: 'design, permits and contingency of the unit',
    }),
    added: addedByUnits(
      sum(({ valueAdded }) => valueAdded),
      costUsd,
    ),
    phases: phasesOf(site, chosen),
    confidence: 'medium',
    names: [
      ...(['aduPermitMonths', 'aduBuildBaseMonths', 'aduBuildMonthsPer1000Sqft'] as const),
      ...(['aduNetCapRatePct', 'aduAreaSharePct'] as const),
    ],
    homes: (site.facts.units ?? 1) + chosen.length,
    builtSqft: sum(({ unit }) => unit.sqft),
  })
}

/** The unit is sold apart from the house, where the city lets it be. */
const soldApart = (site: SchemeSite, best: AduEconomics): Build | undefined => {
  const { assumptions: a, accessory, facts } = site
  const perSqft = accessory?.cityPerSqft ?? site.place.perSqft
  if (!perSqft) return undefined
  const { unit, costUsd, terms } = best
  const usd = Math.round((a.unitCondoPct / 100) * perSqft * unit.sqft * (unit.sqft / 1_000) ** -0.15)
  const { value, range } = assumptionTable.unitCondoPct
  const price = { usd, low: (usd * range[0]) / value, high: (usd * range[1]) / value }
  const build = addedProject(site, {
    units: [
      {
        ...{ role: 'unit', count: 1, sqft: unit.sqft, beds: unit.bedrooms, use: 'sell', priceUsd: usd },
        basis: 'By formula; no series of such sales exists.',
      },
    ],
    hardCost: terms.hardCost!,
    softCosts: costUsd - terms.hardCost! + a.condoPapersUsd,
    fixedSoftCosts: a.condoPapersUsd,
    words: () => ({
      hardCost: `${unit.kind} unit of ${sqft(unit.sqft)}`,
      softCosts: 'design, permits and contingency of the unit, and condominium papers',
    }),
    added: price,
    houseFactor: 1 - a.unitCondoHousePct / 100,
    phases: { ...phasesOf(site, [best]), sale: 2 * a.saleMonths },
    confidence: 'low',
    isRough: true,
    names: ['unitCondoPct', 'unitCondoHousePct', 'condoPapersUsd'],
    homes: (facts.units ?? 1) + 1,
    builtSqft: unit.sqft,
  })
  const lost = (a.unitCondoHousePct / 100) * (site.value?.value ?? 0)
  const net = usd * (1 - a.sellingCostPct / 100)
  return build && Object.assign(build, gainOf(Math.round(net - a.condoPapersUsd - lost - costUsd)))
}

const noRent = 'The rent or the cost of the unit is not known.'

export const addUnit: SchemeRow = {
  kind: 'add_unit',
  variants: (site) => {
    const { accessory, assumptions, cityFacts, facts } = site
    const use = site.uses.find(({ scheme }) => scheme === 'add_unit')
    if (!use || isVacantLot(facts)) return []
    const law = unitLaw(use, site)
    const choices =
      accessory?.rents && use.allowed !== 'no'
        ? aduUnits(accessory.units, { ...accessory, rents: accessory.rents }, assumptions, () => false)
        : []
    const [best] = choices
    if (!best) return [{ ...law, because: use.allowed === 'no' ? use.because : [noRent] }]
    const set = aduBestSet(choices, accessory?.maxUnits)
    const inSet = (set?.units ?? []).flatMap((unit) => choices.find((each) => each.unit === unit) ?? [])
    const variant = (build: Build | undefined, more: Partial<Variant> = {}): Variant => ({
      ...law,
      because: build?.because ?? ['The value of the house is not known.'],
      build: build && withLaw(build, law),
      ...more,
    })
    const optIn = cityFacts?.aduCondoOptIn
    const single = variant(unitsBuild(site, [best]))
    const several = inSet.length > 1 ? [variant(unitsBuild(site, inSet), { variant: 'set' })] : []
    const apart: Variant[] =
      optIn?.value === 'yes'
        ? [variant(soldApart(site, best), { variant: 'sell_unit' })]
        : optIn
          ? [
              {
                ...law,
                ...{ variant: 'sell_unit', allowed: 'no', untestedRules: [] },
                because: [`The city does not let units be sold apart: ${optIn.source} (${optIn.asOf}).`],
              },
            ]
          : []
    return [single, ...several, ...apart]
  },
}

/** A change of the look where a commission decides on it. */
const unitLaw = (use: LawUse, site: SchemeSite) => {
  const law = byLaw(use, site, false)
  return law.approval === 'ministerial' && renovationApproval(site.pack?.market.demolitionReview) === 'design_review'
    ? { ...law, approval: 'design_review' as const }
    : law
}
