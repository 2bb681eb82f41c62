// The input of the pro forma of a new house on a listed lot: how much may be built, and what it would sell for.
import type { OwnNumbers } from '../../criteria/own-assumptions.ts'
import type { ParcelFacts } from '../../domain/facts.ts'
import type { Envelope } from '../../domain/findings/building-envelope.ts'
import type { StoredResaleSale } from '../../domain/findings/comps.ts'
import type { ResaleComps } from '../../domain/findings/decision.ts'
import type { NewHouseLimit } from '../../domain/findings/redevelopment.ts'
import type { MarketPack } from '../../domain/packs/pack.ts'
import { districtOf } from '../../domain/packs/zoning-tables.ts'
import { allowableArea, buildSize } from '../site/allowable-area.ts'
import { buildingEnvelope } from '../site/envelope.ts'
import { isVacantLot } from '../site/vacant-lot.ts'
import { afterRepairPerSqft } from '../valuation/after-repair.ts'
import type { MarketModel } from '../valuation/market-model.ts'
import { noComps, type ProformaInput } from './proforma.ts'
import { type PermitTimes, projectAssumptions } from './project-duration.ts'

export interface ListedParcel extends ParcelFacts {
  /** Same name as in sales, so that a home is never its own comparable. */
  propertyId: string
  citySlug: string
  /** The current asking price; undefined if the home is not listed. */
  listPriceUsd?: number
}

interface InputView {
  readonly pack: MarketPack | undefined
  readonly on: string
  readonly value: MarketModel | undefined
  readonly permitTimes: PermitTimes | undefined
  readonly newHouseLimits: { of(home: ListedParcel): NewHouseLimit | undefined }
  readonly meanRoiPct?: number | undefined
}

/** The input of a property's pro forma. Without a price there is no pro forma, so no resale value is computed either. */
export const proformaInputOf = (
  facts: ListedParcel,
  view: InputView,
  own?: OwnNumbers,
): {
  envelope: Envelope
  input: ProformaInput
  resaleComps: readonly StoredResaleSale[]
  /** Of a home that is not for sale, whose schemes need a resale value although it has no pro forma. */
  offMarketComps: ResaleComps | undefined
} => {
  const district = districtOf(view.pack, facts.city, facts.zoning)
  const envelope = buildingEnvelope(facts, district)
  const { assumptions, permit } = projectAssumptions(view.pack, facts.city, view.permitTimes, own)
  // Without an envelope, the resale value is for the largest house that the cap allows, because a caller may set a build size.
  const cap = facts.livingSqft === undefined ? undefined : facts.livingSqft * assumptions.buildSizeMultiple
  const resaleAt = (sqft: number | undefined) =>
    view.value && facts.listPriceUsd !== undefined && sqft !== undefined && facts.propertyType !== 'condo'
      ? afterRepairPerSqft(view.value, newHouseOn(facts), sqft, view.on)
      : undefined
  const zoned = allowableArea(envelope)?.buildableSqft
  const atZoned = resaleAt(zoned)
  const sold = view.newHouseLimits.of(facts)
  const newHouses = sold && { ...sold, ...(atZoned && { largestCompSqft: atZoned.largestCompSqft }) }
  const buildSqft = buildSize(envelope, facts.livingSqft, assumptions, newHouses).sqft ?? cap
  const arv = buildSqft === zoned ? atZoned : resaleAt(buildSqft)
  return {
    envelope,
    resaleComps: arv?.comps ?? [],
    offMarketComps: facts.listPriceUsd === undefined ? resaleOfLarger(facts, view, zoned && buildSqft) : undefined,
    input: {
      pack: view.pack,
      facts,
      priceUsd: facts.listPriceUsd,
      envelope,
      newHouses,
      comps: arv ?? noComps,
      marketMeanRoiPct: view.meanRoiPct,
      assumptions,
      permit,
    },
  }
}

/** Only a larger house is worth a question to the value model. */
const resaleOfLarger = (facts: ListedParcel, view: InputView, sqft: number | undefined): ResaleComps | undefined => {
  const isHouse = facts.propertyType === 'single_family' || isVacantLot(facts)
  if (!view.value || !isHouse || !sqft || sqft <= (facts.livingSqft ?? 0)) return undefined
  return afterRepairPerSqft(view.value, newHouseOn(facts), sqft, view.on)
}

/** A new house on a vacant lot sells as a house, so its resale value comes from houses. */
export const newHouseOn = <Facts extends ListedParcel>(facts: Facts): Facts =>
  isVacantLot(facts) ? { ...facts, propertyType: 'single_family' } : facts
