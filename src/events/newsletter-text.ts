// An issue as text and as HTML. Empty sections are left out.
import { escapeHtml } from '../contract/escape-html.ts'
import type { MarketId } from '../contract/facts.ts'
import { markets } from '../contract/markets.ts'
import type { BigPermit, HeatPoint, NewSignal, Week } from '../store/keys/newsletter.ts'
import { mailPage } from './mail-page.ts'

export interface Digest {
  market: MarketId
  week: Week
  publicUrl: string
  signals: readonly NewSignal[]
  permits: readonly BigPermit[]
  heat: readonly HeatPoint[]
  /** Generated sample data is loaded. */
  sample: boolean
}

export const digestSubject = ({ market, week }: Digest): string => `${marketName(market)}, ${span(week)}: weekly digest`

export const digestText = (digest: Digest, unsubscribe: string): string => {
  const { market, week, publicUrl, signals, permits, heat, sample } = digest
  const sections = [
    heat.length > 0 && `MARKET HEAT\n${heatWords(heat)}\n${sparkline(heat)}`,
    signals.length > 0 &&
      `NEW HOMES FOR SALE, BEST FIRST\n${signals.map((each) => `- ${signalWords(each)}\n  ${propertyUrl(publicUrl, each)}`).join('\n')}`,
    permits.length > 0 &&
      `HIGH-VALUE PERMITS\n${permits.map((each) => `- ${permitWords(each)}\n  ${permitUrl(publicUrl, each)}`).join('\n')}`,
  ].filter(Boolean)
  return `${marketName(market)}, ${span(week)}\n\n${sample ? `${sampleNotice}\n\n` : ''}${sections.join('\n\n')}\n\n${publicUrl}\nUnsubscribe with one click: ${unsubscribe}\n`
}

export const digestHtml = (digest: Digest, unsubscribe: string): string => {
  const { market, week, publicUrl, signals, permits, heat, sample } = digest
  const list = (items: string[]) =>
    `<ul style="padding-left:1.2em">${items.map((each) => `<li>${each}</li>`).join('')}</ul>`
  const link = (url: string, words: string) => `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>`
  return mailPage(`
<h1 style="font-size:1.3em">${escapeHtml(marketName(market))}, ${escapeHtml(span(week))}</h1>
${sample ? `<p>${sampleNotice}</p>` : ''}
${heat.length > 0 ? `<h2 style="font-size:1.1em">Market heat</h2><p>${escapeHtml(heatWords(heat))}</p>${bars(heat)}` : ''}
${signals.length > 0 ? `<h2 style="font-size:1.1em">New homes for sale, best first</h2>${list(signals.map((each) => link(propertyUrl(publicUrl, each), signalWords(each))))}` : ''}
${permits.length > 0 ? `<h2 style="font-size:1.1em">High-value permits</h2>${list(permits.map((each) => link(permitUrl(publicUrl, each), permitWords(each))))}` : ''}
<p style="color:#5b6673;font-size:0.9em">${link(publicUrl, 'Lotline')} · ${link(unsubscribe, 'Unsubscribe with one click')}</p>`)
}

const sampleNotice = 'Generated sample data: every property, sale and permit in this mail is made up.'

const marketName = (market: MarketId) => markets.find((each) => each.id === market)!.name

const span = ({ from, to }: Week) => `${from} to ${to}`

const signalWords = ({ address, city, price, teardownScore, flippabilityScore, returnPct }: NewSignal) =>
  [
    `${address}, ${city}`,
    price !== undefined && dollars(price),
    teardownScore !== undefined && `teardown ${Math.round(teardownScore)}`,
    flippabilityScore !== undefined && `flip ${Math.round(flippabilityScore)}`,
    returnPct !== undefined && `return if rebuilt ${returnPct.toFixed(1)}%`,
  ]
    .filter(Boolean)
    .join(' · ')

const permitWords = ({ permitId, address, city, valuation, description }: BigPermit) =>
  [dollars(valuation), `${address ?? `permit ${permitId}`}, ${city}`, description && shortened(description)]
    .filter(Boolean)
    .join(' · ')

const heatWords = (heat: readonly HeatPoint[]) => {
  const now = Math.round(heat.at(-1)!.heatIndex)
  const before = heat.at(-2)
  if (!before) return `${now} of 100 on ${heat.at(-1)!.asOf}.`
  const change = now - Math.round(before.heatIndex)
  const moved = change === 0 ? 'unchanged' : `${change > 0 ? 'up' : 'down'} ${Math.abs(change)}`
  return `${now} of 100 on ${heat.at(-1)!.asOf}, ${moved} since ${before.asOf}.`
}

const levels = '▁▂▃▄▅▆▇█'
const sparkline = (heat: readonly HeatPoint[]) =>
  heat
    .map(({ heatIndex }) => levels[Math.min(levels.length - 1, Math.floor((heatIndex / 100) * levels.length))])
    .join('')

/** Bars as a table: mail programs show neither SVG nor scripts. */
const bars = (heat: readonly HeatPoint[]) => `
<table role="img" aria-label="Market heat, ${escapeHtml(heat[0]!.asOf)} to ${escapeHtml(heat.at(-1)!.asOf)}" cellpadding="0" cellspacing="2" style="border-collapse:separate"><tr>${heat
  .map(
    ({ asOf, heatIndex }) =>
      `<td valign="bottom" style="height:52px" title="${escapeHtml(asOf)}: ${Math.round(heatIndex)}"><div style="width:14px;height:${Math.max(2, Math.round(heatIndex / 2))}px;background:#c2532b"></div></td>`,
  )
  .join('')}</tr></table>`

const propertyUrl = (publicUrl: string, { id }: NewSignal) => `${publicUrl}/properties/${encodeURIComponent(id)}`
const permitUrl = (publicUrl: string, { citySlug, permitId }: BigPermit) =>
  `${publicUrl}/permits/${citySlug}/${encodeURIComponent(permitId)}`

const dollars = (value: number) => `$${Math.round(value).toLocaleString('en-US')}`
const shortened = (text: string) => (text.length > 90 ? `${text.slice(0, 88).trimEnd()}…` : text)
