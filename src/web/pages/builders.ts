// The builders of a market by their permits, and a page for each.
import type { FastifyInstance } from 'fastify'
import { permitClasses } from '../../domain/facts.ts'
import { cityBySlug, defaultMarket, findCity, marketById } from '../../domain/packs/markets.ts'
import type { Builder } from '../../wire/builders.ts'
import { getBuilder, listBuilderPermits, listBuilders } from '../../wire/operations/builders.ts'
import { cityField, cityIn } from '../city-field.ts'
import { cityLink } from '../city-link.ts'
import { dateAndTime, day, permitClassWords, plural, usd } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { listActions } from '../page-actions.ts'
import { queryOf, readerOf, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'
import { fact } from './permits.ts'
import { offsetIn, pager, problemList } from './search-list.ts'

export const mountBuilderPages = (app: FastifyInstance, site: Site): void => {
  app.get('/builders', async (request, reply) => {
    const query = queryOf(request)
    const problems: HtmlValue[] = []
    const named = findCity(textIn(query, 'city', 80) ?? '')?.market
    const market = marketById(textIn(query, 'market', 60) ?? named ?? '')?.id ?? defaultMarket()
    const params = { market, city: cityIn(query, market, problems, '/builders'), q: textIn(query, 'q', 100) }
    const permitClass = readerOf(query, problems).choice('permitClass', 'Work', permitClasses)
    const offset = offsetIn(query, problems) ?? 0
    const isPlace = params.city === undefined || cityBySlug(params.city) !== undefined
    const { data, pagination } = isPlace
      ? await runOperation(listBuilders, contextOf(site, request), {
          ...params,
          ...(permitClass && { permitClass: [permitClass] }),
          offset,
        })
      : { data: [], pagination: { total: 0 } }
    return sendPage(site, request, reply, {
      title: 'Builders',
      description: 'Contractors by their issued building permits.',
      path: '/builders',
      body: html`<h1>Builders</h1><form class="filters" method="get" action="/builders" role="search" aria-label="Builders">
<label>Name or license<input name="q" value="${params.q}" maxlength="100"></label>${cityField('all', params.city)}<label>Work<select name="permitClass"><option value="">All kinds</option>${permitClasses.map((each) => html`<option value="${each}"${each === permitClass ? html` selected` : ''}>${permitClassWords[each]}</option>`)}</select></label><div class="filter-buttons"><button class="button">Search</button></div></form>
${problemList(problems)}<p class="result-line">${data.length === 0 ? 'No builders match.' : `${plural(pagination.total, 'builder')}, most permits in the last 12 months first`}${listActions()}</p>
<ol class="signals homes" start="${offset + 1}">${data.map(
        (
          builder,
        ) => html`<li><span class="where"><a href="/builders/${builder.id}"><b>${builder.name}</b></a> <small>${cityLinks(builder.cities.slice(0, 3))}</small></span>
<span class="what">${plural(builder.permits12m ?? builder.permits, 'permit')} in 12 months</span> <span class="why">${workOf(builder)}</span></li>`,
      )}</ol>
${pager('/builders', { ...params, permitClass }, offset, data.length, pagination.total)}`,
    })
  })

  app.get<{ Params: { id: string } }>('/builders/:id', async (request, reply) => {
    const { id } = request.params
    const context = contextOf(site, request)
    const { data: builder, asOf } = await runOperation(getBuilder, context, { id })
    const { data: permits } = await runOperation(listBuilderPermits, context, { id })
    return sendPage(site, request, reply, {
      title: builder.name,
      description: `${builder.name}: ${plural(builder.permits, 'building permit')} in ${builder.cities.slice(0, 3).join(', ')}.`,
      path: `/builders/${builder.id}`,
      body: html`<article class="permit"><p class="kicker"><a href="/builders">Builders</a></p><h1>${builder.name}</h1><p class="lede">${workOf(builder)}</p><dl class="ledger">
${fact('Also named', builder.aliases.join(', ') || undefined)}${fact('License', builder.license)}${fact('Cities', cityLinks(builder.cities))}
${fact('Issued permits', String(builder.permits))}${fact('In the last 12 months', builder.permits12m?.toString())}${fact('Units in the last 12 months', builder.units12m?.toString())}
${fact('Valuation of all permits', builder.valuation === undefined ? undefined : usd(builder.valuation))}${fact('Median days to final inspection', builder.toFinal?.p50?.toString())}
${fact('Finaled', builder.finaledPct === undefined ? undefined : `${builder.finaledPct}%`)}${fact('Newest permit', builder.lastIssued && day(builder.lastIssued))}</dl>
<h2>Permits</h2><ol class="signals homes">${permits.map(
        (
          permit,
        ) => html`<li><span class="where"><a href="${new URL(permit.permitUrl).pathname}"><b>${permit.address ?? permit.permitId}</b></a> <small>${permit.city}</small></span>
<span class="work">${permit.description ?? permit.projectType ?? '–'}</span> <span class="why">issued ${day(permit.issuedDate)}</span></li>`,
      )}</ol>
<p><a href="/permits?builderId=${builder.id}">All its permits</a></p>
<p class="source">From the contractor’s name and license on building permits. ${permits.some(({ source }) => source?.sample) ? 'Generated sample data. ' : ''}Data updated ${dateAndTime(asOf)}.</p></article>`,
    })
  })
}

const workOf = ({ classes }: Builder): string =>
  classes
    .filter((each) => each !== 'other')
    .slice(0, 3)
    .map((each) => permitClassWords[each])
    .join(', ')

const cityLinks = (names: readonly string[]): Html =>
  html`${names.map((name, at) => html`${at === 0 ? '' : ', '}${cityLink(name)}`)}`
