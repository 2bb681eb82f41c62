// The property page: facts, scores and their reasons, pro forma, comparable sales, zoning rules, permits and sources.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, notFound } from '../../common/errors.ts'
import { keysOf } from '../../common/typed.ts'
import { describeDefaults } from '../../domain/assumptions/assumptions.ts'
import { factTable } from '../../domain/fact-table.ts'
import type { PropertyType } from '../../domain/facts.ts'
import type { Finding } from '../../domain/findings/findings.ts'
import { placeWords, type RankedScore } from '../../domain/findings/score-rank.ts'
import { markets } from '../../domain/packs/markets.ts'
import { marketOfProperty } from '../../domain/property-id.ts'
import type { Context } from '../../operations/context.ts'
import { cityHeat, type HeatPoint, isDatabaseUnavailable } from '../../operations/data-status.ts'
import { lotSurroundings } from '../../operations/lot-surroundings.ts'
import type { OwnFactUsed } from '../../wire/deals.ts'
import type { Explanation } from '../../wire/explanation.ts'
import {
  getPropertyIntelligence,
  getPropertySchemes,
  type PropertyPart,
  propertyParts,
} from '../../wire/operations/properties.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { isSaved, valueText } from '../account/saved-page.ts'
import { contextWith, deskContext, type PageNumbers, pageNumbers, signedInVisitor } from '../account/visit.ts'
import { factorBars } from '../charts/factor-bars.ts'
import { lineChart } from '../charts/line-chart.ts'
import { lotBox, lotMap } from '../charts/lot-map.ts'
import { schemeDrawings } from '../charts/scheme-drawing.ts'
import { scoreMeter } from '../charts/score-bars.ts'
import { cityLink, marketPath } from '../city-link.ts'
import { collapsible } from '../collapsible.ts'
import { defaultMark, defaultsList } from '../default-mark.ts'
import { inputLabels } from '../finding-labels.ts'
import { capitalized, count, dateAndTime, day, percent, statusWords, usd, usdShort } from '../formats.ts'
import { dataBlock, type Html, html, textOf } from '../html.ts'
import { pageActions } from '../page-actions.ts'
import { listingSection } from '../photos.ts'
import { pathWithQuery, queryOf } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage, sendPart } from '../send-page.ts'
import type { Site } from '../site.ts'
import { homeLinks } from '../watch-link.ts'
import { type Deal, dealOf } from './deal.ts'
import { numbersLine, numbersParam, shareChoice } from './numbers-line.ts'
import { compsSection } from './property-comps.ts'
import { dealSection, decisionSection } from './property-decision.ts'
import { earnings, earningsSection } from './property-earnings.ts'
import { permitTimeline, resaleSection, timelineSection } from './property-history.ts'
import { proformaSection } from './property-proforma.ts'
import { rulesSection } from './property-rules.ts'
import { bestUseLine, schemesSection } from './property-schemes.ts'
import {
  assumptionsIn,
  changedText,
  isChanged,
  ownValuesIn,
  readScenario,
  type Scenario,
  scenarioParams,
} from './scenario.ts'

export const mountProperty = (app: FastifyInstance, site: Site): void => {
  app.get<Home>('/properties/:id', async (request, reply) => {
    const problems: string[] = []
    const scenario = readScenario(queryOf(request), problems)
    const { data, asOf, ownFacts, context, numbers } = await homeOf(site, request, scenario, propertyParts)
    const [found, uses, saved, heat] = await Promise.all([
      dealOf(context, data, scenario, numbers.set?.values),
      usesOf(context, data, scenario, numbers),
      signedInVisitor(site, request).then(
        (user) => user?.chosen !== undefined && isSaved(contextWith(site, request, user.chosen), data.id),
      ),
      data.facts ? cityHeat(context.db, data.facts.market, data.facts.citySlug) : [],
    ])
    const { around, draw } = uses
    // It must not stay behind after sign-out.
    if (ownFacts) reply.header('cache-control', 'private, no-store')
    const description = descriptionOf(data, found.deal)
    const numbered = numberedOf(data, numbers, scenario)
    const sections: readonly [id: string, title: string, section: Html][] = [
      ['schemes', 'Uses', uses.section],
      ['proforma', 'Pro forma', proformaSection(data, found, scenario, problems, numbers)],
      ['potential', 'Laws and zoning', rulesSection(data)],
      ['rent', 'Rent and units', earningsSection(data, found.answer, draw)],
      ['comps', 'Comparable sales', compsSection(site, data)],
      ['resale', 'New houses sold', resaleSection(site, data)],
      ['permits', 'Permits', permitTimeline(data)],
      ['timeline', 'Timeline', timelineSection(data)],
      ['why', 'Scores', explanationSection(data)],
      ['remarks', 'Remarks', listingText(data)],
      ['heat', 'Market heat', heatSection(data, heat)],
      ['sources', 'Sources', sourcesSection(data, asOf)],
    ]
    const present = sections.filter(([, , section]) => textOf(section) !== '')
    return sendPage(site, request, reply, {
      title: `${data.address}, ${data.city}`,
      description,
      path: `/properties/${encodeURIComponent(data.id)}`,
      shared: scenarioParams(scenario),
      script: ['property', 'places'],
      head: dataBlock(structuredData(data, description, site.services.publicUrl)),
      body: html`<article class="property">
${heading(data)}
${data.notAssessed ? html`<p class="caution">${data.notAssessed}</p>` : ''}
${ownFactsLine(ownFacts)}
${pageActions(compareLink(data.id, scenario, numbers), homeLinks(data.id, `${data.address}, ${data.city}`, saved, { price: scenario.price, ...ownValuesIn(scenario) }), shareChoice(numbered))}
<div class="first-look">${around ? lotMap(data, around) : ''}<div data-live="deal">${dealSection(data, found, uses.answer)}${numbersLine(numbered)}</div></div>
${listingSection(data, site.photoHosts ?? [])}
<div data-live="decision">${decisionSection(data, found.deal)}</div>
<div data-live="scores">${scoreStrip(data, found.deal)}</div>
<nav class="contents" aria-label="On this page"><ul>${present.map(([to, title]) => html`<li><a href="#${to}">${title}</a></li>`)}</ul></nav>
${present.map(([, , section]) => section)}
</article>`,
    })
  })

  app.get<Home>('/properties/:id/card', { config: { ownLimit: cardLimit } }, async (request, reply) =>
    sendPart(reply, lotCard((await homeOf(site, request, {})).data)),
  )

  // The figures alone, while a visitor changes the assumptions.
  app.get<Home>('/properties/:id/figures', { config: { ownLimit: figureLimit } }, async (request, reply) => {
    const problems: string[] = []
    const scenario = readScenario(queryOf(request), problems)
    const { data, context, numbers } = await homeOf(site, request, scenario, ['explanation', 'proforma', 'shape'])
    const [found, uses] = await Promise.all([
      dealOf(context, data, scenario, numbers.set?.values),
      usesOf(context, data, scenario, numbers).catch(withoutUses),
    ])
    const numbered = numberedOf(data, numbers, scenario)
    return sendPart(
      reply,
      html`<div data-live="deal">${dealSection(data, found, uses.answer)}${numbersLine(numbered)}</div>
<div data-live="decision">${decisionSection(data, found.deal)}</div>
<div data-live="scores">${scoreStrip(data, found.deal)}</div>
<div data-live="compare">${compareLink(data.id, scenario, numbers)}</div>
${numbers.set ? html`<div data-live="share">${shareChoice(numbered)}</div>` : ''}
<div data-live="rent">${earnings(data, found.answer)}</div>
${uses.section}${proformaSection(data, found, scenario, problems, numbers)}`,
    )
  })
}

type Home = { Params: { id: string } }

/** The home of the URL at the visitor's numbers and corrections, with both. */
const homeOf = async (
  site: Site,
  request: FastifyRequest<Home>,
  scenario: Scenario,
  include: readonly PropertyPart[] = [],
) => {
  const { id } = request.params
  const context = await deskContext(site, request)
  const numbers = await pageNumbers(site, request, marketOfProperty(id))
  const answer = await runOperation(getPropertyIntelligence, context, {
    ...{ id: id.slice(0, 64).replaceAll('\0', ''), include: [...include] },
    ...assumptionsIn(scenario, numbers.set?.values),
  }).catch(withPageMessage)
  return { ...answer, context, numbers }
}

/** The table of uses at the numbers of the page, with what its drawings need. */
const usesOf = async (context: Context, data: PropertyDetail, scenario: Scenario, { set }: PageNumbers) => {
  const [schemes, around] = await Promise.all([
    runOperation(getPropertySchemes, context, {
      ...{ id: data.id, price: scenario.price, ...assumptionsIn(scenario, set?.values) },
    }),
    data.shape ? lotSurroundings(context, data, lotBox(data.shape)) : undefined,
  ])
  const draw = schemeDrawings(data, around)
  return { around, draw, answer: schemes.data, section: schemesSection(schemes.data, scenarioParams(scenario), draw) }
}

/** A visitor who changes a number gets the other figures even if the uses take too long. */
export const withoutUses = (error: unknown) => {
  if (!isDatabaseUnavailable(error)) throw error
  return {
    answer: undefined,
    section: html`<div data-live="schemes"><p class="caution">The uses could not be computed in time. Change a number to try again.</p></div>`,
  }
}

/** The facts that the visitor has corrected, each beside the recorded one. */
export const ownFactsLine = (ownFacts: readonly OwnFactUsed[] | undefined): Html | '' =>
  ownFacts
    ? html`<p class="own-facts">Computed with your facts: ${ownFacts
        .map(
          ({ fact, value, recorded }) =>
            `${factTable[fact].label} ${valueText(fact, value)} (recorded: ${recorded === undefined ? 'unknown' : valueText(fact, recorded)})`,
        )
        .join(
          ', ',
        )}. Scores, ranks and the expected price use the recorded facts. <a href="/account/saved">Change them</a></p>`
    : ''

const cardLimit = { bucket: 'cards', perMinute: 120 }

/** Requests of a visitor who moves sliders, counted apart from pages. */
const figureLimit = { bucket: 'figures', perMinute: 240 }

const compareLink = (id: string, scenario: Scenario, numbers: PageNumbers): Html =>
  html`<a class="button quiet" href="${pathWithQuery('/explore/compare', { pick: id, ...scenarioParams(scenario, id), ...numbersParam(numbers) })}">Compare</a>`

const numberedOf = ({ id, facts }: PropertyDetail, numbers: PageNumbers, scenario: Scenario) => ({
  numbers,
  scenario,
  path: `/properties/${encodeURIComponent(id)}`,
  params: scenarioParams(scenario),
  city: facts?.citySlug,
})

const lotCard = (data: PropertyDetail): Html => {
  const { id, address, city, facts, intelligence, decision, bestUse } = data
  const value = intelligence.valueEstimate
  return html`<a class="where" href="/properties/${encodeURIComponent(id)}"><b>${address || 'Lot'}</b> <span>${city}</span></a>
<span class="what">${priceLine(data)}</span>
${decision ? html`<span class="in-short">${decision.text}</span>` : ''}
<span class="why">${[facts?.livingSqft && `${count(facts.livingSqft)} sq ft`, facts?.lotSqft && `lot ${count(facts.lotSqft)} sq ft`, facts?.yearBuilt && `built ${facts.yearBuilt}`, facts?.zoning].filter(Boolean).join(' · ')}</span>
<span class="scores">${value ? html`<span>Value <b class="num">${usdShort(value.value)}</b> (${usdShort(value.low)} to ${usdShort(value.high)})</span>` : ''}${intelligence.returnPct === undefined ? '' : html` <span>Return <b class="num">${percent(intelligence.returnPct)}</b></span>`}</span>
${bestUseLine(bestUse)}
<a href="/explore/compare?pick=${encodeURIComponent(id)}">Compare</a>`
}

/** The message of the operation is written for API callers. */
const withPageMessage = (error: unknown): never => {
  throw error instanceof ApiError && error.status === 404
    ? notFound('There is no property at this URL. To find a property, enter its street address in the search box.')
    : error
}

const heading = (data: PropertyDetail): Html => {
  const { facts } = data
  const market = markets().find(({ id }) => id === data.market)
  const line = [
    ifKnown(facts?.propertyType, (type) => typeWords[type]),
    ifKnown(facts?.beds, (beds) => `${beds} ${beds === 1 ? 'bedroom' : 'bedrooms'}`),
    ifKnown(facts?.baths, (baths) => `${baths} ${baths === 1 ? 'bath' : 'baths'}`),
    ifKnown(facts?.livingSqft, (area) => `${count(area)} sq ft`),
    ifKnown(facts?.lotSqft, (lot) => `${count(lot)} sq ft lot`),
    ifKnown(facts?.yearBuilt, (year) => `built ${year}`),
    ifKnown(facts?.zoning, (zone) => `zoned ${zone}`),
  ].filter(Boolean)
  return html`<header class="property-head"><p class="kicker">${market ? html`<a href="${marketPath(market.id)}">${market.name}</a>` : data.market}${market?.name === data.city ? '' : html` · ${cityLink(data.city, data.market)}`}${data.zip ? ` ${data.zip}` : ''}</p>
<h1>${data.address}</h1>
<p class="price-line">${priceLine(data)}</p>
${listPriceLine(data)}
<p class="facts-line">${line.join(' · ')}</p>
${data.goneAt ? html`<p class="caution">The parcel feed has not contained this parcel since ${day(data.goneAt)}. It may have been merged, split or renumbered. This page shows the last known data.</p>` : ''}</header>`
}

/** What is not an ordinary house: it decides which uses are computed. */
const typeWords: Partial<Record<PropertyType, string>> = {
  condo: 'condominium',
  townhouse: 'townhouse',
  multi_family: 'multifamily',
  land: 'vacant lot',
}

const ifKnown = <T>(value: T | undefined, format: (value: T) => string | undefined): string | undefined =>
  value === undefined ? undefined : format(value)

const priceLine = (data: PropertyDetail): Html => {
  const { status } = data
  const last = data.timeline?.find(({ kind, price }) => kind === 'sale' && price !== undefined)
  if (!status)
    return html`<span class="tag">Not for sale</span>${last ? html` last sold for <b class="num">${usd(last.price)}</b> on ${day(last.date)}` : ''}`
  const sold = status === 'sold' && data.soldPrice !== undefined
  return html`<b class="num">${usd(sold ? data.soldPrice : data.price)}</b> <span class="tag ${status}">${statusWords[status]}${sold && data.soldDate ? ` ${day(data.soldDate)}` : ''}</span>`
}

/** The pro forma uses the list price, so the page of a sold home shows both prices. */
const listPriceLine = ({ status, price, soldPrice }: PropertyDetail): Html | undefined =>
  status === 'sold' && price !== undefined && soldPrice !== undefined && price !== soldPrice
    ? html`<p class="note">Last list price ${usd(price)}. The pro forma below uses it as the purchase price unless you enter another.</p>`
    : undefined

const scoreStrip = (
  { intelligence: scores, status, price, proforma, explanation }: PropertyDetail,
  deal: Deal | undefined,
): Html => {
  const returnPct = deal ? deal.returnPct : scores.returnPct
  const marked = (names: readonly string[] | undefined, list?: string) => defaultMark((names?.length ?? 0) > 0, list)
  const noteOr = (value: number | undefined, note: string) =>
    value === undefined && price === undefined ? 'needs a list price' : note
  const graded = (name: RankedScore, note: string) => {
    const rank = scores.ranks?.[name]
    return rank ? `${note}; ${placeWords(rank)}` : note
  }
  const shown: [string, string, Html][] = [
    [
      'Teardown',
      graded('teardownScore', 'percent probability within two years of sale'),
      scoreMeter(scores.teardownScore),
    ],
    [
      'Flip',
      noteOr(scores.flippabilityScore, graded('flippabilityScore', 'flip potential, 0–100')),
      scoreMeter(scores.flippabilityScore, marked(explanation?.flippability?.deal?.defaults, 'flip-defaults')),
    ],
    ...(scores.historicCharm === undefined
      ? []
      : [['Charm', 'historic character, 0–100', scoreMeter(scores.historicCharm)] as [string, string, Html]]),
    ['Condition', '15 = poor, 95 = new', scoreMeter(scores.conditionScore)],
    ['Market heat', 'of the city, 0–100', scoreMeter(scores.marketHeatIndex)],
    [
      'Bidding war',
      scores.biddingWarPredictor === undefined && (!status || status === 'sold')
        ? 'only for homes on the market'
        : 'probability in percent',
      scoreMeter(scores.biddingWarPredictor),
    ],
    [
      'Return',
      noteOr(returnPct, 'if rebuilt and sold, after contingency and financing'),
      html`<b class="figure ${(returnPct ?? 0) < 0 ? 'down' : ''}">${percent(returnPct)}</b>${marked((deal?.proforma ?? proforma)?.defaults)}`,
    ],
    [
      'Value estimate',
      scores.valueEstimate
        ? `range ${usdShort(scores.valueEstimate.low)} to ${usdShort(scores.valueEstimate.high)}, as of ${day(scores.valueEstimate.asOf)}`
        : 'not available',
      html`<b class="figure">${usdShort(scores.valueEstimate?.value)}</b>`,
    ],
  ]
  return html`<dl class="score-strip">${shown.map(([name, note, value]) => html`<div><dt>${name}</dt><dd>${value}</dd><dd class="note">${note}</dd></div>`)}</dl>`
}

/** The seller's remarks, and what a vision model found in the photos. */
const listingText = ({ facts }: PropertyDetail): Html => {
  const { remarks, visionAnalysis: photos } = facts ?? {}
  if (!remarks && !photos) return html``
  return html`<section class="listing-words" id="remarks"><h2>Listing remarks</h2>${remarks ? html`<blockquote>${remarks}</blockquote>` : ''}${photos ? html`<p class="note">Photo analysis: ${photos}</p>` : ''}</section>`
}

const findingTitles = {
  teardown: 'Teardown score',
  flippability: 'Flip score',
  historicCharm: 'Historic charm',
  condition: 'Condition evidence',
  biddingWar: 'Bidding-war probability',
  heat: 'Market heat',
} as const

type FindingName = keyof typeof findingTitles
type FindingParts = Pick<Finding, 'score' | 'parts' | 'top' | 'other'> &
  Partial<Pick<Finding, 'missing' | 'confidence'>> & { learnedFrom?: string }

/** The value, pro forma, rules and envelope have their own sections. */
const findingsOf = ({ marketHeat, ...explanation }: Explanation): [FindingName, FindingParts][] =>
  keysOf(findingTitles).flatMap((name): [FindingName, FindingParts][] => {
    const finding = name === 'heat' ? (explanation.heat ?? marketHeat) : explanation[name]
    return finding && finding.parts.length > 0 ? [[name, finding]] : []
  })

export const explanationSection = ({ explanation }: PropertyDetail): Html => {
  const findings = explanation ? findingsOf(explanation) : []
  if (findings.length === 0) return html``
  return html`<section class="why">${collapsible(
    'Why: how the scores were computed',
    'why',
    html`<div class="why-grid">${findings.map(
      ([name, { score, missing = [], confidence, learnedFrom, ...factors }], at) =>
        html`<details class="finding ${name}"${at === 0 ? html` open` : ''}><summary><h3>${findingTitles[name]}${score === undefined ? '' : html` <b class="num">${Math.round(score)}</b>`}</h3></summary>
${factorBars(factors)}${name === 'flippability' ? defaultsList(describeDefaults(explanation?.flippability?.deal?.defaults ?? []), 'flip-defaults') : ''}
<p class="note">${confidence ? `${capitalized(confidence)} confidence.` : ''}${missing.length > 0 ? ` Missing data: ${inputLabels(missing)}.` : ''}${learnedFrom ? ` Learned from: ${learnedFrom}.` : ''}</p></details>`,
    )}</div><p class="note">Each part adds or subtracts points. See <a href="/docs/methods">Methods</a> for the formulas and the measured accuracy.</p>`,
  )}</section>`
}

const heatSection = ({ city }: PropertyDetail, heat: readonly HeatPoint[]): Html =>
  heat.length < 2
    ? html``
    : html`<section class="heat">${collapsible(
        `Market heat in ${city}`,
        'heat',
        html`${lineChart(
          heat.map(({ asOf, heatIndex }) => ({ on: asOf, value: heatIndex })),
          { label: `Market heat index of ${city}`, from: 0, to: 100 },
        )}<p class="note">Heat index from 0 to 100, based on sale prices relative to list prices; 50 is a typical US market.</p>`,
      )}</section>`

const sourcesSection = ({ source, explanation }: PropertyDetail, asOf: string): Html => {
  return html`<section class="sources">${collapsible(
    'Sources and dates',
    'sources',
    html`<dl class="ledger"><div><dt>Source</dt><dd>${source?.url && /^https?:/.test(source.url) ? html`<a href="${source.url}" rel="noopener nofollow">${source.title ?? source.source}</a>` : (source?.title ?? '–')}${source?.sample ? html` <span class="tag">sample</span>` : ''}</dd></div>
<div><dt>License</dt><dd>${source?.licence ?? '–'}</dd></div><div><dt>Collected</dt><dd>${dateAndTime(source?.collectedAt)}</dd></div>
<div><dt>Scored</dt><dd>${dateAndTime(explanation?.assessedAt)}</dd></div><div><dt>Data updated</dt><dd>${dateAndTime(asOf)}</dd></div></dl>`,
  )}
<p class="note">These figures are estimates: not an appraisal, not legal advice. <span class="print-only"><span class="default-note">* Depends on default assumptions that are not set for this market.</span> This sheet is shortened. The complete page is at the URL below.</span></p></section>`
}

/** What a preview of the link says: the figures that the page shows at the numbers of its URL. */
const descriptionOf = (
  { address, city, intelligence: scores, price, decision }: PropertyDetail,
  deal: Deal | undefined,
) => {
  const { scenario = {} } = deal ?? {}
  const returnPct = deal?.returnPct ?? scores.returnPct
  if (decision && !isChanged(scenario))
    return `${address}, ${city}${price === undefined ? '' : `, list price ${usd(price)}`}. ${decision.text}`
  return [
    `${address}, ${city}`,
    scenario.price !== undefined
      ? `at ${usd(scenario.price)}`
      : price === undefined
        ? undefined
        : `list price ${usd(price)}`,
    scores.teardownScore === undefined ? undefined : `teardown score ${scores.teardownScore}`,
    returnPct === undefined ? undefined : `return of a new house ${percent(returnPct)}`,
    deal && isChanged(scenario) ? `with ${changedText(scenario)}` : undefined,
  ]
    .filter(Boolean)
    .join(', ')
}

const structuredData = ({ facts, ...data }: PropertyDetail, description: string, publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'SingleFamilyResidence',
  name: `${data.address}, ${data.city}`,
  description,
  url: `${publicUrl}/properties/${encodeURIComponent(data.id)}`,
  address: {
    '@type': 'PostalAddress',
    streetAddress: data.address,
    addressLocality: data.city,
    addressRegion: markets().find(({ id }) => id === data.market)?.state,
    postalCode: data.zip,
    addressCountry: 'US',
  },
  geo: facts?.lat === undefined ? undefined : { '@type': 'GeoCoordinates', latitude: facts.lat, longitude: facts.lng },
  numberOfBedrooms: facts?.beds,
  yearBuilt: facts?.yearBuilt,
  floorSize:
    facts?.livingSqft === undefined
      ? undefined
      : { '@type': 'QuantitativeValue', value: facts.livingSqft, unitCode: 'FTK' },
})
