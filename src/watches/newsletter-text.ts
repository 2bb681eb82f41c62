// A newsletter issue as text and as HTML. Empty sections are left out.

import { dollars } from '../common/dollars.ts'
import { type MailBlock, type MailDocument, type MailFact, mailSection } from '../common/mail-document.ts'
import type { MarketId } from '../domain/facts.ts'
import { placeWords } from '../domain/findings/score-rank.ts'
import { rankingLabels } from '../domain/packs/market-pack.ts'
import { markets } from '../domain/packs/markets.ts'
import { permitUrl, propertyUrl } from '../domain/page-urls.ts'
import type { BigPermit, HeatPoint, NewSignal, Week } from '../store/keys/newsletter.ts'
import { type DataNotices, noticeBlocks, recordTitle, returnFacts } from './mail.ts'

/** A new listing with the place of its teardown score among the homes on the market, and the decision about it. */
export interface RankedSignal extends NewSignal {
  teardownPercentile?: number
  decision?: string | undefined
}

export interface Digest extends DataNotices {
  market: MarketId
  week: Week
  publicUrl: string
  signals: readonly RankedSignal[]
  permits: readonly BigPermit[]
  heat: readonly HeatPoint[]
}

export const digestDocument = (digest: Digest, unsubscribe: string): MailDocument => {
  const { market, week, publicUrl, signals, permits, heat } = digest
  const homes = signals.map((signal) => ({
    title: recordTitle(signal),
    url: propertyUrl(publicUrl, signal.id),
    facts: signalFacts(signal),
  }))
  const works = permits.map((permit) => ({
    title: recordTitle(permit),
    url: permitUrl(publicUrl, permit.citySlug, permit.permitId),
    facts: permitFacts(permit),
  }))
  const explore = `${publicUrl}/explore?market=${market}&sort=-listedDate`
  const blocks: MailBlock[] = [
    ...noticeBlocks(digest),
    ...mailSection(`New homes for sale, ranked by ${rankingLabels[marketOf(market).ranking]}`, homes),
    ...(homes.length > 0 ? [{ type: 'button' as const, label: 'See all homes for sale', url: explore }] : []),
    ...mailSection('High-value permits', works),
  ]
  if (heat.length > 0)
    blocks.push(
      { type: 'heading', text: 'Market heat' },
      { type: 'bars', text: heatWords(heat), values: heat.map(({ heatIndex }) => heatIndex) },
    )
  blocks.push({
    type: 'links',
    links: { Lotline: publicUrl, 'How the scores are computed': `${publicUrl}/docs/methods`, Unsubscribe: unsubscribe },
  })
  return { title: `${marketOf(market).name}: the week of ${span(week)}`, blocks }
}

const marketOf = (market: MarketId) => markets().find((each) => each.id === market)!

const signalFacts = (signal: RankedSignal): MailFact[] => {
  const { price, teardownScore, teardownPercentile, flippabilityScore, decision } = signal
  const facts: MailFact[] = decision === undefined ? [] : [{ text: decision }]
  if (price !== undefined) facts.push({ text: dollars(price) })
  if (teardownScore !== undefined) facts.push({ text: placed('teardown', teardownScore, teardownPercentile) })
  if (flippabilityScore !== undefined) facts.push({ text: placed('flip', flippabilityScore) })
  return [...facts, ...returnFacts(signal)]
}

const placed = (name: string, score: number, percentile?: number): string =>
  `${name} score ${Math.round(score)}${percentile === undefined ? '' : `, ${placeWords({ percentile, of: 'homes for sale or pending' })}`}`

const permitFacts = ({ valuation, issuedOn, description }: BigPermit): MailFact[] => [
  { text: `${dollars(valuation)} valuation` },
  { text: `issued ${day(issuedOn)}` },
  ...(description ? [{ text: shortened(description) }] : []),
]

const heatWords = (heat: readonly HeatPoint[]): string => {
  const latest = heat.at(-1)!
  const now = Math.round(latest.heatIndex)
  const before = heat.at(-2)
  if (!before) return `The heat index was ${now} of 100 on ${day(latest.asOf)}.`
  const change = now - Math.round(before.heatIndex)
  const moved = change === 0 ? 'unchanged' : `${change > 0 ? 'up' : 'down'} ${Math.abs(change)}`
  return `The heat index was ${now} of 100 on ${day(latest.asOf)}, ${moved} since ${day(before.asOf)}.`
}

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const day = (date: string): string => dateFormat.format(new Date(`${date}T00:00:00Z`))
const span = ({ from, to }: Week): string => `${day(from)} to ${day(to)}`

const shortened = (text: string) => (text.length > 90 ? `${text.slice(0, 88).trimEnd()}…` : text)
