// Permit search with the API's own filters, a CSV of the page shown, and a page for each permit.
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../contract/errors.ts'
import { cities, cityBySlug } from '../../contract/markets.ts'
import type { InputOf } from '../../contract/operation.ts'
import { getPermit, searchPermits } from '../../contract/operations/permits.ts'
import type { permitOf } from '../../operations/permits.ts'
import { csvOf } from '../csv.ts'
import { day, moment, permitClassWords, permitStatusWords, plural, sqft, usd, usdExact } from '../formats.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { addressOf, dateIn, noted, numberIn, type Query, textIn } from '../query.ts'
import { run } from '../run.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'
import { offsetIn, pager, problemList } from './search-list.ts'

export type Permit = ReturnType<typeof permitOf>

export const mountPermitPages = (app: FastifyInstance, site: Site): void => {
  app.get('/permits', async (request, reply) => {
    const problems: string[] = []
    const input = inputOf(request.query as Query, problems)
    const { data: found, pagination } = await run(searchPermits, contextOf(site, request), input)
    const data = found as Permit[]
    const { offset = 0, ...params } = input
    const total = pagination as { total: number; truncated: boolean }
    return sendPage(site, request, reply, {
      title: 'Building permits',
      description:
        'Issued building permits on the San Francisco Peninsula and Nantucket by city, keyword and valuation, newest first.',
      path: '/permits',
      body: html`<section><h1>Building permits</h1>
${searchForm(input)}
${problemList(problems)}
<p class="result-line">${total.total === 0 ? nonePresent(input) : `${total.truncated ? 'More than ' : ''}${plural(total.total, 'permit')}, newest first`}${data.length > 0 ? html` · <a href="${addressOf('/permits.csv', { ...params, offset: offset || undefined })}" download>Download this page as CSV</a>` : ''}</p>
${data.length > 0 ? permitTable(data) : ''}
${pager('/permits', params, offset, data.length, total.total, total.truncated)}</section>`,
    })
  })

  app.get('/permits.csv', async (request, reply) => {
    const { data } = await run(searchPermits, contextOf(site, request), inputOf(request.query as Query))
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="permits.csv"')
      .send(csvOf(csvColumns, data as unknown as Record<string, unknown>[]))
  })

  app.get('/permits/:citySlug/:permitId', async (request, reply) => {
    const input = request.params as { citySlug: string; permitId: string }
    if (/\0/.test(input.citySlug + input.permitId)) throw notFound('There is no such permit.')
    const { data, asOf } = await run(getPermit, contextOf(site, request), input)
    return sendPage(site, request, reply, permitPage(data as Permit, asOf, input))
  })
}

const inputOf = (query: Query, problems: string[] = []): InputOf<typeof searchPermits> => {
  const read = <T>(name: string, label: string, accepted: string, value: T | undefined) =>
    noted(problems, query, { name, label, accepted }, value)
  const asText = (longest: number) => `it takes one text, up to ${longest} characters and none of them null`
  const asDollars = 'it takes one amount in dollars, such as 100,000'
  const asDate = 'it takes one day, such as 2026-03-09'
  return {
    city: read('city', 'City', asText(80), textIn(query, 'city', 80)),
    q: read('q', 'Keywords', asText(200), textIn(query, 'q', 200)),
    minValuation: read('minValuation', 'Valued from', asDollars, numberIn(query, 'minValuation', 0, 1e12)),
    issuedFrom: read('issuedFrom', 'Issued from', asDate, dateIn(query, 'issuedFrom')),
    issuedTo: read('issuedTo', 'Issued to', asDate, dateIn(query, 'issuedTo')),
    offset: offsetIn(query, problems),
  }
}

const nonePresent = ({ offset: _, ...filters }: InputOf<typeof searchPermits>): string =>
  Object.values(filters).some((value) => value !== undefined)
    ? 'No permit matches. Loosen a filter.'
    : 'No permits are held yet.'

const searchForm = (
  input: ReturnType<typeof inputOf>,
): Html => html`<form class="filters permits" method="get" action="/permits" role="search">
<label class="grow">Keywords<input name="q" type="search" value="${input.q}" maxlength="200" placeholder="address, work, contractor, number"></label>
<label>City<input name="city" value="${input.city}" list="cities" placeholder="Any"></label>
<datalist id="cities">${cities.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<label>Valued from<input name="minValuation" inputmode="numeric" value="${input.minValuation}" placeholder="$ any"></label>
<label>Issued from<input name="issuedFrom" type="date" value="${input.issuedFrom}"></label>
<label>Issued to<input name="issuedTo" type="date" value="${input.issuedTo}"></label>
<div class="filter-buttons"><button class="button">Search</button> <a href="/permits">Clear</a></div></form>`

/** `permitUrl` without its host: pages link within themselves, whatever name they are reached by. */
export const permitPath = (permit: Pick<Permit, 'permitUrl'>): string => new URL(permit.permitUrl).pathname

const permitTable = (permits: readonly Permit[]): Html => html`<table class="data permits stack">
<thead><tr><th scope="col">Issued</th><th scope="col">Where</th><th scope="col">Work</th><th scope="col" class="num">Valuation</th><th scope="col">Status</th></tr></thead>
<tbody>${permits.map(
  (permit) => html`<tr><td class="nowrap" data-name="Issued">${day(permit.issuedDate)}</td>
<th scope="row" data-name="Where"><a href="${permitPath(permit)}">${permit.address ?? permit.permitId}</a><small>${permit.city} · ${permit.permitId}</small></th>
<td data-name="Work" class="work">${permit.description ?? permit.projectType ?? '–'}${permit.permitClass && permit.permitClass !== 'other' ? html`<small>${permitClassWords[permit.permitClass]}</small>` : ''}</td>
<td class="num" data-name="Valuation">${usd(permit.valuation)}</td><td data-name="Status"><span class="tag">${permitStatusWords[permit.status]}</span>${permit.goneAt ? html`<small>left the feed ${day(permit.goneAt)}</small>` : ''}</td></tr>`,
)}</tbody></table>`

const csvColumns = [
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
    permit.valuation ? `valued at ${usd(permit.valuation)}` : '',
    `issued ${day(permit.issuedDate)}`,
  ]
    .filter(Boolean)
    .join(', ')
    .slice(0, 300)
  return {
    title: `Permit ${permit.permitId}: ${where}`,
    description,
    path: permitPath(permit),
    head: dataBlock('application/ld+json', structured(permit, description)),
    body: html`<article class="permit"><p class="kicker"><a href="/permits?city=${citySlug}">${permit.city}</a> · Permit ${permit.permitId}</p>
<h1>${permit.address ?? permit.permitId}</h1><p class="lede work">${work}</p>
${permit.goneAt ? html`<p class="caution">This permit left the city’s feed on ${day(permit.goneAt)}: it was probably taken back. What stands here is the last that was known.</p>` : ''}
<dl class="ledger">
${fact('Status', permitStatusWords[permit.status])}${fact('Issued', day(permit.issuedDate))}${fact('Kind of work', kind)}
${fact('Valuation', permit.valuation === null ? undefined : usd(permit.valuation))}${fact('Area', permit.sqft === undefined ? undefined : sqft(permit.sqft))}
${fact('Per square foot', permit.psf === undefined ? undefined : usdExact(permit.psf))}${fact('As filed', permit.projectType === kind ? undefined : permit.projectType)}
${fact('Contractor', permit.contractor)}${fact('Architect', permit.architect ?? undefined)}
${fact('Read from', permit.classWords?.length ? permit.classWords.map((word) => `“${word}”`).join(', ') : undefined)}</dl>
${permit.propertyId ? html`<p><a class="button" href="/properties/${encodeURIComponent(permit.propertyId)}">What this property could become</a></p>` : ''}
<p class="source">${sourceLine(permit)} Current to ${moment(asOf)}.</p></article>`,
  }
}

const fact = (name: string, value: string | undefined): Html =>
  value === undefined ? html`` : html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const sourceLine = ({ source }: Permit): Html =>
  source === undefined
    ? html``
    : html`Source: ${source.url && /^https?:/.test(source.url) ? html`<a href="${source.url}" rel="noopener nofollow">${source.title ?? source.source}</a>` : (source.title ?? source.source)}${source.licence ? `, ${source.licence}` : ''}.`

/** schema.org has a type for permits; the place carries the address. */
const structured = (permit: Permit, description: string) => ({
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
