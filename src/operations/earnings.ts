// What a home earns when it is let, and what an accessory unit on its lot costs and earns.

import { assumptionsWith, type OwnValues } from '../criteria/own-assumptions.ts'
import { type AssumptionName, isDefault } from '../domain/assumptions/assumptions.ts'
import type { MarketId, ParcelFacts } from '../domain/facts.ts'
import type { StoredAduFinding } from '../domain/findings/adu.ts'
import type { AduEarnings, EarningsUnavailable, MonthlyRent } from '../domain/findings/rent.ts'
import { countyIn } from '../domain/packs/pack.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { aduBestSet, aduUnits, aduVerdict } from '../intelligence/proforma/adu-economics.ts'
import { holdOf, type IsDefault } from '../intelligence/proforma/hold.ts'
import { monthlyRent, rentFor, rentIndex } from '../intelligence/proforma/rent.ts'
import type { AssessmentRow } from '../store/properties/properties.ts'
import { marketRents } from '../store/properties/rents.ts'
import type { PropertyDetail } from '../wire/property.ts'
import type { Context } from './context.ts'
import type { VisibleProperty } from './visible-property.ts'

type Earnings = Pick<PropertyDetail, 'monthlyRent' | 'rentUnavailable' | 'hold' | 'holdUnavailable' | 'adu'>

/** `priceUsd`: the price it is bought at; undefined without one. */
export const earningsOf = async (
  context: Pick<Context, 'db' | 'now'>,
  visible: VisibleProperty,
  { priceUsd, leads = [] }: { priceUsd: number | undefined; leads?: AssessmentRow['leads'] | undefined },
  ownValues: OwnValues = {},
): Promise<Earnings> => {
  const { property, facts } = visible
  const { market, city } = property
  const rent = await rentOf(context, visible)
  const lead = leads.find(({ kind }) => kind === 'accessory_unit')?.finding as StoredAduFinding | undefined
  return {
    ...('amount' in rent ? { monthlyRent: rent } : { rentUnavailable: rent }),
    ...(priceUsd === undefined ? {} : holdFields(rent, facts, priceUsd, ownValues)),
    adu: lead && aduEarnings(lead, { ownValues, market, city }),
  }
}

export const rentOf = async (
  { db, now }: Pick<Context, 'db' | 'now'>,
  { property: { market, city, zip }, facts }: VisibleProperty,
): Promise<MonthlyRent | EarningsUnavailable> => {
  const place = { zip, county: countyIn(packOf(market), { city, county: facts.county }) }
  const rents = rentIndex(await marketRents(db, market, place))
  return rentFor(facts, (bedrooms) => monthlyRent(rents, place, bedrooms, now.toISOString().slice(0, 10)))
}

const holdFields = (
  rent: MonthlyRent | EarningsUnavailable,
  { livingSqft, city, market }: ParcelFacts,
  priceUsd: number,
  ownValues: OwnValues,
): Pick<Earnings, 'hold' | 'holdUnavailable'> => {
  if (!('amount' in rent)) return { holdUnavailable: rent }
  if (livingSqft === undefined)
    return {
      holdUnavailable: { reason: 'SIZE_UNKNOWN', text: 'Its living area is not known, so its insurance is not.' },
    }
  const terms = { priceUsd, rentUsd: rent.amount, livingSqft }
  return { hold: holdOf(terms, assumptionsWith(ownValues, packOf(market), city), defaultsOf(market, ownValues)) }
}

/** At the assumptions of the market, or a caller's own. */
export const aduEarnings = (
  { economics, units, maxUnits, rents, cityPerSqft }: StoredAduFinding,
  { ownValues, market, city }: { ownValues: OwnValues; market: MarketId; city: string },
): AduEarnings => {
  if (!economics)
    return {
      unavailable:
        units.length === 0
          ? { reason: 'NO_UNIT', text: 'No accessory unit fits on the lot, or the room for one is not known.' }
          : { reason: 'NO_RENTS', text: 'No rents of homes of the size of the unit are known nearby.' },
    }
  // Stored by an earlier version, until the market is assessed again.
  if (!rents) return { economics: { ...economics, gainUsd: economics.valueAdded - economics.costUsd } }
  const isOwn = Object.keys(ownValues).length > 0
  const choices = aduUnits(
    units,
    { rents, ...(cityPerSqft === undefined ? {} : { cityPerSqft }) },
    assumptionsWith(ownValues, packOf(market), city),
    defaultsOf(market, ownValues),
  )
  const best = choices[0] ?? economics
  return {
    verdict: aduVerdict(best, isOwn),
    economics: best,
    units: choices.map((each) => ({ unit: each.unit, economics: each })),
    bestSet: aduBestSet(choices, maxUnits),
  }
}

const defaultsOf =
  (market: MarketId, ownValues: OwnValues): IsDefault =>
  (name: AssumptionName) =>
    ownValues[name] === undefined && isDefault(packOf(market), name)
