// One property on one page: what it is, how it scores and why, what building anew would earn, what the law allows.
import type { FastifyInstance } from 'fastify'
import type { ListingStatus, MarketId } from '../../contract/facts.ts'
import { markets } from '../../contract/markets.ts'
import { getPropertyIntelligence, propertyParts } from '../../contract/operations/properties.ts'
import { cityHeat, type HeatPoint } from '../../operations/city-heat.ts'
import { lineChart } from '../charts/line-chart.ts'
import { scoreBars, scoreMeter } from '../charts/score-bars.ts'
import { inputList } from '../finding-words.ts'
import { count, day, moment, percent, sentence, statusWords, usd, usdShort, words } from '../formats.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { run } from '../run.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'
import { findingsOf, type Loose, looseOf, numberAt, textAt } from '../stored-findings.ts'
import { compsSection } from './property-comps.ts'
import type { Detail } from './property-detail.ts'
import { permitTimeline } from './property-permits.ts'
import { proformaSection } from './property-proforma.ts'
import { rulesSection } from './property-rules.ts'

export const mountProperty = (app: FastifyInstance, site: Site): void => {
  app.get('/properties/:id', async (request, reply) => {
    const { id } = request.params as { id: string }
    const { data, asOf } = await run(getPropertyIntelligence, contextOf(site, request), {
      id: id.slice(0, 64).replaceAll('\0', ''),
      include: [...propertyParts],
    })
    const facts = data.facts as Loose
    const market = data.market as MarketId
    const heat = await cityHeat(site.services, market, textAt(facts, 'citySlug') ?? '')
    const description = descriptionOf(data)
    return sendPage(site, request, reply, {
      title: `${data.address}, ${data.city}`,
      description,
      path: `/properties/${encodeURIComponent(data.id)}`,
      script: 'property',
      head: dataBlock('application/ld+json', structured(data, facts, description, site.services.publicUrl)),
      body: html`<article class="property">
${heading(data, facts)}
${scoreStrip(data)}
${listingWords(facts)}
${whySection(data)}
${proformaSection(data)}
${compsSection(data, facts)}
${rulesSection(data)}
${permitTimeline(data)}
${heatSection(data, heat)}
${sourcesSection(data, asOf)}
</article>`,
    })
  })
}

const heading = (data: Detail, facts: Loose): Html => {
  const market = markets.find(({ id }) => id === data.market)
  const line = [
    part(numberAt(facts, 'beds'), (beds) => `${beds} ${beds === 1 ? 'bedroom' : 'bedrooms'}`),
    part(numberAt(facts, 'baths'), (baths) => `${baths} ${baths === 1 ? 'bath' : 'baths'}`),
    part(numberAt(facts, 'livingSqft'), (area) => `${count(area)} sq ft`),
    part(numberAt(facts, 'lotSqft'), (lot) => `lot ${count(lot)} sq ft`),
    part(numberAt(facts, 'yearBuilt'), (year) => `built ${year}`),
    part(textAt(facts, 'zoning'), (zone) => `zoned ${zone}`),
  ].filter(Boolean)
  return html`<header class="property-head"><p class="kicker"><a href="/explore?market=${data.market}">${market?.name ?? data.market}</a>${market?.name === data.city ? '' : html` · <a href="/explore?market=${data.market}&amp;city=${textAt(facts, 'citySlug')}">${data.city}</a>`}</p>
<h1>${data.address}</h1>
<p class="price-line">${priceLine(data)}</p>
${askedLine(data)}
<p class="facts-line">${line.join(' · ')}</p>
${data.goneAt ? html`<p class="caution">This parcel left its county’s records on ${day(data.goneAt)}: it may have been merged, split or renumbered. What stands here is the last that was known.</p>` : ''}</header>`
}

const part = <T>(value: T | undefined, say: (value: T) => string): string | undefined =>
  value === undefined ? undefined : say(value)

const priceLine = (data: Detail): Html => {
  const status = data.status as ListingStatus | undefined
  if (!status) return html`<span class="tag">Not for sale</span>`
  const sold = status === 'sold' && data.soldPrice !== undefined
  return html`<b class="num">${usd(sold ? data.soldPrice : data.price)}</b> <span class="tag ${status}">${statusWords[status]}${sold && data.soldDate ? ` ${day(data.soldDate)}` : ''}</span>`
}

/** Contract: returns are reckoned on `price`, the price asked, so a sold home shows both. */
const askedLine = ({ status, price, soldPrice }: Detail): Html | undefined =>
  status === 'sold' && price !== undefined && soldPrice !== undefined && price !== soldPrice
    ? html`<p class="note">Last asked ${usd(price)}, which is the purchase price in the pro forma.</p>`
    : undefined

const scoreStrip = ({ intelligence: scores, status, price }: Detail): Html => {
  // Why there is none, where it is the price or the offer that is lacking.
  const noted = (value: number | undefined, note: string) =>
    value === undefined && price === undefined ? 'needs a price' : note
  const shown: [string, string, Html][] = [
    ['Teardown', 'probability, %', scoreMeter(scores.teardownScore)],
    ['Flip', noted(scores.flippabilityScore, 'renovation potential'), scoreMeter(scores.flippabilityScore)],
    ...(scores.historicCharm === undefined
      ? []
      : [['Charm', 'historic character', scoreMeter(scores.historicCharm)] as [string, string, Html]]),
    ['Condition', '15 worn, 95 new', scoreMeter(scores.conditionScore)],
    ['Market heat', 'of its city', scoreMeter(scores.marketHeatIndex)],
    [
      'Bidding war',
      scores.biddingWarPredictor === undefined && (!status || status === 'sold')
        ? 'only while for sale'
        : 'probability, %',
      scoreMeter(scores.biddingWarPredictor),
    ],
    [
      'Developer return',
      noted(scores.developerROI, 'after carry, shrunk to the market'),
      html`<b class="figure ${(scores.developerROI ?? 0) < 0 ? 'down' : ''}">${percent(scores.developerROI)}</b>`,
    ],
    [
      'Value',
      scores.valueEstimate
        ? `${usdShort(scores.valueEstimate.low)} to ${usdShort(scores.valueEstimate.high)}`
        : 'not estimated',
      html`<b class="figure">${usdShort(scores.valueEstimate?.value)}</b>`,
    ],
  ]
  return html`<dl class="score-strip">${shown.map(([name, note, value]) => html`<div><dt>${name}</dt><dd>${value}</dd><dd class="note">${note}</dd></div>`)}</dl>`
}

/** The seller's words and what a model saw in the pictures, each said to be what it is. */
const listingWords = (facts: Loose): Html => {
  const [remarks, seen] = [textAt(facts, 'remarks'), textAt(facts, 'visionAnalysis')]
  if (!remarks && !seen) return html``
  return html`<section class="listing-words"><h2>What the listing says</h2>${remarks ? html`<blockquote>${remarks}</blockquote>` : ''}${seen ? html`<p class="note">Read from its pictures: ${seen}</p>` : ''}</section>`
}

const titles: Record<string, string> = {
  teardown: 'Why this teardown score',
  flippability: 'Why this flip score',
  flip: 'Why this flip score',
  condition: 'What speaks to its condition',
  heat: 'How hot the market is',
  marketHeat: 'How hot the market is',
  biddingWar: 'Why this bidding-war chance',
  historicCharm: 'Where the charm comes from',
}

const whySection = ({ explanation }: Detail): Html => {
  // Scores only: what else is explained (value, pro forma, rules, envelope) has a section of its own.
  const found = findingsOf(explanation as Loose | undefined).filter(({ name }) => name in titles)
  const findings = found.filter(({ name }) => name !== 'marketHeat' || !found.some((each) => each.name === 'heat'))
  if (findings.length === 0) return html``
  return html`<section class="why"><h2>Scores and their parts</h2><div class="why-grid">${findings.map(
    (
      finding,
    ) => html`<div class="finding"><h3>${titles[finding.name] ?? sentence(words(finding.name))}${finding.score === undefined ? '' : html` <b class="num">${Math.round(finding.score)}</b>`}</h3>
${scoreBars(finding.parts)}
<p class="note">${finding.confidence ? `Confidence ${finding.confidence}.` : ''}${finding.missing.length > 0 ? ` Not known: ${inputList(finding.missing)}.` : ''}</p></div>`,
  )}</div><p class="note">How each is worked out, and how well it has done: <a href="/docs/methods">methods</a>.</p></section>`
}

const heatSection = ({ city }: Detail, heat: readonly HeatPoint[]): Html =>
  heat.length < 2
    ? html``
    : html`<section class="heat"><h2>How hot ${city} has been</h2>${lineChart(
        heat.map(({ asOf, heatIndex }) => ({ on: asOf, value: heatIndex })),
        { label: `Market heat of ${city}`, from: 0, to: 100 },
      )}<p class="note">Heat index, 0 to 100, from sale-to-list ratio, time on market, price trend and supply.</p></section>`

const sourcesSection = ({ source, explanation, intelligence, history }: Detail, asOf: string): Html => {
  const assessed = textAt(looseOf(explanation), 'assessedAt')
  const changes = history ?? []
  return html`<section class="sources"><h2>Sources and dates</h2>
<dl class="ledger"><div><dt>Record</dt><dd>${source?.url && /^https?:/.test(source.url) ? html`<a href="${source.url}" rel="noopener nofollow">${source.title ?? source.source}</a>` : (source?.title ?? '–')}${source?.sample ? html` <span class="tag">sample</span>` : ''}</dd></div>
<div><dt>Licence</dt><dd>${source?.licence ?? '–'}</dd></div><div><dt>Collected</dt><dd>${moment(source?.collectedAt)}</dd></div>
<div><dt>Assessed</dt><dd>${moment(assessed)}</dd></div><div><dt>Models</dt><dd>${intelligence.modelVersion ?? '–'}</dd></div><div><dt>Data current to</dt><dd>${moment(asOf)}</dd></div></dl>
${changes.length > 0 ? html`<h3>Score changes</h3><ul class="changes">${changes.slice(0, 12).map((change) => html`<li><time>${day(textAt(change, 'changedAt'))}</time> ${textAt(change, 'reason')}: teardown ${numberAt(change, 'teardownScore') ?? '–'}, flip ${numberAt(change, 'flippabilityScore') ?? '–'}</li>`)}</ul>` : ''}
<p class="note">Estimates from public-style records. Not an appraisal, not legal advice.</p></section>`
}

const descriptionOf = ({ address, city, intelligence: scores, price }: Detail): string =>
  [
    `${address}, ${city}`,
    price === undefined ? undefined : `asking ${usd(price)}`,
    scores.teardownScore === undefined ? undefined : `teardown score ${scores.teardownScore}`,
    scores.developerROI === undefined ? undefined : `developer return ${percent(scores.developerROI)}`,
  ]
    .filter(Boolean)
    .join(', ')

const structured = (data: Detail, facts: Loose, description: string, publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'SingleFamilyResidence',
  name: `${data.address}, ${data.city}`,
  description,
  url: `${publicUrl}/properties/${encodeURIComponent(data.id)}`,
  address: {
    '@type': 'PostalAddress',
    streetAddress: data.address,
    addressLocality: data.city,
    addressRegion: markets.find(({ id }) => id === data.market)?.state,
    addressCountry: 'US',
  },
  geo:
    numberAt(facts, 'lat') === undefined
      ? undefined
      : { '@type': 'GeoCoordinates', latitude: numberAt(facts, 'lat'), longitude: numberAt(facts, 'lng') },
  numberOfBedrooms: numberAt(facts, 'beds'),
  yearBuilt: numberAt(facts, 'yearBuilt'),
  floorSize:
    numberAt(facts, 'livingSqft') === undefined
      ? undefined
      : { '@type': 'QuantitativeValue', value: numberAt(facts, 'livingSqft'), unitCode: 'FTK' },
})
