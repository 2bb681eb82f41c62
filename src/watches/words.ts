// A match of a watch in words: what changed and why, for mails, feeds and pages.
import { dollars } from '../common/dollars.ts'
import { meets, type SearchRow } from '../criteria/conditions.ts'
import { criterionText } from '../criteria/criteria-text.ts'
import { rowAs } from '../criteria/row-readings.ts'
import type { CriteriaInput } from '../criteria/table.ts'
import type { WatchKind, WatchTrigger } from '../wire/watches.ts'
import { storedConditions } from './triggers.ts'

interface Watched {
  kind: WatchKind
  criteria: CriteriaInput
}

interface Changed {
  triggers: readonly WatchTrigger[]
  before: SearchRow | null | undefined
  after: SearchRow
}

/** The first is the most important. */
export const matchReasons = (watch: Watched, { triggers, before, after }: Changed): string[] => {
  const [from, to] = [rowAs(watch.kind, before ?? undefined), rowAs(watch.kind, after)]
  const has = (trigger: WatchTrigger) => triggers.includes(trigger)
  const reasons: (string | undefined)[] = [
    has('entered') ? entered(watch, from, to?.texts.status) : undefined,
    has('left') ? left(watch, to) : undefined,
    priceText(from?.numbers.price, to?.numbers.price),
    statusText(before?.texts.status, after.texts.status),
    has('score') || has('entered') || has('left')
      ? scoreText('teardown', from?.numbers.teardownScore, to?.numbers.teardownScore)
      : undefined,
    has('score') ? scoreText('flip', from?.numbers.flippabilityScore, to?.numbers.flippabilityScore) : undefined,
    has('permit') ? 'A permit was recorded or changed its status' : undefined,
  ]
  return reasons.filter((reason) => reason !== undefined)
}

const entered = (watch: Watched, from: SearchRow | undefined, status: string | undefined): string => {
  // Its days on the market are counted from the day on which it becomes active.
  if (!from) return watch.kind !== 'listings' ? 'New' : `New listing${status === 'coming_soon' ? ', coming soon' : ''}`
  const why = unmet(watch, from)
  return why === '' ? 'Now matches' : `Now matches: ${why}`
}

const left = (watch: Watched, to: SearchRow | undefined): string => {
  const why = to ? unmet(watch, to) : 'no longer listed'
  return why === '' ? 'No longer matches' : `No longer matches: ${why}`
}

/** The criteria that a row does not meet. Criteria of an earlier version that this one refuses are not named. */
const unmet = ({ kind, criteria }: Watched, row: SearchRow): string => {
  const conditions = (storedConditions(kind, criteria) ?? []).filter((condition) => !meets([condition], row))
  return [...new Set(conditions.map(criterionText))].join(', ')
}

export const priceText = (from: number | undefined, to: number | undefined): string | undefined => {
  if (from === undefined || to === undefined || from === to) return undefined
  const pct = Math.abs((100 * (to - from)) / from).toFixed(1)
  return `Price ${to < from ? 'cut' : 'raised'} from ${dollars(from)} to ${dollars(to)} (${to < from ? '−' : '+'}${pct}%)`
}

export const statusText = (from: string | undefined, to: string | undefined): string | undefined =>
  from === undefined || from === to
    ? undefined
    : `Status changed from ${words(from)} to ${to === undefined ? 'not listed' : words(to)}`

const scoreText = (name: string, from: number | undefined, to: number | undefined): string | undefined =>
  from === undefined || to === undefined || Math.round(from) === Math.round(to)
    ? undefined
    : `${name === 'flip' ? 'Flip' : 'Teardown'} score from ${Math.round(from)} to ${Math.round(to)}`

const words = (name: string): string => name.replaceAll('_', ' ')
