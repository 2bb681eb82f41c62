// The mail of watches: what changed, why, and how to end it. Written when it is sent.

import { dollars } from '../common/dollars.ts'
import type { MailBlock, MailFact } from '../common/mail-document.ts'
import { type OwnNumbers, readStoredNumbers } from '../criteria/own-assumptions.ts'
import type { MarketId } from '../domain/facts.ts'
import { newHouseReturn } from '../domain/findings/use-words.ts'
import { pastDaysText } from '../domain/packs/markets.ts'
import { unsubscribeUrl } from '../secrets/unsubscribe-links.ts'
import { pastDays } from '../store/assessments/score-distributions.ts'
import type { Db } from '../store/engine/database.ts'
import { windowOf } from '../store/keys/key-terms.ts'
import { type Mail, mailOf } from '../store/keys/mails.ts'
import { sampleLoaded } from '../store/properties/site-index.ts'
import { type MailedMatch, matchesOfMail } from '../store/watches/watch-mails.ts'
import type { NewsletterServices } from './newsletter.ts'
import { matchOf, receivedMatches } from './served-matches.ts'
import { matchReasons } from './words.ts'

/** The sentence of the decision about each home, by id: what a key with this window may see, at the numbers of a set. */
export type DecisionsOf = (
  db: Db,
  ids: readonly string[],
  reader: { since: string | undefined; set?: { market: MarketId | null; numbers: OwnNumbers } | undefined },
) => Promise<ReadonlyMap<string, string>>

type MailServices = Omit<NewsletterServices, 'queue'>

/** A match with the decision about its home. */
type DecidedMatch = MailedMatch & { decision?: string | undefined }

export type DataNotices = Awaited<ReturnType<typeof noticesOf>>

/** What a reader must know of some markets: whether sample data is loaded, and past days that they were assessed for. */
export const noticesOf = async (db: Db, markets: readonly MarketId[]) => {
  const [sample, days] = await Promise.all([sampleLoaded(db, [...markets]), pastDays(db, markets)])
  return { sample, days }
}

/** The first blocks of a mail. */
export const noticeBlocks = ({ sample, days }: DataNotices): MailBlock[] =>
  [
    sample
      ? 'This service includes generated sample data: properties, sales and permits in this mail may be made up.'
      : '',
    pastDaysText(days),
  ].flatMap((text) => (text === '' ? [] : [{ type: 'notice', text }]))

export const recordTitle = (record: { address?: string; permitId?: string; city: string }): string =>
  `${record.address ?? `Permit ${record.permitId}`}, ${record.city}`

export const returnFacts = (home: Parameters<typeof newHouseReturn>[0]): MailFact[] => {
  const { pct, as } = newHouseReturn(home) ?? {}
  return pct === undefined
    ? []
    : [{ text: `${pct < 0 ? 'Loses' : 'Earns'} ${Math.abs(pct).toFixed(1)}% ${as}`, loss: pct < 0 }]
}

/** Matches that a mail describes; the others are counted. */
const mostShown = 50

/** Undefined if nothing of it may be sent any more. */
export const watchMail = async (services: MailServices, mailId: string, now: Date): Promise<Mail | undefined> => {
  const mailed = await matchesOfMail(services.db, mailId, now)
  const groups: DecidedMatch[][] = []
  let room = mostShown
  for (const watchMatches of Map.groupBy(mailed, ({ watchId }) => watchId).values()) {
    const { kind, values, byCity, setMarket } = watchMatches[0]!
    const since = windowOf(watchMatches[0]!, now)
    const received = await receivedMatches(services.db, watchMatches, { kind, since, use: 'page', now })
    if (received.length === 0) continue
    const ids = [...new Set(received.slice(0, room).flatMap(({ propertyId }) => propertyId ?? []))]
    room = Math.max(0, room - received.length)
    const set = values ? { market: setMarket, numbers: readStoredNumbers(values, byCity) } : undefined
    const decisions = await services.decisionsOf(services.db, kind === 'permits' ? [] : ids, { since, set })
    groups.push(received.map((match) => ({ ...match, decision: decisions.get(match.propertyId ?? '') })))
  }
  if (groups.length === 0) return undefined
  const { email, keyId } = groups[0]![0]!
  const unsubscribe = unsubscribeUrl(services.sealer, services.publicUrl, keyId)
  const markets = [...new Set(groups.flat().map(({ market }) => market))]
  const blocks = blocksOf(services, groups, unsubscribe, await noticesOf(services.db, markets))
  return mailOf({ kind: 'watch', to: email, unsubscribe }, titleOf(groups), blocks)
}

const blocksOf = (
  { sealer, publicUrl }: MailServices,
  groups: readonly (readonly DecidedMatch[])[],
  unsubscribe: string,
  notices: DataNotices,
): MailBlock[] => {
  let room = mostShown
  const blocks = noticeBlocks(notices)
  for (const group of groups) {
    const { name, watchId } = group[0]!
    const first = group.slice(0, room)
    room -= first.length
    // The title has the name of a single one.
    if (groups.length > 1) blocks.push({ type: 'heading', text: name })
    if (first.length > 0) blocks.push({ type: 'items', items: first.map((match) => itemOf(match, publicUrl)) })
    if (first.length < group.length)
      blocks.push(`And ${group.length - first.length} more, listed on the page of your watches.`)
    if (groups.length > 1)
      blocks.push({
        type: 'links',
        links: { 'Stop the mails of this watch': unsubscribeUrl(sealer, publicUrl, watchId) },
      })
  }
  blocks.push({
    type: 'links',
    links: {
      'Your watches': `${publicUrl}/account/watches`,
      'Unsubscribe from the mails of all watches': unsubscribe,
    },
  })
  return blocks
}

const titleOf = (groups: readonly (readonly DecidedMatch[])[]): string => {
  const [first, ...others] = groups.flat()
  const { name, address, after } = first!
  if (groups.length > 1) return `${others.length + 1} changes in your watches`
  return others.length > 0 ? `${name}: ${others.length + 1} changes` : `${name}: ${address ?? after.city ?? '1 change'}`
}

const itemOf = (match: DecidedMatch, publicUrl: string) => {
  const { address, city, url, price, permitId } = matchOf(match.kind, match, publicUrl)
  const { lat, lng, market, numbers, texts } = match.after
  const reasons = matchReasons(match, match)
  const facts: MailFact[] = [match.decision ?? [], ...reasons].flat().map((text) => ({ text }))
  if (price !== undefined && !reasons.some((text) => text.includes(dollars(price))))
    facts.push({ text: dollars(price) })
  facts.push(...returnFacts({ ...numbers, status: texts.status }))
  if (numbers.valuation !== undefined) facts.push({ text: `${dollars(numbers.valuation)} valuation` })
  return {
    title: recordTitle({ address, permitId, city }),
    url,
    facts,
    ...(lat === undefined || lng === undefined
      ? {}
      : { map: `${publicUrl}/explore?market=${market}&lat=${lat}&lng=${lng}&radiusMi=0.5` }),
  }
}
