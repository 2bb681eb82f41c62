// What data is held, how fresh, from where, what was refused, and how well the models have done.
import type { FastifyInstance } from 'fastify'
import { markets } from '../../contract/markets.ts'
import { type Coverage, dataCoverage, modelAccuracy } from '../../operations/data-status.ts'
import { accuracyTables } from '../accuracy.ts'
import { cached } from '../cached.ts'
import { count, day, moment, sentence } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { landOf } from '../land.ts'
import { sendPage } from '../send-page.ts'
import type { Site } from '../site.ts'

export const mountCoverage = (app: FastifyInstance, site: Site): void => {
  const coverage = cached(30_000, () => dataCoverage(site.services, site.clock()))
  app.get('/coverage', async (request, reply) => {
    const [rows, accuracy] = await Promise.all([coverage(), modelAccuracy(site.services)])
    return sendPage(site, request, reply, {
      title: 'Coverage',
      description: 'What data Lotline holds per city, how fresh it is, where it came from and what was refused.',
      path: '/coverage',
      body: html`<section><h1>Coverage</h1><p class="lede">What is held, how fresh it is, where it came from, and what was refused on the way in. A refused row is kept whole with the reason, never guessed at.</p>
${rows.length === 0 ? html`<p class="empty">Nothing is loaded yet.</p>` : ''}
${markets.map(({ id, name }) =>
  marketCoverage(
    name,
    rows.filter((row) => row.market === id),
  ),
)}
${sourcesOf(rows)}
${accuracy.length > 0 ? html`<h2 id="accuracy">Measured accuracy</h2><p>How far the models were off on data they had not seen. <a href="/docs/methods">How each is made</a></p>${accuracyTables(accuracy)}` : ''}
<h2>Base map</h2><p>${landOf('sf-peninsula').attribution}</p>
<p>The same figures are at <a href="/playground?op=get_coverage"><code>GET /v1/coverage</code></a> and <a href="/playground?op=get_accuracy"><code>GET /v1/accuracy</code></a>.</p></section>`,
    })
  })
}

const datasets = ['parcels', 'listings', 'sales', 'permits'] as const

const marketCoverage = (name: string, rows: readonly Coverage[]): Html => {
  if (rows.length === 0) return html``
  const places = [...new Map(rows.map((row) => [row.citySlug, row.city]))].sort((a, b) => (a[1] < b[1] ? -1 : 1))
  return html`<h2>${name}</h2><table class="data coverage cards">
<thead><tr><th scope="col">City</th>${datasets.map((set) => html`<th scope="col" class="num">${sentence(set)}</th>`)}</tr></thead>
<tbody>${places.map(
    ([slug, city]) =>
      html`<tr><th scope="row">${city}</th>${datasets.map((set) =>
        cell(
          set,
          rows.find((row) => row.citySlug === slug && row.dataset === set),
        ),
      )}</tr>`,
  )}</tbody></table>`
}

const cell = (set: string, row: Coverage | undefined): Html =>
  row
    ? html`<td class="num" data-name="${sentence(set)}"><b>${count(row.rows)}</b>${row.stale ? html` <span class="tag warn">stale</span>` : ''}<small>${row.newestRecord ? html`<span class="wide-only">to </span>${day(row.newestRecord)}` : 'no dates'}${row.gone > 0 ? `, ${count(row.gone)} gone from the feed` : ''}</small></td>`
    : html`<td class="num none" data-name="${sentence(set)}">–</td>`

const sourcesOf = (rows: readonly Coverage[]): Html => {
  const sources = new Map<string, { source: Coverage['sources'][number]; rows: Coverage[] }>()
  for (const row of rows)
    for (const source of row.sources) {
      const known = sources.get(source.id)
      if (known) known.rows.push(row)
      else sources.set(source.id, { source, rows: [row] })
    }
  if (sources.size === 0) return html``
  return html`<h2>Sources</h2><table class="data sources cards">
<thead><tr><th scope="col">Source</th><th scope="col">Holds</th><th scope="col">Licence</th><th scope="col">Last run</th><th scope="col" class="num">Refused</th></tr></thead>
<tbody>${[...sources.values()].map(
    ({
      source,
      rows: held,
    }) => html`<tr><th scope="row">${source.url && /^https?:/.test(source.url) ? html`<a href="${source.url}" rel="noopener nofollow">${source.title}</a>` : source.title}${source.sample ? html` <span class="tag">sample</span>` : ''}</th>
<td data-name="Holds">${[...new Set(held.map((row) => row.dataset))].join(', ')}</td><td data-name="Licence">${source.licence ?? '–'}</td>
<td data-name="Last run">${moment(
      held
        .map((row) => row.lastRunAt ?? '')
        .sort()
        .at(-1) || undefined,
    )}</td>
<td class="num" data-name="Refused">${count(Math.max(...held.map((row) => row.refused)))}</td></tr>`,
  )}</tbody></table>`
}
