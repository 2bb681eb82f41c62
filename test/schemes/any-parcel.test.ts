// What holds for every scheme of any parcel at any assumptions: random lots under the real zoning and laws of both markets.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OwnValues } from '../../src/criteria/own-assumptions.ts'
import { assumptionNames, assumptionTable } from '../../src/domain/assumptions/assumptions.ts'
import { overlayNames, type ParcelFacts } from '../../src/domain/facts.ts'
import { packs } from '../../src/domain/packs/use-packs.ts'
import { districtsOf } from '../../src/domain/packs/zoning-tables.ts'
import { bestUses } from '../../src/intelligence/decision/best-use.ts'
import { projectAssumptions } from '../../src/intelligence/proforma/project-duration.ts'
import { isVacantLot } from '../../src/intelligence/site/vacant-lot.ts'
import { bestLead } from '../../src/laws/list.ts'
import { parcelLeads } from '../../src/laws/parcel-leads.ts'
import { computeSchemes, offersOf, schemeFigures } from '../../src/schemes/compute.ts'
import { makeSite } from '../../src/schemes/make-site.ts'
import type { SchemeSite } from '../../src/schemes/site.ts'

const whole = (min: number, max: number) => fc.integer({ min, max })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 5 })

const anyCity = fc
  .constantFrom(...packs())
  .chain((pack) => fc.constantFrom(...pack.cities.map(({ name: city }) => ({ pack, city }))))
  .map(({ pack, city }) => ({ pack, city, codes: districtsOf(pack, city).map(({ codes }) => codes[0]!) }))

/** Own numbers anywhere in their ranges, most of them left as they are. */
const anySet: fc.Arbitrary<OwnValues> = fc
  .subarray(assumptionNames.filter((name) => assumptionTable[name].range[0] < assumptionTable[name].range[1]))
  .chain((names) =>
    fc.record(
      Object.fromEntries(
        names.slice(0, 12).map((name) => {
          const [min, max] = assumptionTable[name].range
          return [name, fc.double({ min, max, noNaN: true })]
        }),
      ),
    ),
  )

const losing = 'It costs more than it adds to the price: selling the house as it is brings more.'
const rent = (amount: number) => ({ amount, basis: 'of the test', asOf: '2026-11-01', source: 'test' })

const anySite: fc.Arbitrary<SchemeSite> = anyCity
  .chain(({ pack, city, codes }) =>
    fc.record({
      ...{
        pack: fc.constant(pack),
        city: fc.constant(city),
        own: anySet,
        zoning: maybe(fc.constantFrom('R-0', ...codes)),
      },
      lotSqft: maybe(whole(1_000, 90_000)),
      livingSqft: maybe(whole(400, 6_000)),
      ...{ lotWidthFt: maybe(whole(25, 200)), slopePct: maybe(whole(0, 45)), garageSqft: maybe(whole(0, 600)) },
      yearBuilt: maybe(whole(1890, 2024)),
      propertyType: fc.constantFrom('single_family', 'single_family', 'single_family', 'land', 'condo', 'multi_family'),
      overlays: fc.dictionary(fc.constantFrom(...overlayNames), fc.constantFrom('yes', 'no', 'no', 'no')),
      value: maybe(whole(300_000, 9_000_000)),
      perSqft: maybe(whole(500, 3_000)),
      arv: maybe(whole(600, 3_500)),
      condition: maybe(whole(5, 60)),
      land: maybe(whole(200_000, 4_000_000)),
      rents: maybe(whole(1_000, 6_000)),
    }),
  )
  .map(({ pack, city, own, value, perSqft, arv, condition, land, rents, zoning, ...lot }) => {
    const given = Object.fromEntries(Object.entries({ ...lot, zoning }).filter(([, each]) => each !== undefined))
    const facts = { id: 'p_001x', market: pack.market.id, city, address: '1 Main St', ...given } as ParcelFacts
    const { byLaw } = parcelLeads(facts, '2026-11-14', pack)
    const accessory = bestLead(byLaw, 'accessory_unit')?.finding
    const known = value && { value, low: Math.round(0.9 * value), high: Math.round(1.1 * value), confidence: 'medium' }
    return makeSite({
      ...{ facts, pack, byLaw, changed: own, ...projectAssumptions(pack, city, undefined, own) },
      comps: arv ? { arvPerSqft: arv, compCount: 9, confidence: 'medium' } : { compCount: 0, confidence: 'low' },
      accessory: accessory && {
        ...{ units: accessory.units, maxUnits: accessory.maxUnits, cityPerSqft: perSqft },
        ...(rents ? { rents: { 0: rent(rents), 1: rent(1.2 * rents), 2: rent(1.5 * rents) } } : {}),
      },
      rentUsd: rents,
      ...(known ? { value: known as SchemeSite['value'] } : {}),
      renovation:
        condition && value
          ? { afterRepairValueUsd: 1.2 * value, conditionNow: condition, confidence: 'medium' }
          : undefined,
      place: {
        ...(perSqft ? { perSqft, sqft: 1_700, lotSqft: 6_000 } : {}),
        ...(land ? { land: { usd: land, lotSqft: 6_000, count: 6 } } : {}),
      },
    } as Parameters<typeof makeSite>[0])
  })

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(numbersIn)
      : []

it('sums equal lines, the low case bears no more, the sign of the return agrees with the profit, unknown stays unknown', () => {
  const counts = new Map<string, number>()
  fc.assert(
    fc.property(anySite, maybe(whole(100_000, 9_000_000)), (site, price) => {
      const computed = computeSchemes(site)
      const beat = price === undefined ? undefined : { usd: price, high: price, against: 'asking' as const }
      for (const each of computed) {
        const scheme = schemeFigures(site, each, { price, beat, withCashFlow: true })
        // A lot that loses at any price is stated, and nothing is NaN or infinite.
        expect(numbersIn(scheme).filter((value) => !Number.isFinite(value))).toEqual([])
        for (const found of [scheme, ...scheme.variants]) {
          counts.set(each.kind, (counts.get(each.kind) ?? 0) + (found.maximumOffer ? 1 : 0))
          const { maximumOffer, maximumOfferLow, lines, cashFlow, totalCost, proceedsNet, profit, irrPct } = found
          if (maximumOffer !== undefined) {
            expect(maximumOfferLow).toBeLessThanOrEqual(maximumOffer)
            // Where no price earns the target the offer is zero, for every use.
            expect(maximumOfferLow).toBeGreaterThanOrEqual(0)
          }
          // Of the targets only the one that the offer leaves is among its assumptions.
          const targets = Object.entries(found.assumptions).filter(([name]) => name.startsWith('target'))
          expect(targets.map(([, value]) => value)).toEqual(targets.length > 0 ? [found.targetReturnPct] : [])
          const { monthsBasis = 'own assumption', months = 0 } = found
          if (!monthsBasis.includes('own assumption')) {
            const named = (monthsBasis.replaceAll(/[\d,]+ sq ft/g, '').match(/[\d.]+/g) ?? []).map(Number)
            expect(Math.abs(named.reduce((all, each) => all + each, 0) - months)).toBeLessThan(0.3)
            if (found.units.length > 1 && each.kind === 'new_house_and_unit')
              counts.set('unit months', (counts.get('unit months') ?? 0) + 1)
          }
          if (found.allowed === 'no') expect(maximumOffer).toBeUndefined()
          // Other answers have the figures of these to the dollar.
          if (found.confidence === 'low' && !/^(keep|rent|renovate|new_house|add_unit)$/.test(each.kind)) {
            const amounts = [maximumOffer, maximumOfferLow, found.gainUsd, ...found.units.map((unit) => unit.priceUsd)]
            expect(amounts.filter((usd = 0) => usd % 50_000 !== 0)).toEqual([])
            if (found.untestedRules.length >= 3) counts.set('untested', (counts.get('untested') ?? 0) + 1)
          }
          if (price === undefined)
            expect([lines, totalCost, found.room, cashFlow]).toEqual([[], undefined, undefined, undefined])
          if (!cashFlow) continue
          const line = (...names: string[]) =>
            lines.reduce((all, { name, usd }) => all + (names.includes(name) ? usd : 0), 0)
          const sum = (name: keyof (typeof cashFlow)[number]) => cashFlow.reduce((all, month) => all + month[name], 0)
          expect({
            ...{ purchase: sum('purchase'), hard: sum('hard'), soft: sum('soft'), fees: sum('fees') },
            ...{ holding: sum('holding'), interest: sum('interest'), proceeds: sum('proceeds'), loan: sum('loan') },
            ...{ equity: sum('equity'), total: totalCost, net: proceedsNet },
          }).toEqual({
            ...{ purchase: line('purchase', 'acquisition'), hard: line('hardCost', 'demoCost', 'contingency') },
            ...{ soft: line('softCosts'), fees: line('points'), holding: line('tax', 'insurance') },
            ...{ interest: line('interest'), proceeds: line('resaleGross', 'sellingCosts'), loan: 0, equity: -profit! },
            total: lines.reduce((all, { of, usd }) => all + (of === 'resale' ? 0 : usd), 0),
            net: line('resaleGross', 'sellingCosts'),
          })
          expect(profit).toBe(proceedsNet! - totalCost!)
          const sold = found.units.reduce((all, { count, priceUsd = 0 }) => all + count * priceUsd, 0)
          // Prices of low confidence are rounded.
          if (found.confidence !== 'low') expect(Math.abs(sold - line('resaleGross'))).toBeLessThan(9)
          if (irrPct !== undefined && Math.abs(irrPct) >= 0.1) expect(Math.sign(irrPct)).toBe(Math.sign(profit!))
          // Where the house stays: what the sale brings beyond it, less what is built.
          if (found.gainUsd) expect(found.because.includes(losing)).toBe(found.gainUsd < 0)
          // What is built by law says which sizes it was chosen from.
          if (/^(two_units|local_dwellings)$/.test(each.kind) && found.builtSqft !== undefined)
            expect(found.because.join(' ')).toContain('in steps of 50 sq ft')
          if (found.breakEven) expect(profit).toBeGreaterThan(0)
        }
      }
      const { facts, value, place, rentUsd, comps } = site
      const offer = (kind: string) => offersOf(computed).find((each) => each.kind === kind)?.maximumOffer
      if (!value)
        expect([offer('keep'), offer('add_unit'), offer('local_dwellings')]).toEqual([undefined, undefined, undefined])
      if (rentUsd === undefined || facts.livingSqft === undefined) expect(offer('rent')).toBeUndefined()
      if (!place.perSqft) expect([offer('small_lots'), offer('transit')]).toEqual([undefined, undefined])
      if (!place.perSqft && comps.compCount === 0) expect(offer('new_house')).toBeUndefined()
      if (facts.lotSqft === undefined)
        expect([offer('new_house'), offer('split'), offer('divide')]).toEqual([undefined, undefined, undefined])
      if (isVacantLot(facts)) expect([offer('rent'), offer('renovate')]).toEqual([undefined, undefined])
      for (const { kind, variants } of computed)
        for (const { variant } of variants) {
          const demolishes = /^new_house/.test(kind) || variant.variant === 'house_goes'
          const isWarned = variant.conditions.some(({ citation }) => citation === 'Gov. Code 66300.6')
          const isLet = facts.overlays.tenantLast3y === 'yes' || facts.overlays.tenantLast5y === 'yes'
          if (demolishes && variant.build) {
            expect(isWarned).toBe(isLet && !isVacantLot(facts) && site.pack?.market.state === 'CA')
            if (isWarned) counts.set('tenant', (counts.get('tenant') ?? 0) + 1)
          }
          // A house that nobody knows may be demolished is not simply allowed.
          if (/^new_house$/.test(kind) && variant.approval === 'unknown') expect(variant.allowed).not.toBe('yes')
        }
      // Best is never something that only keeps or that may be refused.
      const { best, ifApproved } = bestUses(offersOf(computed))
      for (const use of [best, ifApproved])
        if (use)
          expect(use).toMatchObject({
            kind: expect.not.stringMatching(/^(keep|rent)$/),
            allowed: expect.not.stringMatching(/^(no|unknown)$/),
          })
      if (best) {
        expect(best.approval === 'discretionary' || best.allowed === 'conditional').toBe(false)
      }
    }),
    { numRuns: 100 },
  )
  // The parcels reach every scheme.
  for (const kind of [
    'renovate',
    'add_unit',
    'new_house',
    'new_house_and_unit',
    'two_units',
    'split',
    'local_dwellings',
    'divide',
    'untested',
    'unit months',
    'tenant',
  ])
    expect([kind, (counts.get(kind) ?? 0) > 0]).toEqual([kind, true])
})
