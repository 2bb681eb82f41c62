// What changed for a buyer since a day: listings of the markets of the buyer's deals and watches, permits near the deals, and deals
// whose decision changed. The page Today shows it, and the daily mail.
import { dollars } from '../common/dollars.ts'
import { type MailBlock, mailSection } from '../common/mail-document.ts'
import type { OwnNumbers } from '../criteria/own-assumptions.ts'
import { marketsSearched } from '../criteria/read.ts'
import { dayInWords, dayOf } from '../domain/day.ts'
import { distanceMi, milesPerDegree } from '../domain/distance.ts'
import { forSaleStatuses, type MarketId } from '../domain/facts.ts'
import { defaultMarket, marketById } from '../domain/packs/markets.ts'
import { propertyUrl } from '../domain/page-urls.ts'
import { marketOfProperty } from '../domain/property-id.ts'
import { unsubscribeUrl } from '../secrets/unsubscribe-links.ts'
import { inTransaction } from '../store/engine/database.ts'
import { sourcesWithout } from '../store/exports/exports.ts'
import { lockMailbox } from '../store/keys/mailbox-counts.ts'
import { enqueueContent, type Mail, mailOf } from '../store/keys/mails.ts'
import {
  dealMoves,
  dealsToCompare,
  hasTodayMail,
  type ListingMove,
  listingMoves,
  type PermitMove,
  permitMoves,
  readerOfMail,
  recordTodayMail,
  recordTold,
  type Span,
  startTodayMail,
  stopTodayMail,
  type TodayMailJob,
  type TodayReader,
  todayReaders,
} from '../store/keys/today.ts'
import { nextWatchMail } from '../store/watches/watch-mails.ts'
import { noticeBlocks, noticesOf } from '../watches/mail.ts'
import { plans, windowStart } from '../wire/plans.ts'
import { announcedAtHour } from '../wire/watches.ts'
import { myNumbers } from './account/my-numbers.ts'
import { callerWith, type SignedIn } from './account/signed-in.ts'
import type { Context, Services } from './context.ts'
import { decisionChanges, homesNow } from './deal-homes.ts'
import { everyDeal, type ServedDeal } from './deals.ts'
import { decisionAbout } from './decisions.ts'
import { ownerOf } from './mailbox.ts'
import { withOwnReturns } from './own-assumptions.ts'
import { ownUsesOf } from './schemes.ts'
import { todayPrefix } from './subscriptions.ts'
import { everyWatch } from './watches.ts'

export interface TodayHome {
  id: string
  address: string
  city: string
  price?: number | undefined
  previousPrice?: number | undefined
  decision: string
  /** Of a sold home: its price, and the value given when it was listed. */
  sold?: { price?: number | undefined; on?: string | undefined; said?: Said | undefined }
}

type Said = NonNullable<ReturnType<typeof saidOf>>

export const todaySections = {
  fresh: 'New for sale',
  cut: 'Price cuts',
  back: 'Back on the market',
  sold: 'Sold, beside what we said when it was listed',
} as const
export type TodaySection = keyof typeof todaySections

export type Today = Awaited<ReturnType<typeof todayOf>>

interface TodayPermit {
  title: string
  text: string
  permitId: string
  citySlug: string
  near: string
  miles: number
}

const mostShown = 25
const mostMoves = 1_000
export const cappedText = `Of each market, the newest ${mostMoves.toLocaleString('en-US')} changes are counted.`
const nearMi = 0.5
/** A permit that was issued or applied for longer before is not news: its source has begun to list older ones. */
const newPermitDays = 30

export const todayOf = async (context: Context, ownSet: MyOwn, since: Date, until?: Date) => {
  const { db, caller, now } = context
  const [deals, watches, hidden] = await Promise.all([
    everyDeal(context),
    everyWatch(context),
    sourcesWithout(db, 'page'),
  ])
  const named = [
    ...deals.map(({ propertyId }) => marketOfProperty(propertyId)),
    ...watches.flatMap(({ criteria }) => marketsSearched(criteria)),
  ]
  const knownMarkets = [...new Set(named)].filter((market) => market !== undefined) as MarketId[]
  const markets = knownMarkets.length > 0 ? knownMarkets : [defaultMarket()]
  const from = windowStart(caller.limits, now)
  const moves = await Promise.all(
    markets.map(async (market) => {
      const rows = await listingMoves(db, market, { since, until }, hidden, mostMoves)
      const values = ownSet && (ownSet.market === null || ownSet.market === market) ? ownSet.values : undefined
      const used = values && { values, used: { changed: [] } }
      const priced = await withOwnReturns(db, { markets: [market], today: '' }, rows, used)
      return priced.map((row) => ({ ...row, values, ...decided(row, values) }))
    }),
  )
  const visible = moves
    .flat()
    .filter(({ status, soldOn = '' }) => status !== 'sold' || from === undefined || soldOn >= from)
  return {
    since,
    markets,
    sections: await sectionsOf(context, visible),
    /** A market has more changes of listings than are counted. */
    isCapped: moves.some(({ length }) => length === mostMoves),
    permits: await permitsNear(context, deals, markets, { since, until }, hidden),
    deals: await movedDeals(context, deals, { since, until }),
  }
}

/** The visitor's set that applies; undefined for the numbers of the market. */
type MyOwn = { market: string | null; values: OwnNumbers } | undefined

const decided = (row: ListingMove, numbers: OwnNumbers | undefined) => {
  const decision = decisionAbout(row, numbers)
  return { decision: decision.text, room: decision.room?.low ?? decision.room?.usd ?? Number.NEGATIVE_INFINITY }
}

type Move = ListingMove & ReturnType<typeof decided> & { values: OwnNumbers | undefined }

/** At most `mostShown` of each, the most room first; `more` are left out. */
const sectionsOf = async (context: Context, moves: readonly Move[]) => {
  const moved: Record<TodaySection, Move[]> = { fresh: [], cut: [], back: [], sold: [] }
  const seen = new Set<string>()
  for (const move of moves) {
    const section = sectionOf(move)
    // The newest change of a home is the first.
    if (!section || seen.has(move.id)) continue
    seen.add(move.id)
    moved[section].push(move)
  }
  const part = async (section: TodaySection) => {
    const homes: Move[] = []
    // Own numbers compare every use of the homes that are shown, one after another as in lists.
    for (const move of mostRoomFirst(moved[section]).slice(0, mostShown))
      homes.push({ ...move, ...decided({ ...move, ...(await ownUsesOf(context, move, move.values)) }, move.values) })
    return {
      homes: mostRoomFirst(homes).map((move) => homeIn(section, move)),
      more: Math.max(0, moved[section].length - mostShown),
    }
  }
  return {
    fresh: await part('fresh'),
    cut: await part('cut'),
    back: await part('back'),
    sold: await part('sold'),
  }
}

const mostRoomFirst = (moves: readonly Move[]): Move[] =>
  moves.toSorted((a, b) => b.room - a.room || a.id.localeCompare(b.id))

const homeIn = (section: TodaySection, move: Move): TodayHome => {
  const { id, address, city, price, previousPrice, decision } = move
  return {
    ...{ id, address, city, price, decision },
    ...(section === 'cut' ? { previousPrice } : {}),
    ...(section === 'sold' ? { sold: { price: move.soldPrice, on: move.soldOn, said: saidOf(move) } } : {}),
  }
}

const saidOf = ({ saidUsd, saidLowUsd, saidHighUsd, saidOn }: ListingMove) =>
  saidUsd === undefined || saidOn === undefined
    ? undefined
    : { value: saidUsd, low: saidLowUsd, high: saidHighUsd, on: saidOn }

const isForSale = (status: string): boolean => forSaleStatuses.some((each) => each === status)

const sectionOf = ({ status, previousStatus, price, previousPrice }: ListingMove): TodaySection | undefined => {
  if (status === 'sold') return previousStatus === undefined ? undefined : 'sold'
  if (status === undefined || !isForSale(status)) return undefined
  if (previousStatus === undefined) return 'fresh'
  if (!isForSale(previousStatus)) return 'back'
  return price !== undefined && previousPrice !== undefined && price < previousPrice ? 'cut' : undefined
}

/** New or issued since then, that the key may see. The nearest to a deal first. */
const permitsNear = async (
  context: Context,
  deals: readonly ServedDeal[],
  markets: readonly MarketId[],
  span: Span,
  hiddenSources: readonly string[],
) => {
  const { db, caller, now } = context
  const followed = deals.filter(({ stage }) => stage !== 'dropped')
  const homes = await homesNow(context, followed)
  const placed = [...homes.values()].flatMap(({ lat, lng, address }) =>
    lat === undefined || lng === undefined ? [] : [{ lat, lng, address }],
  )
  if (placed.length === 0) return { shown: [], more: 0 }
  const newFrom = dayOf(new Date(span.since.getTime() - newPermitDays * dayMs))
  const window = windowStart(caller.limits, now) ?? newFrom
  const from = window > newFrom ? window : newFrom
  const moves = await Promise.all(markets.map((market) => permitMoves(db, market, span, { from, hiddenSources })))
  // Computing every distance blocks the event loop: 500 deals and 10,000 permits take a second, and with this filter a seventh of it.
  const most = nearMi / milesPerDegree
  const near = moves.flat().flatMap((permit) => {
    const mostLng = most / Math.cos(((Math.abs(permit.lat) + 1) * Math.PI) / 180)
    const [closest] = placed
      .filter(({ lat, lng }) => Math.abs(lat - permit.lat) <= most && Math.abs(lng - permit.lng) <= mostLng)
      .map((home) => ({ near: home.address, miles: distanceMi(home, permit) }))
      .sort((a, b) => a.miles - b.miles)
    return closest && closest.miles <= nearMi ? [{ ...permit, ...closest }] : []
  })
  near.sort((a, b) => a.miles - b.miles || a.permitId.localeCompare(b.permitId))
  return { shown: near.slice(0, mostShown).map(permitIn), more: Math.max(0, near.length - mostShown) }
}

const permitIn = (permit: PermitMove & Pick<TodayPermit, 'near' | 'miles'>): TodayPermit => {
  const { permitId, citySlug, city, address, permitClass, status, valuationUsd, near, miles } = permit
  const words = [permitClass, status === 'unknown' ? [] : status].flat().map((text) => text.replaceAll('_', ' '))
  return {
    ...{ permitId, citySlug, near, miles: Math.round(miles * 10) / 10 },
    title: `${address ?? `Permit ${permitId}`}, ${city}`,
    text: [...words, valuationUsd === undefined ? [] : dollars(valuationUsd)].flat().join(', '),
  }
}

/** What was noticed since then, and what no comparison has noticed yet. */
const movedDeals = async (context: Context, deals: readonly ServedDeal[], { since, until }: Span) => {
  const { db } = context
  const rows = new Map((await dealMoves(db, ownerOf(context, 'deals').keyId)).map((row) => [row.id, row]))
  const homes = await homesNow(context, deals)
  return deals.flatMap((deal) => {
    const { told, moved } = rows.get(deal.id) ?? {}
    const home = homes.get(deal.propertyId)
    if (!home || home.hidden) return []
    // A mail has a change once a comparison has noticed it.
    const fresh = told && !until ? decisionChanges(told, home.snapshot) : []
    const at = moved && new Date(moved.at)
    const noticed = at && at >= since && (!until || at < until) ? decisionChanges(moved.from, home.snapshot) : []
    const changes = noticed.length > 0 ? noticed : fresh
    return changes.length > 0 ? [{ deal, changes }] : []
  })
}

const batch = 500

/** Compares every deal with what was told about it before, so that a later change is noticed once. Returns how many moved. */
export const compareDeals = async (services: Pick<Services, 'db'>, now: Date): Promise<number> => {
  const { db } = services
  // The decision of a home on the market is not dated, so no window hides it. What a deal remembers of a sale, a window may hide.
  const context = { db, now, caller: { limits: plans.free } } as unknown as Context
  let after = ''
  let count = 0
  for (;;) {
    const deals = await dealsToCompare(db, after, batch)
    if (deals.length === 0) return count
    const homes = await homesNow(context, deals)
    for (const { id, propertyId, told, saved } of deals) {
      const to = homes.get(propertyId)?.snapshot
      if (!to) continue
      const moved = told && decisionChanges(told, to).length > 0
      // A home that left the market keeps what was last said about it.
      if (!moved && saved && told && (told.worthUpTo !== undefined || to.worthUpTo === undefined)) continue
      await recordTold(db, id, to, moved ? { at: now.toISOString(), from: told, to } : undefined)
      if (moved) count++
    }
    after = deals.at(-1)!.id
  }
}

/** Whether the owner of the caller's key gets the daily mail, and turning it on and off. */
export const todayMail = {
  isOn: (context: Context) => hasTodayMail(context.db, ownerOf(context, 'daily mails').keyId),
  turn: async (context: Context, on: boolean): Promise<void> => {
    const owner = ownerOf(context, 'daily mails')
    await (on ? startTodayMail(context.db, owner, context.now) : stopTodayMail(context.db, owner.keyId))
  },
}

export const dayMs = 86_400_000

/** Queues the daily mail of everybody who wants it, did not get today's and may get a mail now. Returns the number of mails. */
export const queueTodayMails = async (services: Services, now: Date): Promise<number> => {
  const day = dayOf(now)
  let queued = 0
  const failures: unknown[] = []
  const queueFor = async (reader: TodayReader): Promise<boolean> => {
    const { mailbox, email, family, id } = reader
    const span = mailedSpan(reader.sentOn, now)
    const hasNews = (await mailFor(services, reader, span, now)) !== undefined
    return inTransaction(services.db, async (tx) => {
      await lockMailbox(tx, mailbox)
      // Over the limit of the mailbox it is tried again with the next run.
      if (hasNews && (await nextWatchMail(tx, mailbox, now)) > now) return false
      if (!(await recordTodayMail(tx, id, day)) || !hasNews) return false
      const today = { family, since: span.since.toISOString(), until: span.until.toISOString() } satisfies TodayMailJob
      await enqueueContent(tx, services.queue, { kind: 'today', to: email, mailbox, now }, { today })
      return true
    })
  }
  // A reader whose mail cannot be written does not keep the others from theirs.
  for (const reader of await todayReaders(services.db, day, now))
    if (await queueFor(reader).catch((error: unknown) => void failures.push(error))) queued++
  if (failures.length > 0) throw failures[0]
  return queued
}

/** A run that loads while the first mails are written gives its changes an earlier time: they are in the mails of the next day. */
const loadingMinutes = 10

/** A daily mail has what happened since the last one. The times of both are fixed, whenever in the day they are sent. */
const mailedSpan = (sentOn: string | null, now: Date) => {
  const endOn = (day: string) =>
    new Date(Date.parse(`${day}T00:00:00Z`) + announcedAtHour * 3_600_000 - loadingMinutes * 60_000)
  const until = endOn(dayOf(now))
  return { since: sentOn === null ? new Date(until.getTime() - dayMs) : endOn(sentOn), until }
}

/** A queued mail as its reader may see it now. */
export const todayMailOf =
  (services: Services) =>
  async (job: TodayMailJob, now: Date): Promise<Mail | undefined> => {
    const reader = await readerOfMail(services.db, job, now)
    return reader && mailFor(services, reader, { since: new Date(job.since), until: new Date(job.until) }, now)
  }

/** Undefined if nothing happened. */
const mailFor = async (
  services: Services,
  reader: TodayReader,
  { since, until }: Required<Span>,
  now: Date,
): Promise<Mail | undefined> => {
  const { mailbox: _, sentOn: __, ...key } = reader
  const context: Context = { ...services, now, surface: 'page', caller: callerWith(key, 'mail', now) }
  const { used } = await myNumbers(services, { keys: [key] } as unknown as SignedIn)
  const today = await todayOf(context, used, since, until)
  const unsubscribe = unsubscribeUrl(services.sealer, services.publicUrl, `${todayPrefix}${key.id}`)
  const numbers = numbersText(today, used)
  const blocks = mailBlocks(today, services.publicUrl, numbers !== undefined)
  if (blocks.length === 0) return undefined
  return mailOf({ kind: 'today', to: key.email, unsubscribe }, `Today: ${titleOf(today)}`, [
    ...noticeBlocks(await noticesOf(services.db, today.markets)),
    ...(numbers ? [`The homes are decided ${numbers}.`] : []),
    ...(today.isCapped ? [cappedText] : []),
    ...blocks,
    {
      type: 'links',
      links: {
        Today: `${services.publicUrl}/today`,
        'Your deals': `${services.publicUrl}/account/saved`,
        'Unsubscribe from the daily email': unsubscribe,
      },
    },
  ])
}

/** Whose numbers the homes are decided at, if not those of the market: a set may be for one of the markets. Deals are at the market's. */
export const numbersText = ({ markets }: Today, set: { name: string; market: string | null } | undefined) => {
  if (!set || (set.market !== null && !markets.some((market) => market === set.market))) return undefined
  const place = set.market !== null && markets.length > 1 ? ` in ${marketById(set.market as MarketId)?.name}` : ''
  return `at your numbers “${set.name}”${place}`
}

const titleOf = ({ sections, deals, permits }: Today): string => {
  const total = (section: TodaySection) => sections[section].homes.length + sections[section].more
  return [
    [deals.length, 'of your deals changed'],
    [total('fresh'), 'new'],
    [total('cut'), 'price cuts'],
    [total('back'), 'back'],
    [total('sold'), 'sold'],
    [permits.shown.length + permits.more, 'permits nearby'],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')
}

const mailBlocks = ({ sections, permits, deals }: Today, publicUrl: string, hasNumbers: boolean): MailBlock[] => [
  ...mailSection(
    `Your deals${hasNumbers ? ', at market numbers' : ''}`,
    deals.map(({ deal, changes }) => ({
      title: `${deal.address}, ${deal.city}`,
      url: propertyUrl(publicUrl, deal.propertyId),
      facts: [...(deal.now.decision ? [deal.now.decision] : []), ...changes].map(({ text }) => ({ text })),
    })),
  ),
  ...(Object.entries(todaySections) as [TodaySection, string][]).flatMap(([section, title]) => {
    const { homes, more } = sections[section]
    if (homes.length === 0) return []
    const items = homes.map((home) => ({
      title: `${home.address}, ${home.city}`,
      url: propertyUrl(publicUrl, home.id),
      facts: [{ text: section === 'sold' ? soldText(home) : home.decision }, ...priceFacts(home)],
    }))
    return [...mailSection(title, items), ...(more > 0 ? [`And ${more} more, on the page Today.`] : [])]
  }),
  ...mailSection(
    'Permits within half a mile of your deals',
    permits.shown.map(({ title, text, near, miles, citySlug, permitId }) => ({
      title,
      url: `${publicUrl}/permits/${citySlug}/${encodeURIComponent(permitId)}`,
      facts: [{ text }, { text: `${miles} miles from ${near}` }],
    })),
  ),
  ...(permits.more > 0 ? [`And ${permits.more} more permits, on the page Today.`] : []),
]

const priceFacts = ({ price, previousPrice, sold }: TodayHome) =>
  price === undefined || sold
    ? []
    : [{ text: previousPrice === undefined ? dollars(price) : `${dollars(previousPrice)} → ${dollars(price)}` }]

/** "Sold for $2,310,000; we said $2,250,000 ($1,950,000 to $2,600,000) on Nov 3, 2026, 2.7% above it" */
export const soldText = ({ sold }: TodayHome): string => {
  const { price, said } = sold ?? {}
  const first = price === undefined ? 'Sold; the price is not known' : `Sold for ${dollars(price)}`
  if (!said) return `${first}; we gave no value when it was listed`
  const range =
    said.low === undefined || said.high === undefined ? '' : ` (${dollars(said.low)} to ${dollars(said.high)})`
  const off =
    price === undefined
      ? ''
      : `; the sale is ${Math.abs(100 * (price / said.value - 1)).toFixed(1)}% ${price >= said.value ? 'above' : 'below'} it`
  return `${first}; we said ${dollars(said.value)}${range} on ${dayInWords(said.on)}${off}`
}
