// Matches watches with the changes of runs, after their transactions. What matches waits to be announced.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { meets, type RecordChange } from '../criteria/conditions.ts'
import { type OwnNumbers, type OwnRows, readStoredNumbers } from '../criteria/own-assumptions.ts'
import type { MarketId } from '../domain/facts.ts'
import type { MarketRanks } from '../domain/findings/score-rank.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { ownRows } from '../intelligence/proforma/proforma-own.ts'
import { withPercentiles } from '../intelligence/scores/score-ranks.ts'
import { latestModel } from '../store/assessments/models.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import type { WatchedChangeTable } from '../store/engine/schema.ts'
import { groupOf } from '../store/engine/shard-groups.ts'
import { marketsWithChanges, takeChanges } from '../store/watches/changes.ts'
import {
  lockWaiting,
  type NewWaiting,
  removeWaiting,
  type Waiting,
  type WaitingWatch,
  writeWaiting,
} from '../store/watches/waiting.ts'
import type { WatchTrigger } from '../wire/watches.ts'
import { triggersOf } from './triggers.ts'
import { type IndexedWatch, openWatchIndex, type WatchIndex } from './watch-index.ts'

/** Taken in one transaction. */
const changesAtOnce = 2_000
/** With tens of thousands of watches, a change takes up to a millisecond. */
const changesPerYield = 8

/** `index` is kept from one call to the next, so that only watches that changed are read again. */
export const matchChanges = async (db: Db, now: Date, index: WatchIndex = openWatchIndex()): Promise<void> => {
  for (const market of await marketsWithChanges(db))
    while ((await inTransaction(groupOf(db, market), (tx) => matchSome(tx, market, index, now))) === changesAtOnce);
}

/** Returns the number of changes. */
const matchSome = async (tx: Db, market: MarketId, index: WatchIndex, now: Date): Promise<number> => {
  const taken = await takeChanges(tx, market, changesAtOnce)
  if (taken.length === 0) return 0
  // After the changes were taken: a watch that was saved before one of them is read.
  await index.refresh(tx, now)
  const ranks = await marketRanks(tx, market)
  const permitTimes = await latestModel<object>(tx, 'permit-times', market)
  const changesOf = ownChanges((values) => ownRows(packOf)(values, permitTimes))
  for (const changes of rounds(taken.map((row) => changeOf(row, ranks)))) {
    const records = changes.map(({ record }) => record)
    const waiting = await lockWaiting(tx, market, records)
    const { matches, joined } = await matchesOf(changes, waiting, index, changesOf)
    await removeWaiting(tx, joined)
    await writeWaiting(tx, market, matches)
  }
  return taken.length
}

export type Change = Omit<WatchedChangeTable, 'before'> & RecordChange

const changeOf = ({ before, after, ...change }: WatchedChangeTable, ranks: MarketRanks | undefined): Change =>
  change.permitId === null
    ? { ...change, before: before ? withPercentiles(before, ranks) : undefined, after: withPercentiles(after, ranks) }
    : { ...change, before: before ?? undefined, after }

/** The first changes of all records, then the second ones: a change is joined to the earlier one of its record. */
const rounds = (changes: readonly Change[]): Change[][] => {
  const parts: Change[][] = []
  for (const some of Map.groupBy(changes, ({ record }) => record).values())
    for (const [at, change] of some.entries()) parts[at] = [...(parts[at] ?? []), change]
  return parts
}

/**
 * What a change of each record matches. A change of a record that waits to be announced to a watch is joined to the earlier one: what
 * was undone meanwhile is not announced. `joined`: matches that no longer wait as they are.
 */
export const matchesOf = async (
  changes: readonly Change[],
  waiting: readonly Waiting[],
  { candidates, get }: Pick<WatchIndex, 'candidates' | 'get'>,
  changesOf: ReturnType<typeof ownChanges>,
): Promise<{ matches: NewWaiting[]; joined: WaitingWatch[] }> => {
  const waitingOf = Map.groupBy(waiting, ({ record }) => record)
  const joinedTo = joinedChanges()
  const triggersByChange = new Map<Change, Record<string, WatchTrigger[]>>()
  const joined: WaitingWatch[] = []
  for (const [at, change] of changes.entries()) {
    if (at % changesPerYield === 0) await yieldToEventLoop()
    const waits = waitingOf.get(change.record)
    const watches = candidates(change)
    // They may no longer match.
    for (const id of waits?.flatMap((row) => Object.keys(row.watches)) ?? []) {
      const watch = get(id)
      if (watch) watches.add(watch)
    }
    for (const watch of watches) {
      const earlier = waits?.find((row) => row.watches[watch.id])
      if (earlier) joined.push({ id: earlier.id, watchId: watch.id })
      const seen = changesOf(watch, earlier ? joinedTo(earlier, change) : change)
      if (!seen) continue
      const triggers = triggersOf(watch.kind, watch.conditions, seen).filter((each) => watch.triggers.includes(each))
      if (triggers.length === 0) continue
      const matched = triggersByChange.get(seen) ?? {}
      matched[watch.id] = triggers
      triggersByChange.set(seen, matched)
    }
  }
  return {
    joined,
    matches: [...triggersByChange].map(([change, watches]) => ({ ...change, before: change.before ?? null, watches })),
  }
}

/** The change since before the earlier one that waits. */
const joinedChanges = () => {
  const byEarlier = new Map<Waiting, Change>()
  return (earlier: Waiting, change: Change): Change => {
    const had = (trigger: WatchTrigger) => Object.values(earlier.watches).some((each) => each.includes(trigger))
    const joined = byEarlier.get(earlier) ?? {
      ...change,
      before: earlier.before ?? undefined,
      scored: change.scored || had('score'),
      permit: change.permit || had('permit'),
      changedAt: earlier.changedAt,
    }
    byEarlier.set(earlier, joined)
    return joined
  }
}

/** The change with returns at the assumptions of the watch; undefined if its other conditions are met neither before nor after. */
export const ownChanges = (rowsOf: (values: OwnNumbers) => ReturnType<OwnRows>) => {
  const bySet = new Map<string, (change: Change) => Change>()
  return ({ assumptionSetId, setMarket, values, byCity, others }: IndexedWatch, change: Change): Change | undefined => {
    // A set of another market does not apply.
    if (assumptionSetId === null || values === null || (setMarket ?? change.market) !== change.market) return change
    const { before, after } = change
    if (!meets(others, after) && !(before && meets(others, before))) return undefined
    const changeOf = bySet.get(assumptionSetId) ?? ownChange(rowsOf(readStoredNumbers(values, byCity)))
    bySet.set(assumptionSetId, changeOf)
    return changeOf(change)
  }
}

/** Computed once for each change. */
const ownChange = (rowOf: ReturnType<OwnRows>) => {
  const results = new Map<Change, Change>()
  return (change: Change): Change => {
    const known = results.get(change) ?? {
      ...change,
      before: change.before && rowOf(change.before),
      after: rowOf(change.after),
    }
    results.set(change, known)
    return known
  }
}
