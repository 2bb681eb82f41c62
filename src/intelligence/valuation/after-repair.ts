import type { Confidence } from '../../contract/facts.ts'
import { compWeight } from './comparables.ts'
import { type MarketModel, modelFor } from './market-model.ts'
import { findNearest, makeNearest, type PointIndex } from './nearest-sales.ts'
import { weightedMedian } from './quantiles.ts'
import { cityTypeKey } from './renovated-sales.ts'
import { cityKey, pointOf, typeCode, unknownType } from './sale-columns.ts'
import { logLevel } from './time-index.ts'
import {
  attributeAt,
  attributeCount,
  dateOf,
  dayOf,
  type ValuationHome,
  writeAttributes,
  yearOfDay,
} from './valuation-facts.ts'
import { finish, predictHome } from './value-home.ts'

export interface RenovatedComparable {
  saleId: string
  soldOn: string
  priceUsd: number
  distanceKm: number
  /** Per square foot: as sold, moved to the day, and as it would be for the subject renewed at the build size. */
  pricePerSqft: number
  timeAdjustedPerSqft: number
  adjustedPerSqft: number
  weight: number
}

export type AfterRepairSource = 'city_renewed' | 'city_dearest_quarter' | 'market_renewed' | 'market_dearest_quarter'

export interface AfterRepair {
  /** The weighted median of the adjusted prices per square foot. */
  arvPerSqft: number
  compCount: number
  compsCityMatched: boolean
  compsTypeMatched: boolean
  /** Which sales were found to compare with. */
  rung: AfterRepairSource
  comps: readonly RenovatedComparable[]
  confidence: Confidence
}

export const minRenovatedComps = 3

/** Beyond this an adjustment says that the sale is not a comparable: it is held here. */
const maxAdjustment = Math.log(1.6)

/**
 * What the home would fetch per square foot once rebuilt or renovated to `buildSqft`, from homes that are new, renovated
 * or sold as if they were. Undefined when fewer than three are found, or the home's place is not known.
 */
export function afterRepairPerSqft(
  market: MarketModel,
  subject: ValuationHome,
  buildSqft: number,
  asOf: string,
): AfterRepair | undefined {
  const model = modelFor(market, subject)
  const { sales } = model
  const place = pointOf(subject, sales.cityCenter)
  const type = typeCode(subject)
  if (!place || type === unknownType || !(buildSqft > 0)) return undefined
  const day = dayOf(asOf)
  const city = subject.city ? sales.cities.indexOf(cityKey(subject.city)) : -1
  const renewedYear = Math.floor(yearOfDay(day))
  const { yearRenovated: _, beds: _b, baths: _c, storeys: _s, ...lasting } = subject
  const renewed: ValuationHome = { ...lasting, ...place, livingSqft: buildSqft, yearBuilt: renewedYear }
  const attributes = new Float32Array(attributeCount)
  writeAttributes(attributes, 0, { ...renewed, ...place }, sales.projection, day)
  const found = firstRung(model, city, type, (index) => {
    const near = makeNearest(4 * model.settings.compsShown)
    return findNearest(
      index,
      attributes[attributeAt.eastKm]!,
      attributes[attributeAt.northKm]!,
      near,
      (id) => sales.day[id]! >= day,
    )
  })
  if (!found) return undefined

  const { near, rung } = found
  const widthKm = Math.max(near.distanceKm[Math.min(11, near.count - 1)]!, 0.5)
  const comparing = { attributes, offset: 0, type, city, day }
  const weighed = Array.from({ length: near.count }, (_, k) => ({
    id: near.ids[k]!,
    distanceKm: near.distanceKm[k]!,
    weight: compWeight(model, comparing, near.ids[k]!, near.distanceKm[k]!, widthKm),
  }))
    .sort((a, b) => b.weight - a.weight || a.id - b.id)
    .slice(0, model.settings.compsShown)
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)

  // Rooms of the house to be built are not known: as the renewed homes around have them.
  const typical = (name: 'beds' | 'baths' | 'storeys' | 'grade' | 'condition') => {
    const known = weighed.filter(({ id }) => !Number.isNaN(sales.attributes[id * attributeCount + attributeAt[name]]!))
    if (known.length === 0) return undefined
    return weightedMedian(
      known.map(({ id }) => sales.attributes[id * attributeCount + attributeAt[name]]!),
      known.map(({ weight }) => weight),
    )
  }
  const built = {
    ...renewed,
    beds: typical('beds'),
    baths: typical('baths'),
    storeys: typical('storeys'),
    grade: typical('grade') ?? subject.grade,
    condition: typical('condition'),
  }
  const judged = predictHome(model, built, asOf)
  if (!judged) return undefined
  const logBuild = Math.log(buildSqft)
  const comps = weighed.map(({ id, distanceKm, weight }): RenovatedComparable => {
    const moved =
      sales.logPpsf[id]! +
      logLevel(model.index, day, model.area[id]) -
      logLevel(model.index, sales.day[id]!, model.area[id])
    // All that the sale's price leaves unexplained carries over here: it is the finish that renewal buys.
    const full = finish(model, judged.logPpsf + logBuild + model.unexplained[id]!) - logBuild
    const adjustment = Math.max(-maxAdjustment, Math.min(maxAdjustment, full - moved))
    return {
      saleId: sales.saleId[id]!,
      soldOn: dateOf(sales.day[id]!),
      priceUsd: sales.priceUsd[id]!,
      distanceKm,
      pricePerSqft: Math.exp(sales.logPpsf[id]!),
      timeAdjustedPerSqft: Math.exp(moved),
      adjustedPerSqft: Math.exp(moved + adjustment),
      weight: weight / total,
    }
  })
  return {
    arvPerSqft: weightedMedian(
      comps.map((comp) => comp.adjustedPerSqft),
      comps.map((comp) => comp.weight),
    ),
    compCount: comps.length,
    compsCityMatched: rung.startsWith('city'),
    compsTypeMatched: weighed.every(({ id }) => sales.type[id] === type),
    rung,
    comps,
    confidence: confidenceOf(rung, comps),
  }
}

function firstRung<T extends { count: number }>(
  model: MarketModel,
  city: number,
  type: number,
  find: (index: PointIndex) => T,
): { near: T; rung: AfterRepairSource } | undefined {
  const { renewal } = model
  const key = cityTypeKey(city, type)
  const ladder: [AfterRepairSource, PointIndex | undefined][] = [
    ['city_renewed', city < 0 ? undefined : renewal.renovatedByCity.get(key)],
    ['city_dearest_quarter', city < 0 ? undefined : renewal.topQuartileByCity.get(key)],
    ['market_renewed', renewal.renovatedByType.get(type)],
    ['market_dearest_quarter', renewal.topQuartileByType.get(type)],
  ]
  for (const [rung, index] of ladder) {
    if (!index) continue
    const near = find(index)
    if (near.count >= minRenovatedComps) return { near, rung }
  }
  return undefined
}

/** High asks for renewed homes of the same city that agree; outside the city, or by the dearest quarter, never high. */
function confidenceOf(rung: AfterRepairSource, comps: readonly RenovatedComparable[]): Confidence {
  if (rung === 'market_dearest_quarter' || comps.length < 5) return 'low'
  const middle = weightedMedian(
    comps.map((comp) => Math.log(comp.adjustedPerSqft)),
    comps.map((comp) => comp.weight),
  )
  const spread = comps.reduce((sum, comp) => sum + comp.weight * Math.abs(Math.log(comp.adjustedPerSqft) - middle), 0)
  if (spread > 0.25) return 'low'
  return rung === 'city_renewed' && spread <= 0.15 ? 'high' : 'medium'
}
