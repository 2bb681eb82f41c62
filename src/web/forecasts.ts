// Forecasts compared with later sales: per market a chart of the value's ratio and coverage, and a table by month.
import { type Market, markets } from '../domain/packs/markets.ts'
import type { Ledger } from '../operations/data-status.ts'
import { lineChart } from './charts/line-chart.ts'
import { count, day, month, percent, unknownMark } from './formats.ts'
import { type Html, html } from './html.ts'

type Live = Ledger['live'][number]

export const forecastSection = (ledger: Ledger): Html => {
  const sections = markets().flatMap((market) => {
    const since = ledger.since.get(market.id)
    return since === undefined ? [] : [marketForecasts(market, since, ledger.live)]
  })
  if (sections.length === 0) return html``
  return html`<h2 id="forecasts">Forecasts and later sales</h2><p>Forecasts are kept before a sale and compared with the first sale after them. Months with fewer than 10 are withheld. From 30 forecasts a figure has a band, in which chance alone would keep it; outside it two months in a row raises an alarm. <a href="/docs/methods/assessment">How forecasts are scored</a></p>${sections}`
}

const marketForecasts = ({ id, name }: Market, since: string, live: readonly Live[]): Html => {
  const own = live.filter((row) => row.market === id)
  const whole = own.filter(({ city }) => city === undefined)
  const alarms = own.filter(({ alarm }) => alarm)
  return html`<h3>${name}${own.some(({ sample }) => sample) ? html` <span class="tag">sample</span>` : ''}</h3>
${alarms.map((row) => html`<p class="caution">${modelNames[row.model]} in ${row.city ?? name}: outside the band in ${month(row.month)} and the month before.</p>`)}
<p>The ledger begins on ${day(since)}.${whole.length === 0 ? ' There are not enough later sales to score yet.' : ''}</p>
${whole.length === 0 ? '' : html`<div class="series">${chart(whole, 'medianRatio', 'Value divided by sale price', (value) => value.toFixed(2))}${chart(whole, 'withinRange', 'Prices inside the range', percent)}</div>`}
${table(whole, `Whole market, ${name}`)}
${
  own.length > whole.length
    ? html`<details><summary>By city</summary>${table(
        own.filter(({ city }) => city !== undefined),
        `By city, ${name}`,
      )}</details>`
    : ''
}`
}

const modelNames: Readonly<Record<Live['model'], string>> = {
  value: 'Value',
  'bidding-war': 'Bidding war',
  teardown: 'Teardown',
}

/** The band is drawn behind the line. */
const chart = (
  rows: readonly Live[],
  figure: 'medianRatio' | 'withinRange',
  title: string,
  show: (value: number) => string,
): Html => {
  const points = rows.flatMap((row) =>
    row[figure] === undefined ? [] : [{ on: `${row.month}-01`, value: row[figure], band: row.band?.[figure] }],
  )
  if (points.length < 2) return html``
  const bounds = rows.flatMap(({ band }) => (band?.[figure] ? [band[figure].low, band[figure].high] : []))
  const values = [...points.map(({ value }) => value), ...bounds]
  const [from, to] = [Math.min(...values), Math.max(...values)]
  return html`<section><h4>${title}</h4>${lineChart(points, { label: title, from, to, show })}</section>`
}

const table = (rows: readonly Live[], caption: string): Html =>
  rows.length === 0
    ? html``
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="data"><caption>${caption}</caption><thead><tr><th scope="col">Month</th><th scope="col">Forecast</th>${['Scored', 'Median error', 'Within 10%', 'Inside the range', 'Band', 'Median ratio', 'Band', 'Brier score'].map((title) => html`<th scope="col" class="num">${title}</th>`)}</tr></thead>
<tbody>${[...rows]
        .sort((a, b) => (a.month > b.month ? -1 : a.month < b.month ? 1 : 0))
        .map(
          (
            row,
          ) => html`<tr><th scope="row">${month(row.month)}</th><td>${modelNames[row.model]}${row.city ? `, ${row.city}` : ''}${row.outside?.length ? html` <span class="tag warn">outside</span>` : ''}</td>
${[
  `${count(row.n)}${row.withdrawn ? `, ${count(row.withdrawn)} withdrawn` : ''}`,
  textOr(row.mdape, percent),
  textOr(row.within10, percent),
  textOr(row.withinRange, percent),
  bandText(row.band?.withinRange, percent),
  textOr(row.medianRatio, two),
  bandText(row.band?.medianRatio, two),
  textOr(row.brier, (value) => value.toFixed(3)),
].map((text) => html`<td class="num">${text}</td>`)}</tr>`,
        )}</tbody></table></div>`

const two = (value: number): string => value.toFixed(2)

const textOr = (value: number | undefined, show: (value: number) => string): string =>
  value === undefined ? unknownMark : show(value)

const bandText = (band: { low: number; high: number } | undefined, show: (value: number) => string): string =>
  band ? `${show(band.low)}–${show(band.high)}` : unknownMark
