// Up to six shortlisted homes side by side. The shortlist is in the URL, so it can be shared and needs no account.
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { getPropertyIntelligence } from '../../contract/operations/properties.ts'
import type { PropertyDetail } from '../../contract/property.ts'
import { count, day, percent, sqft, statusWords, unknownMark, usd } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { Query } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'
import { maxPicks, readExplore } from './explore-filter.ts'

export const mountCompare = (app: FastifyInstance, site: Site): void => {
  app.get('/explore/compare', async (request, reply) => {
    const { picks } = readExplore(request.query as Query)
    const context = contextOf(site, request)
    const found = await Promise.all(
      picks.map((id) =>
        runOperation(getPropertyIntelligence, context, { id }).then(
          ({ data }) => data,
          // A home that no longer exists leaves the comparison; other errors are for the error page.
          (error: unknown) => {
            if (error instanceof ApiError && error.status === 404) return undefined
            throw error
          },
        ),
      ),
    )
    const homes = found.filter((home) => home !== undefined)
    return sendPage(site, request, reply, {
      title: 'Compare homes',
      description: 'Shortlisted homes side by side: price, scores, return and what could be built.',
      path: '/explore/compare',
      private: true,
      body: html`<section><h1>Compare homes</h1>
${homes.length > 0 ? table(homes) : html`<p class="empty">Nothing is selected. On the <a href="/explore">Explore page</a>, check “Compare” on up to ${maxPicks} homes.</p>`}</section>`,
    })
  })
}

const table = (homes: readonly PropertyDetail[]): Html => html`<div class="scroll"><table class="data compare">
<thead><tr><th scope="col"><span class="visually-hidden">Fact</span></th>${homes.map(
  ({ id, address, city }) =>
    html`<th scope="col"><a href="/properties/${encodeURIComponent(id)}">${address}</a><small>${city}</small></th>`,
)}</tr></thead>
<tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th>${homes.map((home) => html`<td class="num">${value(home)}</td>`)}</tr>`)}</tbody></table></div>`

const withGrade = (score: number | undefined, grade: string | undefined): HtmlValue =>
  score === undefined ? unknownMark : grade ? `${score} (${grade})` : score

const rows: readonly (readonly [name: string, value: (home: PropertyDetail) => HtmlValue])[] = [
  ['Price', ({ price }) => usd(price)],
  ['Status', ({ status }) => (status ? statusWords[status] : 'Not for sale')],
  ['Listed', ({ facts }) => day(facts?.listedOn)],
  [
    'Beds, baths',
    ({ facts }) => (facts?.beds === undefined ? unknownMark : `${facts.beds}, ${facts.baths ?? unknownMark}`),
  ],
  ['Living area', ({ facts }) => sqft(facts?.livingSqft)],
  ['Lot', ({ facts }) => sqft(facts?.lotSqft)],
  ['Built', ({ facts }) => facts?.yearBuilt ?? unknownMark],
  ['Zoning', ({ facts }) => facts?.zoning ?? unknownMark],
  [
    'Teardown score',
    ({ intelligence: { teardownScore, ranks } }) => withGrade(teardownScore, ranks?.teardownScore?.grade),
  ],
  [
    'Flip score',
    ({ intelligence: { flippabilityScore, ranks } }) => withGrade(flippabilityScore, ranks?.flippabilityScore?.grade),
  ],
  [
    'Return',
    ({ intelligence: { returnPct } }) =>
      html`<span class="${returnPct === undefined ? '' : returnPct < 0 ? 'down' : 'up'}">${percent(returnPct)}</span>`,
  ],
  ['Estimated value', ({ intelligence: { valueEstimate } }) => usd(valueEstimate?.value)],
  ['Recent sales nearby', ({ comparables }) => count(comparables.recentSalesCount)],
  ['In short', ({ verdict }) => verdict ?? unknownMark],
]
