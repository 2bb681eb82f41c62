// Permit search with the filters of the API, a CSV of the current page, and a page for each permit.

import type { FastifyInstance } from 'fastify'
import { notFound } from '../../common/errors.ts'
import { cityBySlug, markets, marketsInWords } from '../../domain/packs/markets.ts'
import { getPermit, searchPermits } from '../../wire/operations/permits.ts'
import type { PermitInAnyStage as Permit } from '../../wire/permit.ts'
import { cityLink } from '../city-link.ts'
import {
  dateAndTime,
  day,
  permitClassWords,
  permitStatusWords,
  plural,
  sqft,
  usd,
  usdExact,
  usdShort,
} from '../formats.ts'
import { dataBlock, type Html, type HtmlValue, html } from '../html.ts'
import { csvLink, downloadContext, sendCsv } from '../list-csv.ts'
import { mapPanel, placeAttributes, viewSwitch } from '../map-panel.ts'
import { listActions } from '../page-actions.ts'
import { pathWithQuery, queryOf } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'
import { searchLinks } from '../watch-link.ts'
import {
  cityProblem,
  countedInWords,
  isFiltered,
  permitForm,
  permitInput,
  permitParams,
  permitSorts,
  readPermitFilter,
  searchedInWords,
  searchedMarket,
} from './permits-filter.ts'
import { funnelTable, pager, problemList } from './search-list.ts'

export const mountPermitPages = (app: FastifyInstance, site: Site): void => {
  app.get('/permits', async (request, reply) => {
    const problems: HtmlValue[] = []
    const filter = readPermitFilter(queryOf(request), problems)
    const context = contextOf(site, request)
    const input = await permitInput(context, filter, problems)
    const { data, pagination, notIssued = 0 } = await runOperation(searchPermits, context, input)
    const { offset = 0, ...params } = permitParams(filter)
    const { total, truncated } = pagination
    const unknownCity = total === 0 && cityProblem(filter)
    if (unknownCity) problems.push(unknownCity)
    // The funnel is many counts, so it is asked for only when it is shown.
    const { funnel } =
      total === 0 && isFiltered(filter)
        ? await runOperation(searchPermits, context, { ...input, limit: 1, offset: 0, explain: ['funnel'] })
        : {}
    const hasMap = data.some(({ lat, lng }) => lat !== undefined && lng !== undefined)
    const order = permitSorts[filter.sort ?? '-issuedDate'].toLowerCase()
    return sendPage(site, request, reply, {
      title: 'Building permits',
      description: `Issued building permits ${marketsInWords()} by city, keyword and valuation, newest first.`,
      path: '/permits',
      layout: 'wide',
      script: 'places',
      body: html`<section class="explore" data-explore><div class="panel"><h1>Building permits</h1>
${hasMap ? viewSwitch : ''}
${permitForm(filter)}
<div data-results>${problemList(problems)}
<p class="result-line">${total === 0 ? (isFiltered(filter) ? 'No permits match. Try removing a filter.' : `No permits are loaded${searchedInWords(filter)} yet.`) : `${truncated ? 'More than ' : ''}${plural(total, 'permit')}${countedInWords(filter)}, ${order} first`}${listActions(csvLink('/permits.csv', params, { offset, shown: data.length, total }), notIssued > 0 && filter.criteria.issued === undefined && html`<a href="${pathWithQuery('/permits', { ...params, issued: 'false' })}">${notIssued >= 10_000 ? 'more than ' : ''}${plural(notIssued, 'permit')} not issued</a>`, searchLinks('permits', input))}</p>
${total === 0 && markets().length > 1 && searchedMarket(filter) !== 'all' ? html`<p><a href="${pathWithQuery('/permits', { ...params, market: 'all' })}">Search all markets</a></p>` : ''}
${funnelTable(funnel, 'permits')}
${data.length > 0 ? permitList(data, offset + 1) : ''}
${pager('/permits', params, offset, data.length, total, truncated)}</div></div>
${hasMap ? mapPanel(site, { id: 'map', places: '[data-results]', overlays: ['permits'] }) : ''}</section>`,
    })
  })

  app.get('/permits.csv', async (request, reply) => {
    const context = await downloadContext(site, request, reply)
    const input = await permitInput(context, readPermitFilter(queryOf(request)))
    const limit = context.caller.limits.maxResults
    const { data, pagination } = await runOperation(searchPermits, context, { ...input, limit })
    const { total, truncated: capped } = pagination
    return sendCsv(reply, context, 'permits', csvColumns, data, { offset: input.offset, total, capped })
  })

  app.get<{ Params: { citySlug: string; permitId: string } }>(
    '/permits/:citySlug/:permitId',
    async (request, reply) => {
      const input = request.params
      if (/\0/.test(input.citySlug + input.permitId)) throw notFound('There is no permit with this number.')
      const { data, asOf } = await runOperation(getPermit, contextOf(site, request), { ...input, issued: 'any' })
      return sendPage(site, request, reply, permitPage(data, asOf, input, permitMap(site, data)))
    },
  )
}

/** `permitUrl` without the host, so that links work under every host name of the service. */
const permitPath = (permit: Pick<Permit, 'permitUrl'>): string => new URL(permit.permitUrl).pathname

const permitList = (permits: readonly Permit[], start: number): Html =>
  html`<ol class="signals homes permit-list" start="${start}">${permits.map(
    (
      permit,
    ) => html`<li${placeOf(permit)}><span class="where"><a href="${permitPath(permit)}"><b>${permit.address ?? permit.permitId}</b></a> <small>${cityLink(permit.city)} · ${permit.permitId}</small></span>
<span class="what">${permit.valuation === null ? '' : html`<b class="num">${usd(permit.valuation)}</b> `}<span class="tag">${permitStatusWords[permit.status]}</span></span>
<span class="work">${permit.description ?? permit.projectType ?? '–'}</span>
<span class="why"><span>${[kindOf(permit), stageOf(permit), unitsOf(permit)].filter(Boolean).join(' · ')}${permit.contractor ? html` · ${contractorOf(permit)}` : ''}</span>${permit.goneAt ? html` <span>removed from the feed ${day(permit.goneAt)}</span>` : ''}</span></li>`,
  )}</ol>`

/** "issued Nov 10, 2026", or the application of a permit that is not issued. */
const stageOf = ({ issuedDate, appliedDate }: Permit): string =>
  issuedDate ? `issued ${day(issuedDate)}` : appliedDate ? `applied for ${day(appliedDate)}, not issued` : 'not issued'

/** With a link to the builder's page, if it has one. */
const contractorOf = ({ builderId, contractor }: Permit): Html | undefined =>
  contractor ? (builderId ? html`<a href="/builders/${builderId}">${contractor}</a>` : html`${contractor}`) : undefined

const unitsOf = ({ units }: Permit): string | undefined => (units ? plural(units, 'unit') : undefined)

const kindOf = ({ permitClass }: Permit): string | undefined =>
  permitClass && permitClass !== 'other' ? permitClassWords[permitClass] : undefined

/** The marker shows the valuation. */
const placeOf = (permit: Permit): Html => {
  const { lat, lng, address, permitId, valuation } = permit
  const label = valuation === null ? 'Permit' : usdShort(valuation)
  // Contains the label, so that a voice command finds the marker by what it shows.
  const name = [address ?? permitId, kindOf(permit)?.toLowerCase(), label]
  return placeAttributes({ lat, lng, label, name: name.filter(Boolean).join(', '), level: 'high' })
}

const csvColumns: readonly (keyof Permit)[] = [
  'permitId',
  'city',
  'address',
  'projectType',
  'description',
  'valuation',
  'sqft',
  'units',
  'psf',
  'contractor',
  'architect',
  'appliedDate',
  'issuedDate',
  'finaledDate',
  'status',
  'permitClass',
  'permitUrl',
  'goneAt',
]

const permitPage = (permit: Permit, asOf: string, { citySlug }: { citySlug: string }, map: Html) => {
  const where = permit.address ? `${permit.address}, ${permit.city}` : permit.city
  const work = permit.description ?? permit.projectType ?? 'Building permit'
  const kind = kindOf(permit) ?? permit.projectType
  const description = [work, permit.valuation ? `valuation ${usd(permit.valuation)}` : '', stageOf(permit)]
    .filter(Boolean)
    .join(', ')
    .slice(0, 300)
  return {
    title: `Permit ${permit.permitId}: ${where}`,
    description,
    path: permitPath(permit),
    script: 'places' as const,
    head: dataBlock(structuredData(permit, description)),
    body: html`<article class="permit"><p class="kicker">${cityLink(permit.city)} · <a href="/permits?city=${citySlug}">Permits</a> · Permit ${permit.permitId}</p>
<h1>${permit.address ?? permit.permitId}</h1><p class="lede work">${work}</p>
${permit.goneAt ? html`<p class="caution">The city removed this permit from its feed on ${day(permit.goneAt)}. It was probably withdrawn. This page shows the last known data.</p>` : ''}
<dl class="ledger">
${fact('Status', permitStatusWords[permit.status])}${fact('Applied', permit.appliedDate && day(permit.appliedDate))}${fact('Issued', permit.issuedDate ? day(permit.issuedDate) : 'Not issued')}${fact('Finaled', permit.finaledDate && day(permit.finaledDate))}${fact('Type of work', kind)}
${fact('Valuation', permit.valuation === null ? undefined : usd(permit.valuation))}${fact('Area', permit.sqft === undefined ? undefined : sqft(permit.sqft))}${fact('Dwelling units added', permit.units === undefined ? undefined : String(permit.units))}
${fact('Valuation per sq ft', permit.psf === undefined ? undefined : usdExact(permit.psf))}${fact('Type as filed', permit.projectType === kind ? undefined : permit.projectType)}
${fact('Other addresses', permit.otherAddresses?.join(', '))}${fact('Contractor', contractorOf(permit))}${fact('Architect', permit.architect ?? undefined)}
${fact('Type detected from', permit.classWords?.length ? permit.classWords.map((word) => `“${word}”`).join(', ') : undefined)}</dl>
${permit.propertyId ? html`<p><a class="button" href="/properties/${encodeURIComponent(permit.propertyId)}">See this property</a></p>` : ''}
${map}
<p class="source">${sourceLine(permit)} Data updated ${dateAndTime(asOf)}.</p></article>`,
  }
}

const permitMap = (site: Site, { lat, lng, address, permitId }: Permit): Html =>
  lat === undefined || lng === undefined
    ? html``
    : html`<h2>Permits nearby</h2><p class="note">Each dot is another permit. Select one for its type, date and valuation.</p>${mapPanel(site, { className: 'map-figure', places: '.permit', overlays: ['permits'], subject: { lat, lng, name: address ?? permitId } })}`

/** A row of a list of facts; nothing for one that is not known. */
export const fact = (name: string, value: HtmlValue | undefined): Html =>
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
