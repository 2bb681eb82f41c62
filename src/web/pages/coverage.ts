// The Coverage page: row counts, freshness and sources per city, rejected rows, and the accuracy of the models.
import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { dayOf } from '../../domain/day.ts'
import { type Dataset, datasets } from '../../domain/facts.ts'
import { markets } from '../../domain/packs/markets.ts'
import { packProblems } from '../../domain/packs/use-packs.ts'
import {
  type Coverage,
  dataCoverage,
  liveLedger,
  marketDays,
  modelAccuracy,
  overlayCounts,
  type SourceState,
  sourceHealth,
  unassessedMarkets,
  unusableSourceFiles,
} from '../../operations/data-status.ts'
import { accuracyTables } from '../accuracy.ts'
import { cached } from '../cached.ts'
import { cityLink } from '../city-link.ts'
import { inputLabels } from '../finding-labels.ts'
import { forecastSection } from '../forecasts.ts'
import { capitalized, count, dateAndTime, day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { landCredit } from '../land.ts'
import { sendPage } from '../send-page.ts'
import { type Site, servicesOf } from '../site.ts'

/** Each outline names its source once. */
const baseMapCredits = (): Html | '' => {
  const credits = [
    ...new Set(
      markets()
        .map(({ id }) => landCredit(id))
        .filter(Boolean),
    ),
  ]
  return credits.length === 0 ? '' : html`<h2>Base map</h2>${credits.map((credit) => html`<p>${credit}</p>`)}`
}

export const mountCoverage = (app: FastifyInstance, site: Site): void => {
  const coverage = cached(30_000, () => dataCoverage(site.services.db, site.clock()))
  const maps = cached(30_000, () => overlayCounts(site.services.db))
  const health = cached(30_000, () => sourceHealth(site.services.db, site.clock()))
  app.get('/coverage', async (request, reply) => {
    const services = servicesOf(site, request)
    const [rows, overlays, sources, accuracy, ledger, unusable] = await Promise.all([
      coverage(),
      maps(),
      health(),
      modelAccuracy(services.db),
      liveLedger(services.db),
      unusableSourceFiles(services),
    ])
    const [unassessed, days] = await Promise.all([unassessedMarkets(services, rows), marketDays(services)])
    return sendPage(site, request, reply, {
      title: 'Coverage',
      description: 'The data that is loaded for each city: row counts, freshness, sources and rejected rows.',
      path: '/coverage',
      body: html`<section><h1>Coverage</h1><p class="lede">How much data is loaded for each city, how recent it is, and where it came from. Rows that could not be loaded are counted as rejected and kept with the reason.</p>
${rows.length === 0 ? html`<p class="empty">No data is loaded yet.</p>` : ''}
${unusable.length > 0 ? html`<p class="caution">Not loaded, because their configuration is invalid: ${unusable.join(', ')}. Operators: run <code>npx lotline doctor</code> for the reasons.</p>` : ''}
${
  packProblems().length > 0
    ? html`<p class="caution">Market packs not loaded, because a file is invalid: ${packProblems()
        .map(({ pack }) => basename(pack))
        .join(', ')}. Operators: run <code>npx lotline doctor</code> for the reasons.</p>`
    : ''
}
${markets().map(({ id, name }) =>
  marketCoverage(
    name,
    rows.filter((row) => row.market === id),
    unassessed.has(id)
      ? html`<p class="caution">${unassessed.get(id)} Operators: without a running worker, run <code>npx lotline assess --market ${id} --fit</code></p>`
      : days.has(id)
        ? html`<p>Assessed as of ${day(days.get(id))}, because the data ends there.</p>`
        : '',
  ),
)}
${missingOf(rows)}
${overlaysOf(overlays)}
${sourcesOf(sources, rows)}
${
  rows.some(({ sources }) => sources.some(({ sample }) => sample))
    ? html`<h2 id="real-data">From sample to real data</h2><p>The sample data is generated. Public feeds for these markets ship with Lotline, switched off. To list them with what they hold and their license: <code>npx lotline sources available</code>. To replace the sample: <code>npx lotline sources enable</code> with the id of a feed. It checks the feed first, then loads it and assesses the market.</p>`
    : ''
}
${accuracy.length > 0 ? html`<h2 id="accuracy">Model accuracy</h2><p>Measured on data that the models were not trained on. <a href="/docs/methods">How each model works</a></p>${accuracyTables(accuracy)}` : ''}
${forecastSection(ledger)}
${baseMapCredits()}
<p>The API returns the same figures: <a href="/playground?op=get_coverage"><code>GET /v1/coverage</code></a> and <a href="/playground?op=get_accuracy"><code>GET /v1/accuracy</code></a>.</p></section>`,
    })
  })
}

const marketCoverage = (name: string, rows: readonly Coverage[], note: Html | ''): Html => {
  if (rows.length === 0) return html``
  const cities = [...new Map(rows.map((row) => [row.citySlug, row.city]))].sort((a, b) => (a[1] < b[1] ? -1 : 1))
  return html`<h2>${name}</h2>${note}<table class="data coverage cards" aria-label="${name}: rows">
<thead><tr><th scope="col">City</th>${datasets.map((set) => html`<th scope="col" class="num">${capitalized(set)}</th>`)}</tr></thead>
<tbody>${cities.map(
    ([slug, city]) =>
      html`<tr><th scope="row">${cityLink(city)}</th>${datasets.map((set) =>
        cell(
          set,
          rows.find((row) => row.citySlug === slug && row.dataset === set),
        ),
      )}</tr>`,
  )}</tbody></table>`
}

/** What maps and feeds say about the lots of each market. */
const overlaysOf = (counts: Awaited<ReturnType<typeof overlayCounts>>): Html => {
  if (counts.length === 0) return html``
  const tables = markets().flatMap(({ id, name }) => {
    const rows = counts.filter(({ market }) => market === id)
    if (rows.length === 0) return []
    return html`<h3>${name}</h3><table class="data cards" aria-label="${name}: overlays"><thead><tr><th scope="col">Overlay</th><th scope="col" class="num">Yes</th><th scope="col" class="num">No</th><th scope="col" class="num">Unknown</th></tr></thead>
<tbody>${rows.map(({ overlay, yes, no, unknown }) => html`<tr><th scope="row">${capitalized(inputLabels([overlay]))}</th><td class="num" data-name="Yes">${count(yes)}</td><td class="num" data-name="No">${count(no)}</td><td class="num" data-name="Unknown">${count(unknown)}</td></tr>`)}</tbody></table>`
  })
  return html`<h2 id="overlays">Zones and restrictions</h2><p>Parcels by what parcel feeds and map layers say about them. A rule that needs an unknown value is reported as not tested.</p>${tables}`
}

/** What a market lacks, and what that means for its pages. */
const missingOf = (rows: readonly Coverage[]): Html => {
  const lines = markets().flatMap(({ id, name }) => {
    const held = new Set(rows.filter((row) => row.market === id && row.rows > 0).map(({ dataset }) => dataset))
    if (held.size === 0) return []
    return datasets.filter((set) => !held.has(set)).map((set) => html`<li>${name} has no ${set}: ${without[set]}</li>`)
  })
  return lines.length === 0 ? html`` : html`<h2 id="missing">What is missing</h2><ul>${lines}</ul>`
}
const without: Readonly<Record<Dataset, string>> = {
  parcels: 'only homes that were listed are known, and there are no leads.',
  listings:
    'no homes for sale are ranked. Values of all parcels are available, and leads and vacant lots where the zoning is known.',
  sales: 'values cannot be fitted and are missing.',
  permits: 'permit search is empty, and teardown scores use other evidence only.',
  rents: 'there are no figures for letting a home or an accessory unit.',
}

const cell = (set: string, row: Coverage | undefined): Html =>
  row
    ? html`<td class="num" data-name="${capitalized(set)}"><b>${count(row.rows)}</b>${row.stale ? html` <span class="tag warn">stale</span>` : ''}<small>${row.newestRecord ? html`<span class="wide-only">latest </span>${day(row.newestRecord)}` : 'not dated'}${row.notIssued ? `, ${count(row.notIssued)} not issued` : ''}${row.gone > 0 ? `, ${count(row.gone)} removed from the feed` : ''}</small></td>`
    : html`<td class="num none" data-name="${capitalized(set)}">–</td>`

const sourcesOf = (sources: readonly SourceState[], rows: readonly Coverage[]): Html => {
  if (sources.length === 0) return html``
  const datasetsOf = (id: string) =>
    rows.filter((row) => row.sources.some((source) => source.id === id)).map(({ dataset }) => dataset)
  const failing = sources.filter(({ error }) => error !== null)
  return html`<h2 id="sources">Sources</h2>${failing.length > 0 ? html`<p class="caution">${count(failing.length)} of ${count(sources.length)} sources cannot be read now. Their data is that of the last good run. Operators: run <code>npx lotline doctor</code> for the reasons.</p>` : ''}<table class="data sources cards" aria-label="Sources">
<thead><tr><th scope="col">Source</th><th scope="col">Datasets</th><th scope="col">License</th><th scope="col">Last good run</th><th scope="col" class="num">Rejected rows</th><th scope="col" class="num">Removed in 30 days</th><th scope="col">Fewer values than before</th></tr></thead>
<tbody>${sources.map(
    ({ id, title, url, sample, license, lastRunAt, failingSince, stale, rejected, removed, lostFields }) =>
      html`<tr><th scope="row">${url && /^https?:/.test(url) ? html`<a href="${url}" rel="noopener nofollow">${title}</a>` : title}${sample ? html` <span class="tag">sample</span>` : ''}</th>
<td data-name="Datasets">${[...new Set(datasetsOf(id))].join(', ') || '–'}</td><td data-name="License">${license ?? '–'}</td>
<td data-name="Last good run">${dateAndTime(lastRunAt?.toISOString())}${failingSince ? html` <span class="tag warn">failing since ${day(dayOf(failingSince))}</span>` : stale ? html` <span class="tag warn">stale</span>` : ''}</td>
<td class="num" data-name="Rejected rows">${count(rejected ?? 0)}</td><td class="num" data-name="Removed in 30 days">${count(removed)}</td>
<td data-name="Fewer values than before">${lostFields.join(', ') || '–'}</td></tr>`,
  )}</tbody></table>`
}
