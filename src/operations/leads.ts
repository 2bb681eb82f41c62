import { badRequest } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import type { Condition } from '../criteria/conditions.ts'
import type { SortKey } from '../criteria/fields.ts'
import { ownIn } from '../criteria/own-assumptions.ts'
import type { NumberField } from '../criteria/search-columns.ts'
import { cityNames } from '../criteria/table.ts'
import { type Dataset, type MarketId, shownStatuses } from '../domain/facts.ts'
import type { AduLead } from '../domain/findings/adu.ts'
import { landChecklist } from '../domain/findings/land-checklist.ts'
import type { LawReference, LeadKind, UseKind, UseLead } from '../domain/findings/laws.ts'
import { type LotSplitItem, lotSplitStatuses } from '../domain/findings/lot-split.ts'
import type { RedevelopmentLead } from '../domain/findings/redevelopment.ts'
import type { MarketRanks } from '../domain/findings/score-rank.ts'
import { findCity, marketById } from '../domain/packs/markets.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { districtOf, districtsOf } from '../domain/packs/zoning-tables.ts'
import { threeDigits } from '../intelligence/market/market-series.ts'
import { lawById, lawReference, notApplicable } from '../laws/list.ts'
import { landPrice } from '../schemes/homes.ts'
import { type LeadRow, leadInputs, leadsByKey } from '../store/assessments/leads.ts'
import { pastDays } from '../store/assessments/score-distributions.ts'
import type { Db } from '../store/engine/database.ts'
import { asOf } from '../store/ingest/freshness.ts'
import {
  defaultMinScore,
  listAduLeads,
  listLotSplits,
  listRedevelopmentLeads,
  listUseLeads,
} from '../wire/operations/leads.ts'
import { countLimit } from '../wire/pagination.ts'
import { windowStart } from '../wire/plans.ts'
import { type Context, implement } from './context.ts'
import { bestUseOf } from './decisions.ts'
import { aduEarnings } from './earnings.ts'
import { atMarket, oneMarket, searchAnswer } from './listing-page.ts'
import { notAssessed } from './not-assessed.ts'
import { type OwnSet, ownAssumptionsOf } from './own-assumptions.ts'
import { provenanceOf } from './provenance.ts'
import { ranksOf } from './ranks.ts'
import { type PropertyResult, type PropertySearch, searchProperties } from './search-properties.ts'
import { twoDecimals, unknownOverlays } from './served-values.ts'

export const listLotSplitsRun = implement(listLotSplits, async (context, { status, ...rest }) => {
  const input = { listingStatus: ['for_sale' as const], ...rest }
  const statuses = status?.includes('any') ? lotSplitStatuses : (status ?? ['eligible', 'likely'])
  const defaultSort = [{ field: 'lotSplitRank', descending: false }, mostFirst('maxUnits')] as const
  const result = await searchProperties(
    context,
    input,
    { kind: 'listings', base: 'lot_split', defaultSort, countCap: countLimit },
    [{ name: 'status', type: 'oneOf', field: 'sb9Status', values: statuses }],
  )
  const applied = { ...result.applied, status: [...statuses] }
  return {
    ...(await leadAnswer(context, { ...result, applied }, 'lot_split', ['parcels', 'listings'], lotSplitItem)),
    ...(await reasonFor(context, 'lot_split', result, input.city)),
  }
})

export const listAduLeadsRun = implement(
  listAduLeads,
  async (context, { minScore, assumptionSet, assumptions, ...input }) => {
    const least = leastScore(minScore, 'minAduScore', input.minAduScore)
    const result = await searchProperties(
      context,
      input,
      ofParcels('accessory_unit', 'aduScore'),
      atLeast('aduScore', least),
    )
    const ownSet = await ownAssumptionsOf(context, { assumptionSet, assumptions }, oneMarket(result.search.markets))
    const applied = { ...result.applied, ...(least === undefined ? {} : { minScore: least }) }
    const lead = (row: LeadRow<'accessory_unit'>, ranks: MarketRanks | undefined) => aduLead(row, ranks, ownSet)
    return {
      ...(await leadAnswer(context, { ...result, applied }, 'accessory_unit', ['parcels'], lead)),
      ...(await reasonFor(context, 'accessory_unit', result, input.city)),
      ...(ownSet ? { assumptions: { ...ownSet.used, atMarket: atMarket({ ...result, applied }) } } : {}),
    }
  },
)

export const listRedevelopmentLeadsRun = implement(
  listRedevelopmentLeads,
  async (context, { minScore, class: wanted, ...input }) => {
    const least = leastScore(minScore, 'minRedevelopmentScore', input.minRedevelopmentScore)
    const conditions: Condition[] = atLeast('redevelopmentScore', least)
    const classes = wanted === 'underbuilt' ? (['teardown_candidate', 'expansion'] as const) : wanted && [wanted]
    if (classes) conditions.push({ name: 'class', type: 'oneOf', field: 'redevelopmentClass', values: classes })
    const search = ofParcels('redevelopment', 'redevelopmentScore')
    const result = await searchProperties(context, input, search, conditions)
    const applied = {
      ...result.applied,
      ...(least === undefined ? {} : { minScore: least }),
      ...(wanted ? { class: wanted } : {}),
    }
    const answer = await leadAnswer(context, { ...result, applied }, 'redevelopment', ['parcels'], redevelopmentLead)
    if (answer.pagination.total > 0 || answer.notAssessed !== undefined) return answer
    const [city, ...others] = cityNames(input.city ?? '')
    const market = (city !== undefined && findCity(city)?.market) || oneMarket(result.search.markets)
    return {
      ...answer,
      notApplicable: others.length > 0 ? undefined : await whyNoRedevelopment(context.db, market, city, wanted),
    }
  },
)

export const listUseLeadsRun = implement(listUseLeads, async (context, { use, ...input }) => {
  const result = await searchProperties(context, { ...input, allows: use }, { ...ofParcels('parcels', 'homes'), use })
  return {
    ...(await leadAnswer(context, result, use, ['parcels'], useLead)),
    ...(await reasonFor(context, use, result, input.city)),
  }
})

const mostFirst = (field: SortKey['field']): SortKey => ({ field, descending: true })

const ofParcels = (base: PropertySearch['base'], first: SortKey['field']): PropertySearch => ({
  ...{ kind: 'parcels', base, countCap: countLimit },
  defaultSort: [mostFirst(first)],
})

const atLeast = (field: NumberField, value: number | undefined): Condition[] =>
  value === undefined ? [] : [{ name: 'minScore', type: 'atLeast', field, value }]

/** `minScore` and the named criterion mean the same here. */
const leastScore = (minScore: number | undefined, name: string, named: number | undefined): number | undefined => {
  if (minScore !== undefined && named !== undefined)
    throw badRequest(`minScore and ${name} mean the same in this list; give one of them, for example minScore=80.`)
  return named === undefined ? (minScore ?? defaultMinScore) : undefined
}

/** Names the law where it does not apply, in the market or in the city the caller asked for. */
const reasonFor = async ({ db }: Context, kind: LeadKind, { search, keys }: PropertyResult, city?: string) => {
  const market = marketById((city !== undefined && findCity(city)?.market) || oneMarket(search.markets) || '')
  if (!market) return {}
  const day = keys.length > 0 ? undefined : (await pastDays(db, [market.id])).get(market.id)
  const reason = notApplicable(kind, market, day)
  return reason === undefined ? {} : { notApplicable: reason }
}

/** The page of a lead list with `totalCapped`, which only lead lists have. */
const leadAnswer = async <Kind extends LeadKind | 'redevelopment', Item>(
  { db, caller, now, surface, bulk }: Context,
  result: PropertyResult,
  kind: Kind,
  datasets: readonly Dataset[],
  itemOf: (row: LeadRow<Kind>, ranks: MarketRanks | undefined) => Item,
) => {
  const [rows, current] = await Promise.all([
    leadsByKey(db, kind, result.keys, windowStart(caller.limits, now), bulk?.hiddenSources),
    asOf(db, datasets, oneMarket(result.search.markets)),
  ])
  const distances = new Map(result.keys.map(({ id, distanceMi }) => [id, distanceMi]))
  const data = rows.map((row) => ({
    ...itemOf(row, result.ranks.get(row.market)),
    lat: row.lat,
    lng: row.lng,
    distanceMi: twoDecimals(distances.get(row.id)),
    listingStatus: shownStatuses.find((status) => status === row.status),
    unknown: unknownOverlays(result.search.conditions, row.overlays),
    bestUse: bestUseOf(row),
    asOf: row.assessedOn,
    source: provenanceOf(row, surface),
  }))
  const answer = searchAnswer(result, data, { asOf: current })
  return {
    ...answer,
    pagination: { ...answer.pagination, totalCapped: result.totalCapped },
    ...(rows.length === 0 ? { notAssessed: await notAssessed(db, oneMarket(result.search.markets)) } : {}),
  }
}

const lawOf = ({ law: id }: { law?: string }): LawReference | undefined => {
  const law = id === undefined ? undefined : lawById(id)
  return law && lawReference(law)
}

const lotOf = (row: Omit<LeadRow<LeadKind>, 'finding'>) => ({
  ...pick(row, 'id', 'address', 'city', 'zip', 'price'),
  lotSize: row.lotSqft,
  zoning: row.zoning,
  law: lawOf(row),
})

const lotSplitItem = ({ finding, ...row }: LeadRow<'lot_split'>): LotSplitItem => ({
  ...lotOf(row),
  ...pick(finding, 'sb9Status', 'maxUnits', 'lotSplit', 'blockReasons', 'untestedRules', 'warnings', 'confidence'),
})

const useLead = ({ finding, ...row }: LeadRow<UseKind>): UseLead => ({
  ...lotOf(row),
  homes: finding.uses[0]?.homes,
  uses: finding.uses,
  confidence: finding.confidence,
})

/** The lists contain only rows that have a score. */
const aduLead = (
  { finding, ...row }: LeadRow<'accessory_unit'>,
  ranks: MarketRanks | undefined,
  ownSet: OwnSet | undefined,
): AduLead => ({
  ...pick(row, 'id', 'address', 'city', 'zip', 'price'),
  aduScore: finding.aduScore ?? 0,
  ranks: ranksOf(ranks, { aduScore: finding.aduScore }),
  maxUnits: finding.maxUnits ?? 0,
  law: lawOf(row),
  ...pick(finding, 'buildableSqft', 'lot', 'units', 'blockers', 'warnings', 'confidence'),
  adu: aduEarnings(finding, {
    ownValues: ownIn(ownSet?.values ?? {}, findCity(row.city, row.market)?.slug ?? ''),
    market: row.market,
    city: row.city,
  }),
})

const redevelopmentLead = (
  { finding, ...row }: LeadRow<'redevelopment'>,
  ranks: MarketRanks | undefined,
): RedevelopmentLead => ({
  ...pick(row, 'id', 'address', 'city', 'zip', 'price'),
  redevelopmentScore: finding.redevelopmentScore ?? 0,
  ranks: ranksOf(ranks, { redevelopmentScore: finding.redevelopmentScore }),
  ...pick(finding, 'class', 'yearBuilt', 'lotSize', 'existingSqft', 'allowableSqft', 'buildableSqft', 'buildSqft'),
  ...pick(finding, 'defaults', 'allowableBasis', 'allowableConfidence'),
  far: finding.far ?? {},
  ...pick(finding, 'recentWork', 'blockers', 'warnings', 'confidence'),
  ...(finding.class === 'vacant_lot' ? { ...landOf(row), checklist: landChecklist({ ...row, ...finding }) } : {}),
})

const landOf = ({ land, lotSqft = 0 }: Pick<LeadRow<'redevelopment'>, 'land' | 'lotSqft'>) => {
  const usd = landPrice(land, lotSqft)
  return usd === undefined ? {} : { landValue: threeDigits(usd), landSales: land?.count }
}

/**
 * Why a market or city has no redevelopment leads at all, and what its operator adds. Undefined if leads are possible here, so that
 * the list is empty because of its filters.
 */
const whyNoRedevelopment = async (
  db: Db,
  market: MarketId | undefined,
  city: string | undefined,
  leadClass?: string,
): Promise<string | undefined> => {
  if (market === undefined) return undefined
  const place = city === undefined ? undefined : findCity(city, market)
  // An unknown city or a list of cities: the answer has suggestions of its own.
  if (city !== undefined && place === undefined) return undefined
  const name = place?.name ?? marketById(market)?.name ?? market
  const held = await leadInputs(db, market, place?.slug)
  if (!held) return undefined
  if (!held.parcels)
    return `No leads: no parcels are loaded for ${name}. Operators: load them with a source of parcels.`
  const pack = packOf(market)
  const rules = place ? districtsOf(pack, place.slug) : pack?.districts
  if (!rules?.length)
    return `No leads: no zoning rules are known for ${name}, so the floor area that its lots allow is unknown. Operators: add zoning/<city>.json to the market pack and map zoning in the source of the parcels, then assess again.`
  if (held.zoning.length === 0)
    return `No leads: the parcels of ${name} have no zoning district. Operators: map zoning in their source, then load them again.`
  if (!held.lotSizes)
    return `No leads: the parcels of ${name} have no lot sizes. Operators: map lotSqft in their source, then load them again.`
  const cities = place ? [place.slug] : [...new Set(rules.map((district) => district.city))]
  if (!held.zoning.some((code) => cities.some((slug) => districtOf(pack, slug, code))))
    return `No leads: the market pack has no rules for the zoning districts of the parcels of ${name} (${held.zoning.slice(0, 3).join(', ')}). Operators: add them to its zoning files, then assess again.`
  // A vacant lot has no house.
  if (!held.houseSizes && leadClass !== 'vacant_lot')
    return `No leads: the parcels of ${name} have no house sizes, so the unused floor area is unknown. Operators: map livingSqft in their source, then load them again.`
  return undefined
}
