// The live watches in memory, found by home, or by kind, place and the bounds of one number, so that a change is tested only with
// the watches that it can concern. Watches are read again only where they changed.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { valueAt } from '../common/typed.ts'
import type { Condition, RecordChange } from '../criteria/conditions.ts'
import type { NumberField } from '../criteria/search-columns.ts'
import type { MarketId } from '../domain/facts.ts'
import type { Db } from '../store/engine/database.ts'
import { withoutReturns } from '../store/search/properties.ts'
import { type LiveWatch, watchesOfParts, watchParts } from '../store/watches/watches.ts'
import { storedConditions } from './triggers.ts'

/** A watch with its conditions; `others` are those on other fields than returns. */
export interface IndexedWatch extends Omit<LiveWatch, 'criteria'> {
  conditions: readonly Condition[]
  others: readonly Condition[]
}

export const indexedWatch = ({ criteria, ...watch }: LiveWatch): IndexedWatch | undefined => {
  const conditions = storedConditions(watch.kind, criteria)
  return conditions && { ...watch, conditions, others: watch.values ? withoutReturns(conditions) : conditions }
}

type Change = RecordChange & { market: MarketId; permitId: string | null }

export const openWatchIndex = () => {
  const parts = new Map<number, { version: string; watches: IndexedWatch[] }>()
  const byId = new Map<string, IndexedWatch>()
  const byHome = new Map<string, Set<IndexedWatch>>()
  const places = new Map<string, Place>()

  /** Where a watch is found: one of the sets, or one of the ranges, of each of its homes or places. */
  const entriesOf = (
    watch: IndexedWatch,
  ): { add(watch: IndexedWatch): unknown; delete(watch: IndexedWatch): unknown }[] => {
    const homes = watch.others.find((each) => each.type === 'ids')
    if (homes && 'values' in homes) return homes.values.map((id) => valueAt(byHome, id, () => new Set()))
    const bounds = boundsOf(watch.others)
    return placesOf(watch).map((name) => {
      const place = valueAt(places, name, () => ({ ranges: new Map(), unbounded: new Set() }))
      return bounds ? valueAt(place.ranges, bounds.field, openRanges) : place.unbounded
    })
  }

  const put = (watch: IndexedWatch): void => {
    byId.set(watch.id, watch)
    for (const entry of entriesOf(watch)) entry.add(watch)
  }
  const remove = (watch: IndexedWatch): void => {
    if (byId.get(watch.id) === watch) byId.delete(watch.id)
    for (const entry of entriesOf(watch)) entry.delete(watch)
  }

  return {
    put,
    get: (id: string): IndexedWatch | undefined => byId.get(id),

    /** Every watch that the change can meet before or after it, and some others. */
    candidates: ({ market, permitId, before, after }: Change): Set<IndexedWatch> => {
      const candidates = new Set(byHome.get(after.id ?? ''))
      const kind = permitId === null ? 'homes' : 'permits'
      for (const name of [`${kind} in ${after.citySlug}`, `${kind} of ${market}`, kind]) {
        const place = places.get(name)
        if (!place) continue
        for (const watch of place.unbounded) candidates.add(watch)
        for (const [field, ranges] of place.ranges)
          for (const value of new Set([before?.numbers[field], after.numbers[field]]))
            if (value !== undefined) ranges.at(value, candidates)
      }
      for (const watch of candidates)
        if ((watch.kind === 'permits') === (permitId === null) || watch.markets?.includes(market) === false)
          candidates.delete(watch)
      return candidates
    },

    /** Reads the watches that began, ended or changed since it was called last. */
    refresh: async (db: Db, now: Date): Promise<void> => {
      const versions = new Map((await watchParts(db, now)).map(({ part, version }) => [part, version]))
      const stale = [...new Set([...parts.keys(), ...versions.keys()])].filter(
        (part) => parts.get(part)?.version !== versions.get(part),
      )
      for (let at = 0; at < stale.length; at += partsAtOnce) {
        const some = stale.slice(at, at + partsAtOnce)
        const read = Map.groupBy(await watchesOfParts(db, some, now), ({ part }) => part)
        for (const part of some) {
          await yieldToEventLoop()
          for (const watch of parts.get(part)?.watches ?? []) remove(watch)
          const watches = (read.get(part) ?? []).flatMap((watch) => indexedWatch(watch) ?? [])
          for (const watch of watches) put(watch)
          const version = versions.get(part)
          if (version === undefined) parts.delete(part)
          else parts.set(part, { version, watches })
        }
      }
    },
  }
}
export type WatchIndex = ReturnType<typeof openWatchIndex>

/** Read in one statement. */
const partsAtOnce = 32

interface Place {
  ranges: Map<NumberField, Ranges>
  unbounded: Set<IndexedWatch>
}

const placesOf = ({ kind, cities, markets }: IndexedWatch): string[] => {
  const records = kind === 'permits' ? 'permits' : 'homes'
  if (cities) return cities.map((city) => `${records} in ${city}`)
  return markets ? markets.map((market) => `${records} of ${market}`) : [records]
}

interface Bounds {
  field: NumberField
  low: number
  high: number
}

/** The bounds that reject most: on both sides if there are such, else of the price, else the first. */
const boundsOf = (conditions: readonly Condition[]): Bounds | undefined => {
  const byField = new Map<NumberField, Bounds>()
  for (const each of conditions) {
    if (each.type !== 'atLeast' && each.type !== 'atMost') continue
    const bounds = valueAt(byField, each.field, () => ({ field: each.field, low: -Infinity, high: Infinity }))
    if (each.type === 'atLeast') bounds.low = Math.max(bounds.low, each.value)
    else bounds.high = Math.min(bounds.high, each.value)
  }
  const closed = [...byField.values()].find(({ low, high }) => low > -Infinity && high < Infinity)
  return closed ?? byField.get('price') ?? byField.values().next().value
}

/** Watches by the range of a number that they accept: an interval tree over an array that is sorted when it is read after a change. */
const openRanges = () => {
  const watches = new Set<IndexedWatch>()
  let sorted: { low: number; high: number; highest: number; watch: IndexedWatch }[] | undefined

  const build = () => {
    const ranges = [...watches].map((watch) => {
      const { low, high } = boundsOf(watch.others)!
      return { low, high, highest: high, watch }
    })
    ranges.sort((a, b) => a.low - b.low)
    // `highest`: of the part of the array that a range is the middle of.
    const highestOf = (from: number, to: number): number => {
      if (from >= to) return -Infinity
      const middle = (from + to) >> 1
      const range = ranges[middle]!
      range.highest = Math.max(range.high, highestOf(from, middle), highestOf(middle + 1, to))
      return range.highest
    }
    highestOf(0, ranges.length)
    return ranges
  }

  return {
    add: (watch: IndexedWatch) => {
      watches.add(watch)
      sorted = undefined
    },
    delete: (watch: IndexedWatch) => {
      watches.delete(watch)
      sorted = undefined
    },
    /** Adds the watches that accept the value. */
    at: (value: number, candidates: Set<IndexedWatch>): void => {
      sorted ??= build()
      const ranges = sorted
      const visit = (from: number, to: number): void => {
        if (from >= to) return
        const middle = (from + to) >> 1
        const { low, high, highest, watch } = ranges[middle]!
        if (highest < value) return
        visit(from, middle)
        if (low > value) return
        if (high >= value) candidates.add(watch)
        visit(middle + 1, to)
      }
      visit(0, ranges.length)
    },
  }
}
type Ranges = ReturnType<typeof openRanges>
