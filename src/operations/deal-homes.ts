// The homes of deals as one key may see them today, at the assumptions of the market, and what changed since they were saved.
import type { Static } from 'typebox'
import { dollars } from '../common/dollars.ts'
import { dayOf } from '../domain/day.ts'
import { isOnMarket, isShown } from '../domain/facts.ts'
import { schemeTable } from '../domain/findings/scheme-kinds.ts'
import type { Db } from '../store/engine/database.ts'
import { type DealHome, type DealRow, dealHomes } from '../store/keys/deals.ts'
import type { DecisionsOf } from '../watches/mail.ts'
import { priceText, statusText } from '../watches/words.ts'
import type { DealSnapshot } from '../wire/deals.ts'
import type { DealChange } from '../wire/operations/deals.ts'
import { windowStart } from '../wire/plans.ts'
import type { Context } from './context.ts'
import { decisionAbout } from './decisions.ts'
import { withOwnReturns } from './own-assumptions.ts'
import { ownUsesOf } from './schemes.ts'

/** `price` and `status` are of a listing that the key may see; `hidden`: the history window hides it. */
export type HomeNow = ReturnType<typeof homeNow>

/** The homes of deals, by id. Homes that the key may not see are left out. */
export const homesNow = async (
  { db, caller, now }: Pick<Context, 'db' | 'caller' | 'now'>,
  deals: readonly { propertyId: string }[],
) => {
  const ids = [...new Set(deals.map(({ propertyId }) => propertyId))]
  const homes = await visibleHomes(db, ids, windowStart(caller.limits, now))
  return new Map(homes.map((home) => [home.id, homeNow(home, dayOf(now))]))
}

type VisibleHome = DealHome & { hidden: boolean }

/** Homes with nothing of a listing that is withdrawn, or sold before the window began. */
const visibleHomes = async (db: Db, ids: readonly string[], since: string | undefined): Promise<VisibleHome[]> =>
  (await dealHomes(db, ids)).flatMap((home) => {
    const hidden = home.status === 'sold' && since !== undefined && (home.soldOn ?? '') < since
    if (hidden && home.knownFrom === 'listing') return []
    if (!hidden && home.status !== undefined && isShown(home.status)) return [{ ...home, hidden }]
    const { price: _p, status: _s, soldOn: _d, proforma, offers, ...rest } = home
    return [{ ...rest, ...(hidden ? {} : { proforma, offers }), hidden } as VisibleHome]
  })

/** The sentences of mails. A home that is not for sale is decided at the assumptions of its market. */
export const decisionTexts: DecisionsOf = async (db, ids, { since, set }) => {
  const homes = await visibleHomes(db, ids, since)
  const ofSet = (home: VisibleHome) => isOnMarket(home.status) && set && (set.market ?? home.market) === home.market
  const markets = [...new Set(homes.map(({ market }) => market))]
  const ownSet = set && { values: set.numbers, used: { changed: [] } }
  const priced = await withOwnReturns(db, { markets, today: '' }, homes.filter(ofSet), ownSet)
  const others = homes.filter((home) => !ofSet(home))
  const texts = new Map(others.map((home) => [home.id, decisionAbout(home, undefined).text] as const))
  for (const home of priced) {
    const uses = await ownUsesOf({ db, now: new Date() }, home, set?.numbers)
    texts.set(home.id, decisionAbout({ ...home, ...uses }, set?.numbers).text)
  }
  return texts
}

const homeNow = (home: VisibleHome, on: string) => {
  const { id, market, address, city, lat, lng, hidden, price, status, valueUsd } = home
  const decision = decisionAbout(home, undefined)
  const { scheme, worthUpTo, room } = decision
  const offered = isOnMarket(status) && worthUpTo !== undefined ? { scheme, worthUpTo, roomUsd: room?.usd } : {}
  const snapshot = { on, status, price, value: valueUsd, ...offered } as DealSnapshot
  return { id, market, address, city, lat, lng, hidden, price, status, decision, snapshot }
}

/** What a deal about this home remembers; null if the key may not see it. */
export const snapshotOf = async (context: Context, id: string): Promise<DealSnapshot | null> =>
  (await homesNow(context, [{ propertyId: id }])).get(id)?.snapshot ?? null

export type Change = Static<typeof DealChange>

/** A value or an offer that moves by less is the same to a buyer. */
const noticeablePct = 5

export const noticeable = (from: number, to: number): boolean => Math.abs(to - from) >= (noticeablePct / 100) * from

export const changesBetween = (from: DealSnapshot, to: DealSnapshot, hidden: boolean): Change[] => {
  const changes: Change[] = []
  // The price and status of a listing that the window hides are those of no listing, which is no change.
  if (!hidden) {
    const price = priceText(from.price, to.price)
    if (price) changes.push({ what: 'price', text: price, fromUsd: from.price!, toUsd: to.price! })
    const status = statusText(from.status ?? 'not listed', to.status)
    if (status && from.status !== to.status)
      changes.push({ what: 'status', text: status, from: from.status, to: to.status })
  }
  if (from.value !== undefined && to.value !== undefined && noticeable(from.value, to.value))
    changes.push({
      what: 'value',
      text: `Estimated value ${to.value > from.value ? 'up' : 'down'} from ${dollars(from.value)} to ${dollars(to.value)}`,
      fromUsd: from.value,
      toUsd: to.value,
    })
  return hidden ? changes : [...changes, ...decisionChanges(from, to)]
}

/** The best use, the sign of its room, and what the home could bear. */
export const decisionChanges = (from: DealSnapshot, to: DealSnapshot): Change[] => {
  const changes: Change[] = []
  if (from.worthUpTo === undefined || to.worthUpTo === undefined) return changes
  if (from.scheme !== to.scheme && from.scheme && to.scheme)
    changes.push({
      what: 'bestUse',
      text: `The best use is ${schemeTable[to.scheme].noun}; it was ${schemeTable[from.scheme].noun}`,
      ...{ from: from.scheme, to: to.scheme },
    })
  const [before, after] = [from.roomUsd, to.roomUsd]
  // Without a price to beat there is no room, which a first price does not change.
  if (before !== undefined && after !== undefined && before >= 0 !== after >= 0)
    changes.push({
      what: 'room',
      text:
        after >= 0
          ? 'It now earns its target at the price to beat'
          : 'It no longer earns its target at the price to beat',
      ...{ fromUsd: before, toUsd: after },
    })
  if (noticeable(from.worthUpTo, to.worthUpTo))
    changes.push({
      what: 'worthUpTo',
      text: `Worth up to ${dollars(to.worthUpTo)}, before ${dollars(from.worthUpTo)}`,
      ...{ fromUsd: from.worthUpTo, toUsd: to.worthUpTo },
    })
  return changes
}

/** Nothing in it would be lost with it. */
export const blankDeal = ({ stage, scheme, priceUsd, assumptions, facts }: DealRow): boolean =>
  stage === 'looking' && [scheme, priceUsd, assumptions, facts].every((each) => each === null)
