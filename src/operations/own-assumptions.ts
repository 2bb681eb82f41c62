// A caller's own assumptions: read from the request, and the returns of homes computed with them.
import { setImmediate } from 'node:timers/promises'
import { badRequest } from '../common/errors.ts'
import { storedDeal } from '../criteria/conditions.ts'
import {
  type OwnNumbers,
  ownIn,
  ownNames,
  readStoredNumbers,
  retiredIn,
  withNumbers,
} from '../criteria/own-assumptions.ts'
import { readOwnNumbers } from '../criteria/read-own-numbers.ts'
import type { MarketId } from '../domain/facts.ts'
import type { StoredOffers } from '../domain/findings/decision.ts'
import type { Proforma } from '../domain/findings/proforma.ts'
import { marketById } from '../domain/packs/markets.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { type DealTerms, dealTerms, ownProforma, ownReturns } from '../intelligence/proforma/proforma-own.ts'
import {
  type PermitTimes,
  type ProjectAssumptions,
  projectAssumptions,
} from '../intelligence/proforma/project-duration.ts'
import { latestModel } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import { assumptionSetRows } from '../store/keys/assumption-sets.ts'
import { type DealRow, dealSlices } from '../store/search/deal-terms.ts'
import type { OwnColumns, PropertyQuery } from '../store/search/properties.ts'
import type { Context } from './context.ts'
import { ownOffers } from './decisions.ts'

export type OwnSet = NonNullable<Awaited<ReturnType<typeof ownAssumptionsOf>>>

/** Undefined if the caller uses the assumptions of the market. `market`: the one that is asked about; undefined for several. */
export const ownAssumptionsOf = async (
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  { assumptionSet, assumptions }: { assumptionSet?: string; assumptions?: Record<string, number> },
  market: MarketId | undefined,
) => {
  if (assumptionSet === undefined && assumptions === undefined) return undefined
  const key = caller.key?.currentKeyId
  const set =
    assumptionSet === undefined || key === undefined ? undefined : await assumptionSetRows.one(db, key, assumptionSet)
  if (assumptionSet !== undefined && !set)
    throw badRequest(
      `assumptionSet must be the id of a set of this key; it has no set "${assumptionSet}". GET /v1/assumption-sets lists them.`,
    )
  if (set?.market && set.market !== market)
    throw badRequest(
      `Assumption set ${set.id} is for the market ${marketById(set.market)?.id ?? set.market}; add market=${set.market}, or use a set without a market.`,
    )
  const values = withNumbers(
    readStoredNumbers(set?.values ?? {}, set?.byCity),
    readOwnNumbers(assumptions ?? {}, 'assumptions'),
  )
  const retired = retiredIn({ ...set?.values, ...assumptions })
  return {
    values,
    used: {
      ...(set ? { id: set.id, name: set.name } : {}),
      ...(retired.length > 0 ? { retired } : {}),
      changed: [
        ...namesAndValues(values),
        ...Object.entries(values.byCity ?? {}).flatMap(([city, cityValues]) =>
          namesAndValues(cityValues).map((each) => ({ ...each, city })),
        ),
      ],
    },
  }
}

const namesAndValues = (values: OwnNumbers) =>
  ownNames.flatMap((name) => (values[name] === undefined ? [] : [{ name, value: values[name] }]))

/** More homes would take longer than a request may. */
const mostHomes = 50_000

/** The returns of every home of a search, for its conditions and its order. Leaves the event loop free between slices. */
export const ownColumns = async (db: Db, query: PropertyQuery, { values }: OwnSet): Promise<OwnColumns> => {
  const { total, slices } = await dealSlices(db, query, { cap: mostHomes, withSizes: changesSize(values) })
  if (total > mostHomes)
    throw badRequest(
      `Returns with your own assumptions can be computed for at most ${mostHomes} homes in one search. Narrow it, for example with status=for_sale or a city.`,
    )
  const assumptionsIn = await ownAssumptionsByCity(db, query.markets, values)
  const columns: OwnColumns = { ids: [], returnPct: [], returnAtExpectedPct: [], developerRoi: [], proformaRoi: [] }
  for (const slice of slices) {
    await setImmediate()
    for (const row of JSON.parse(slice) as DealRow[]) {
      const returns = ownReturns(dealOf(row), assumptionsIn(row[2], row[1]))
      columns.ids.push(row[0])
      columns.returnPct.push(returns.returnPct)
      columns.returnAtExpectedPct.push(returns.returnAtExpectedPct)
      columns.developerRoi.push(returns.developerRoi)
      columns.proformaRoi.push(returns.proformaRoi)
    }
  }
  return columns
}

/** The assumptions of each city with the caller's own, made once per city. */
const ownAssumptionsByCity = async (db: Db, markets: readonly MarketId[], values: OwnNumbers) => {
  const timesIn = async (market: MarketId) =>
    [market, await latestModel<PermitTimes>(db, 'permit-times', market)] as const
  const times = new Map(await Promise.all(markets.map(timesIn)))
  const byCity = new Map<string, ProjectAssumptions>()
  return (city: string, market: MarketId): ProjectAssumptions => {
    const key = `${market} ${city}`
    const known = byCity.get(key)
    if (known) return known
    const made = projectAssumptions(packOf(market), city, times.get(market), values)
    byCity.set(key, made)
    return made
  }
}

interface Assessed {
  id: string
  market: MarketId
  city: string
  price?: number | undefined
  proforma?: Proforma
  developerRoi?: number
  offers?: StoredOffers
}

/** Rows with their pro forma and the other uses at the caller's own assumptions. */
export const withOwnReturns = async <Row extends Assessed>(
  db: Db,
  query: Pick<PropertyQuery, 'markets' | 'today'>,
  rows: readonly Row[],
  ownSet: OwnSet | undefined,
): Promise<Row[]> => {
  if (!ownSet || rows.length === 0) return [...rows]
  const ids = rows.map(({ id }) => id)
  const { slices } = await dealSlices(
    db,
    { ...query, base: 'listings', sort: [], conditions: [{ name: 'id', type: 'ids', values: ids }] },
    { cap: ids.length, withSizes: changesSize(ownSet.values) },
  )
  const deals = new Map(slices.flatMap((slice) => JSON.parse(slice) as DealRow[]).map((row) => [row[0], row]))
  const assumptionsIn = await ownAssumptionsByCity(db, query.markets, ownSet.values)
  return rows.map((stored) => {
    const deal = deals.get(stored.id)
    const row = stored.offers ? { ...stored, offers: ownOffers(stored.offers, stored, ownSet.values) } : stored
    if (!row.proforma) return row
    // A house that was refused has no terms to compute it again with.
    if (!deal) return { ...row, proforma: { ...row.proforma, maximumOffer: undefined, maximumOfferLow: undefined } }
    const { proforma, developerROI } = ownProforma(
      row.proforma,
      dealOf(deal),
      assumptionsIn(deal[2], deal[1]),
      new Set(Object.keys(ownIn(ownSet.values, deal[2]))),
    )
    return { ...row, proforma, developerRoi: developerROI }
  })
}

const changesSize = (values: OwnNumbers): boolean =>
  [values, ...Object.values(values.byCity ?? {})].some(({ buildSizeMultiple }) => buildSizeMultiple !== undefined)

const dealOf = ([, , , price, deal, most]: DealRow): DealTerms => dealTerms(price, storedDeal(deal, most))
