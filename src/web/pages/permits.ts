// Permit search with the filters of the API, a CSV of the current page, and a page for each permit.

import type { FastifyInstance } from 'fastify'
import { csvOf } from '../../contract/csv.ts'
import { notFound } from '../../contract/errors.ts'
import { cities, cityBySlug } from '../../contract/markets.ts'
import type { InputOf } from '../../contract/operation.ts'
import { getPermit, searchPermits } from '../../contract/operations/permits.ts'
import type { Permit } from '../../contract/permit.ts'
import { day, moment, permitClassWords, permitStatusWords, plural, sqft, usd, usdExact } from '../formats.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { dateIn, numberIn, pathWithQuery, type Query, reportInvalid, textIn } from '../query.ts'
import { run } from '../run.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'
import { offsetIn, pager, problemList } from './search-list.ts'

export const mountPermitPages = (app: FastifyInstance, site: Site): void => {
  app.get('/permits', async (request, reply) => {
    const problems: string[] = []
    const input = inputOf(request.query as Query, problems)
    const { data, pagination } = await run(searchPermits, contextOf(site, request), { ...input, market: 'all' })
    const { offset = 0, ...params } = input
    const { total, truncated } = pagination
    return sendPage(site, request, reply, {
      title: 'Building permits',
      description:
        'Issued building permits on the San Francisco Peninsula and Nantucket by city, keyword and valuation, newest first.',
      path: '/permits',
      body: html`<section><h1>Building permits</h1>
${searchForm(input)}
${problemList(problems)}
<p class="result-line">${total === 0 ? noResults(input) : `${truncated ? 'More than ' : ''}${plural(total, 'permit')}, newest first`}${data.length > 0 ? html` · <a href="${pathWithQuery('/permits.csv', { ...params, offset: offset || undefined })}" download>Download this page as CSV</a>` : ''}</p>
${data.length > 0 ? permitTable(data) : ''}
${pager('/permits', params, offset, data.length, total, truncated)}</section>`,
    })
  })

  app.get('/permits.csv', { config: { isDownload: true } }, async (request, reply) => {
    const { data } = await run(searchPermits, contextOf(site, request), {
      ...inputOf(request.query as Query),
      market: 'all',
    })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="permits.csv"')
      .send(csvOf(csvColumns, data))
  })

  app.get('/permits/:citySlug/:permitId', async (request, reply) => {
    const input = request.params as { citySlug: string; permitId: string }
    if (/\0/.test(input.citySlug + input.permitId)) throw notFound('There is no permit with this number.')
    const { data, asOf } = await run(getPermit, contextOf(site, request), input)
    return sendPage(site, request, reply, permitPage(data, asOf, input))
  })
}

type PermitInput = Pick<
  InputOf<typeof searchPermits>,
  'city' | 'q' | 'minValuation' | 'issuedFrom' | 'issuedTo' | 'offset'
>

const inputOf = (query: Query, problems: string[] = []): PermitInput => {
  const read = <T>(name: string, label: string, accepted: string, value: T | undefined) =>
    reportInvalid(problems, query, { name, label, accepted }, value)
  const asText = (maxLength: number) => `must be one text of at most ${maxLength} characters`
  const asDollars = 'must be a number of dollars, for example 100,000'
  const asDate = 'must be a date, for example 2026-03-09'
  return {
    city: read('city', 'City', asText(80), textIn(query, 'city', 80)),
    q: read('q', 'Keywords', asText(200), textIn(query, 'q', 200)),
    minValuation: read('minValuation', 'Min valuation', asDollars, numberIn(query, 'minValuation', 0, 1e12)),
    issuedFrom: read('issuedFrom', 'Issued from', asDate, dateIn(query, 'issuedFrom')),
    issuedTo: read('issuedTo', 'Issued to', asDate, dateIn(query, 'issuedTo')),
    offset: offsetIn(query, problems),
  }
}

const noResults = ({ offset: _, ...filters }: PermitInput): string =>
  Object.values(filters).some((value) => value !== undefined)
    ? 'No permits match. Try removing a filter.'
    : 'No permits are loaded yet.'

const searchForm = (
  input: ReturnType<typeof inputOf>,
): Html => html`<form class="filters permits" method="get" action="/permits" role="search">
<label class="grow">Keywords<input name="q" type="search" value="${input.q}" maxlength="200" placeholder="Address, type of work, contractor or permit number"></label>
<label>City<input name="city" value="${input.city}" list="cities" placeholder="All cities"></label>
<datalist id="cities">${cities.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<label>Min valuation<input name="minValuation" inputmode="numeric" value="${input.minValuation}" placeholder="No min"></label>
<label>Issued from<input name="issuedFrom" type="date" value="${input.issuedFrom}"></label>
<label>Issued to<input name="issuedTo" type="date" value="${input.issuedTo}"></label>
<div class="filter-buttons"><button class="button">Search</button> <a href="/permits">Clear filters</a></div></form>`

/** `permitUrl` without the host, so that links work under every host name of the service. */
export const permitPath = (permit: Pick<Permit, 'permitUrl'>): string => new URL(permit.permitUrl).pathname

const permitTable = (permits: readonly Permit[]): Html => html`<table class="data permits stack">
<thead><tr><th scope="col">Issued</th><th scope="col">Address</th><th scope="col">Work</th><th scope="col" class="num">Valuation</th><th scope="col">Status</th></tr></thead>
<tbody>${permits.map(
  (permit) => html`<tr><td class="nowrap" data-name="Issued">${day(permit.issuedDate)}</td>
<th scope="row" data-name="Address"><a href="${permitPath(permit)}">${permit.address ?? permit.permitId}</a><small>${permit.city} · ${permit.permitId}</small></th>
<td data-name="Work" class="work">${permit.description ?? permit.projectType ?? '–'}${permit.permitClass && permit.permitClass !== 'other' ? html`<small>${permitClassWords[permit.permitClass]}</small>` : ''}</td>
<td class="num" data-name="Valuation">${usd(permit.valuation)}</td><td data-name="Status"><span class="tag">${permitStatusWords[permit.status]}</span>${permit.goneAt ? html`<small>removed from the feed ${day(permit.goneAt)}</small>` : ''}</td></tr>`,
)}</tbody></table>`

const csvColumns: readonly (keyof Permit)[] = [
  'permitId',
  'city',
  'address',
  'projectType',
  'description',
  'valuation',
  'sqft',
  'psf',
  'contractor',
  'architect',
  'issuedDate',
  'status',
  'permitClass',
  'permitUrl',
  'goneAt',
]

const permitPage = (permit: Permit, asOf: string, { citySlug }: { citySlug: string }) => {
  const where = permit.address ? `${permit.address}, ${permit.city}` : permit.city
  const work = permit.description ?? permit.projectType ?? 'Building permit'
  const kind =
    permit.permitClass && permit.permitClass !== 'other' ? permitClassWords[permit.permitClass] : permit.projectType
  const description = [
    work,
    permit.valuation ? `valuation ${usd(permit.valuation)}` : '',
    `issued ${day(permit.issuedDate)}`,
  ]
    .filter(Boolean)
    .join(', ')
    .slice(0, 300)
  return {
    title: `Permit ${permit.permitId}: ${where}`,
    description,
    path: permitPath(permit),
    head: dataBlock('application/ld+json', structuredData(permit, description)),
    body: html`<article class="permit"><p class="kicker"><a href="/permits?city=${citySlug}">${permit.city}</a> · Permit ${permit.permitId}</p>
<h1>${permit.address ?? permit.permitId}</h1><p class="lede work">${work}</p>
${permit.goneAt ? html`<p class="caution">The city removed this permit from its feed on ${day(permit.goneAt)}. It was probably withdrawn. This page shows the last known data.</p>` : ''}
<dl class="ledger">
${fact('Status', permitStatusWords[permit.status])}${fact('Issued', day(permit.issuedDate))}${fact('Type of work', kind)}
${fact('Valuation', permit.valuation === null ? undefined : usd(permit.valuation))}${fact('Area', permit.sqft === undefined ? undefined : sqft(permit.sqft))}
${fact('Valuation per sq ft', permit.psf === undefined ? undefined : usdExact(permit.psf))}${fact('Type as filed', permit.projectType === kind ? undefined : permit.projectType)}
${fact('Other addresses', permit.otherAddresses?.join(', '))}${fact('Contractor', permit.contractor)}${fact('Architect', permit.architect ?? undefined)}
${fact('Type detected from', permit.classWords?.length ? permit.classWords.map((word) => `“${word}”`).join(', ') : undefined)}</dl>
${permit.propertyId ? html`<p><a class="button" href="/properties/${encodeURIComponent(permit.propertyId)}">See this property</a></p>` : ''}
<p class="source">${sourceLine(permit)} Data updated ${moment(asOf)}.</p></article>`,
  }
}

const fact = (name: string, value: string | undefined): Html =>
  value === undefined ? html`` : html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const sourceLine = ({ source }: Permit): Html =>
  source === undefined
    ? html``
    : html`Source: ${source.url && /^https?:/.test(source.url) ? html`<a href="${source.url}" rel="noopener nofollow">${source.title ?? source.source}</a>` : (source.title ?? source.source)}${source.licence ? `, ${source.licence}` : ''}.`

/** schema.org/GovernmentPermit has no address field, so the address is in `validIn`. */
const structuredData = (permit: Permit, description: string) => ({
  '@context': 'https://schema.org',
  '@type': 'GovernmentPermit',
  name: `Building permit ${permit.permitId}`,
  identifier: permit.permitId,
  description,
  url: permit.permitUrl,
  validFrom: permit.issuedDate,
  issuedBy: { '@type': 'GovernmentOrganization', name: `City of ${permit.city}` },
  validIn: {
    '@type': 'Place',
    name: permit.city,
    address: {
      '@type': 'PostalAddress',
      streetAddress: permit.address,
      addressLocality: permit.city,
      addressRegion: stateOf(permit.city),
      addressCountry: 'US',
    },
  },
})

const stateOf = (city: string) => cityBySlug(city.toLowerCase().replace(/[^a-z0-9]+/g, '-'))?.state
