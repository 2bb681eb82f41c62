// The pages of a market and of a city: prices, sales, supply and permits over time, the best homes and leads.
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../common/errors.ts'
import type { SeriesDescription, SeriesMetric, SeriesPeriod } from '../../domain/findings/market-series.ts'
import { type City, cities, findCity, type Market, marketById, markets } from '../../domain/packs/markets.ts'
import type { Context } from '../../operations/context.ts'
import { findListings } from '../../operations/map-listings.ts'
import { marketSeries } from '../../operations/market-series.ts'
import { listBuilders } from '../../wire/operations/builders.ts'
import { listAduLeads, listRedevelopmentLeads } from '../../wire/operations/leads.ts'
import { getPermitTimelines } from '../../wire/operations/permit-timelines.ts'
import { searchAll } from '../../wire/operations/search.ts'
import { fewestPermits } from '../../wire/permit-timelines.ts'
import { lineChart } from '../charts/line-chart.ts'
import { cityLink, marketPath } from '../city-link.ts'
import {
  count,
  dateAndTime,
  month,
  percent,
  permitClassWords,
  plural,
  sqft,
  unknownMark,
  usd,
  usdShort,
} from '../formats.ts'
import { type Html, html } from '../html.ts'
import { placeAttributes } from '../map-panel.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import { signalList } from '../signal-list.ts'
import { contextOf, type Site } from '../site.ts'
import { leadList } from './lead-list.ts'
import { aduView, redevelopmentView } from './lead-rows.ts'

export const mountMarkets = (app: FastifyInstance, site: Site): void => {
  app.get('/markets', async (request, reply) =>
    sendPage(site, request, reply, await marketsPage(contextOf(site, request))),
  )
  app.get<{ Params: { market: string } }>('/markets/:market', async (request, reply) => {
    const { market } = request.params
    return sendPage(site, request, reply, await marketPage(contextOf(site, request), marketNamed(market)))
  })
  app.get<{ Params: { market: string; city: string } }>('/markets/:market/:city', async (request, reply) => {
    const { market: id, city: slug } = request.params
    const market = marketNamed(id)
    const city = findCity(slug, market.id)
    if (!city) throw notFound(`There is no city “${slug.slice(0, 60)}” in this market.`)
    return sendPage(site, request, reply, await marketPage(contextOf(site, request), market, city))
  })
}

const marketNamed = (id: string): Market => {
  const market = marketById(id)
  if (!market) throw notFound('There is no market with this name.')
  return market
}

/** Each section is empty where there is nothing to show. */
const sections: readonly ((place: {
  context: Context
  market: Market
  city: City | undefined
}) => Promise<Html | ''>)[] = [
  async ({ context, market, city }) => {
    const { listings } = await findListings(context, {
      ...criteriaOf(market, city),
      status: ['for_sale'],
      sort: ['-returnAtExpectedPct'],
      sureNewHouse: true,
      limit: 5,
    })
    return listings.length === 0
      ? valuedHomes(context, market, city)
      : html`<h2 id="homes">Homes for sale, highest return first</h2>${signalList(listings)}<p><a href="/explore?sort=-returnAtExpectedPct&amp;market=${market.id}${city ? html`&amp;city=${city.slug}` : ''}">All homes for sale, by return</a></p>`
  },
  ({ context, market, city }) => leadsSection(context, market, city),
  async ({ context, market, city }) => {
    const input = { ...criteriaOf(market, city), groupBy: ['permitClass' as const] }
    const { data } = await runOperation(getPermitTimelines, context, input)
    const known = data.filter(({ permitClass }) => permitClass !== 'other')
    const days = (value: number | undefined) => (value === undefined ? unknownMark : count(value))
    return known.every(({ toIssue, toFinal }) => toIssue?.p50 === undefined && toFinal?.p50 === undefined)
      ? ''
      : html`<h2 id="permit-times">Permit times</h2><p>Days from the application to the permit, and from the permit to the final inspection, with open permits counted. Half and nine of ten are done by then. A dash: fewer than ${fewestPermits} permits, or that share is not done yet; the pro forma of a new house then uses the market’s assumption.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Permit times"><table class="data"><thead><tr><th scope="col">Work</th><th scope="col" class="num">Permits</th><th scope="col" class="num">To permit, half</th><th scope="col" class="num">Nine of ten</th><th scope="col" class="num">To final, half</th><th scope="col" class="num">Nine of ten</th></tr></thead>
<tbody>${known.map(({ permitClass, n, toIssue, toFinal }) => html`<tr><th scope="row">${permitClass ? permitClassWords[permitClass] : unknownMark}</th><td class="num">${count(n)}</td><td class="num">${days(toIssue?.p50)}</td><td class="num">${days(toIssue?.p90)}</td><td class="num">${days(toFinal?.p50)}</td><td class="num">${days(toFinal?.p90)}</td></tr>`)}</tbody></table></div>`
  },
  async ({ context, market, city }) => {
    const { data } = await runOperation(listBuilders, context, { ...criteriaOf(market, city), limit: 5 })
    const active = data.filter(({ permits12m = 0 }) => permits12m > 0)
    return active.length === 0
      ? ''
      : html`<h2 id="builders">Active builders</h2><ul>${active.map(({ id, name, permits12m = 0 }) => html`<li><a href="/builders/${id}">${name}</a>: ${plural(permits12m, 'permit')} in 12 months</li>`)}</ul>
<p><a href="/builders?market=${market.id}${city ? html`&amp;city=${city.slug}` : ''}">All builders</a></p>`
  },
]

/** Homes with an estimated value, for a place without listings; those with the most room to build come first. */
export const valuedHomes = async (context: Context, market: Market, city?: City, limit = 5): Promise<Html | ''> => {
  const { data } = await runOperation(searchAll, context, {
    kind: 'parcels',
    criteria: { ...criteriaOf(market, city), minSqft: 1 },
    limit: valuedAmong,
  })
  const homes = data.filter(({ valueEstimate }) => valueEstimate).slice(0, limit)
  return homes.length === 0
    ? ''
    : html`<h2>Homes and their estimated value</h2><ol class="signals homes">${homes.map(
        ({ id = '', address = '', city: place = '', existingSqft, lotSize, yearBuilt, valueEstimate, lat, lng }) =>
          html`<li data-id="${id}"${placeAttributes({ lat, lng, label: usdShort(valueEstimate?.value), name: `${address}, worth ${usdShort(valueEstimate?.value)}`, level: 'middle' })}><span class="where"><a href="/properties/${encodeURIComponent(id)}"><b>${address}</b></a> <span>${cityLink(place)}</span></span>
<span class="what"><b class="num">${usdShort(valueEstimate?.value)}</b> <span class="tag">Not for sale</span></span>
<span class="why">${[existingSqft && sqft(existingSqft), lotSize && `lot ${sqft(lotSize)}`, yearBuilt && `built ${yearBuilt}`, `range ${usdShort(valueEstimate?.low)} to ${usdShort(valueEstimate?.high)}`].filter(Boolean).join(' · ')}</span></li>`,
      )}</ol>`
}

/** Some have no value. */
const valuedAmong = 25

/** The best leads of a place; empty where it has none. */
export const leadsSection = async (context: Context, market: Market, city?: City): Promise<Html | ''> => {
  const input = { ...criteriaOf(market, city), limit: 3 }
  const [units, underbuilt] = await Promise.all([
    runOperation(listAduLeads, context, input),
    runOperation(listRedevelopmentLeads, context, { ...input, class: 'underbuilt' }),
  ])
  const link = (path: string, words: string) =>
    html`<p><a href="${path}?market=${market.id}${city ? html`&amp;city=${city.slug}` : ''}">${words}</a></p>`
  if (units.data.length + underbuilt.data.length === 0) return ''
  return html`<h2 id="leads">Leads</h2>
${units.data.length === 0 ? '' : html`<h3>Lots for an accessory unit</h3>${leadList(units.data.map(aduView), 1)}${link('/leads/adu', 'All lots for an accessory unit')}`}
${underbuilt.data.length === 0 ? '' : html`<h3>Underbuilt homes</h3>${leadList(underbuilt.data.map(redevelopmentView), 1)}${link('/leads/redevelopment', 'All underbuilt homes')}`}`
}

const criteriaOf = (market: Market, city: City | undefined) => ({ market: market.id, city: city?.slug })

const marketsPage = async (context: Context) => {
  const sentences = await Promise.all(
    markets().map(async ({ id, name }) => {
      const { periods } = await marketSeries(context, { market: id }, 'quarter')
      return yearOverYear(name, periods).join(' ')
    }),
  )
  return {
    title: 'Markets',
    description: 'Prices, sales, supply, permits and builders of every market and city.',
    path: '/markets',
    body: html`<h1>Markets</h1><p class="lede">Prices, sales, permit times, builders, homes and leads of each market and city.</p>
${markets().map((market, at) => html`<section><h2><a href="${marketPath(market.id)}">${market.name}</a></h2>${sentences[at] ? html`<p>${sentences[at]}</p>` : ''}${cityList(market)}</section>`)}`,
  }
}

const marketPage = async (context: Context, market: Market, city?: City) => {
  const place = { market: market.id, ...(city ? { city, citySlug: city.slug } : {}) }
  const [{ periods, series }, ...parts] = await Promise.all([
    marketSeries(context, place, 'quarter'),
    ...sections.map((section) => section({ context, market, city })),
  ])
  const name = city?.name ?? market.name
  return {
    title: `${name}: prices, sales and permits`,
    description: `How home prices, sales, supply and building permits have moved in ${name}, by quarter.`,
    path: marketPath(market.id, city?.slug),
    body: html`<article class="market">${city && city.name !== market.name ? html`<p class="kicker"><a href="${marketPath(market.id)}">${market.name}</a></p>` : ''}
<h1>${name}</h1>
${periods.length === 0 ? html`<p class="empty">No figures are computed for this place yet. They need recorded sales, and appear after the next assessment of the market.</p>` : seriesSection(name, periods, series)}
${parts}
${city || !cityList(market) ? '' : html`<h2 id="cities">Cities</h2>${cityList(market)}`}
</article>`,
  }
}

const seriesSection = (name: string, periods: readonly SeriesPeriod[], series: SeriesDescription): Html => {
  const words = yearOverYear(name, periods)
  const oldestFirst = [...periods].reverse()
  const drawn = charts.flatMap((chart) => chartOf(chart, oldestFirst) ?? [])
  if (drawn.length === 0)
    return html`<p class="empty">Prices and sales are drawn once they are known for two whole quarters.</p>`
  return html`${words.length > 0 ? html`<p class="lede">${words.join(' ')}</p>` : ''}
<h2 id="prices">Prices, sales and permits by quarter</h2>
<div class="series">${drawn}</div>
<p class="note">${series.priceIndexBasis} Prices, ratios and days of fewer than 5 records are withheld, and figures from which they would follow. ${series.sample ? 'Generated sample data is among the records. ' : ''}${series.sources.length > 0 ? `Sources: ${series.sources.map(({ title }) => title).join(', ')}. ` : ''}Computed ${dateAndTime(series.computedAt)}. <a href="/playground?op=get_market_series"><code>GET /v1/market-series</code></a> returns the figures, also by month and for ZIP codes.</p>`
}

interface Chart {
  metric: SeriesMetric
  title: string
  show: (value: number) => string
  /** The axis begins at 0. */
  fromZero?: true
  /** Computed from that many sales, which the table shows. */
  ofSales?: true
}

const charts: readonly Chart[] = [
  {
    metric: 'priceIndex',
    title: 'Price index of the market, at constant quality',
    show: (value) => value.toFixed(1),
    ofSales: true,
  },
  { metric: 'medianSalePrice', title: 'Median sale price', show: usdShort, ofSales: true },
  { metric: 'medianPricePerSqft', title: 'Median price per sq ft', show: usd, ofSales: true },
  { metric: 'homesSold', title: 'Homes sold', show: count, fromZero: true },
  { metric: 'inventory', title: 'Homes on the market', show: count, fromZero: true },
  { metric: 'medianDaysOnMarket', title: 'Median days on market', show: count, fromZero: true, ofSales: true },
  { metric: 'soldAboveListPct', title: 'Sold above list price', show: percent, fromZero: true, ofSales: true },
  { metric: 'newHousePermits', title: 'New-house permits', show: count, fromZero: true },
  { metric: 'demolitions', title: 'Demolition permits', show: count, fromZero: true },
  { metric: 'aduPermits', title: 'ADU permits', show: count, fromZero: true },
]

/** A chart, with its figures in a table behind it. The period that has not ended is in the table only. */
const chartOf = ({ metric, title, show, fromZero, ofSales }: Chart, periods: readonly SeriesPeriod[]) => {
  const points = periods.flatMap(({ period, partial, [metric]: value }) =>
    value === undefined || partial ? [] : [{ on: period, value }],
  )
  if (points.length < 2) return undefined
  const values = points.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const from = fromZero ? 0 : least - (most - least) * 0.2
  const to = most + (most - least) * 0.1 || 1
  return html`<section><h3>${title}</h3>${lineChart(points, { label: title, from, to, show })}
<details><summary>Figures of “${title}”</summary><table class="data" aria-label="${title}"><thead><tr><th scope="col">Quarter</th><th scope="col" class="num">${title}</th>${ofSales ? html`<th scope="col" class="num">Sales</th>` : ''}</tr></thead>
<tbody>${[...periods]
    .reverse()
    .filter(({ withheld = [], [metric]: value }) => value !== undefined || withheld.includes(metric))
    .map(
      ({ period, n, partial, withheld = [], [metric]: value }) =>
        html`<tr><th scope="row">${quarter(period)}${partial ? ', in part' : ''}</th><td class="num">${value === undefined ? (withheld.includes(metric) ? 'withheld' : unknownMark) : show(value)}</td>${ofSales ? html`<td class="num">${count(n)}</td>` : ''}</tr>`,
    )}</tbody></table></details></section>`
}

const quarter = (first: string): string => {
  const last = `${first.slice(0, 5)}${String(Number(first.slice(5, 7)) + 2).padStart(2, '0')}`
  return `${month(first).slice(0, 3)}–${month(last)}`
}

/** Undefined for a market of one city, which has one page. */
const cityList = (market: Market): Html | undefined => {
  const cityRows = cities().filter((city) => city.market === market.id)
  return cityRows.length < 2
    ? undefined
    : html`<ul class="columns">${cityRows.map(({ name, slug }) => html`<li><a href="${marketPath(market.id, slug)}">${name}</a></li>`)}</ul>`
}

export const yearOverYear = (name: string, periods: readonly SeriesPeriod[]): string[] => {
  const now = periods.find(({ partial }) => !partial)
  const before = now && periods.find(({ period }) => period === yearBefore(now.period))
  if (!now || !before) return []
  const quarters = `the ${quarterWords(now.period)} quarter of ${now.period.slice(0, 4)}`
  const sentences = [
    changed('Prices at constant quality in the market', now.priceIndex, before.priceIndex),
    changed('The median sale price', now.medianSalePrice, before.medianSalePrice, usdShort),
    changed('The number of homes sold', now.homesSold, before.homesSold, count),
    now.medianDaysOnMarket !== undefined && before.medianDaysOnMarket !== undefined
      ? `Homes sold after a median of ${count(now.medianDaysOnMarket)} days on the market; a year earlier it was ${count(before.medianDaysOnMarket)}.`
      : undefined,
  ].filter((sentence) => sentence !== undefined)
  return sentences.length === 0
    ? []
    : [`${name}, ${quarters} compared with the same quarter a year earlier:`, ...sentences]
}

const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`

const quarterWords = (day: string): string =>
  ['first', 'second', 'third', 'fourth'][Math.floor((Number(day.slice(5, 7)) - 1) / 3)]!

/** Changes below half a percent are no change. */
const changed = (
  name: string,
  now: number | undefined,
  before: number | undefined,
  show?: (value: number) => string,
): string | undefined => {
  if (now === undefined || before === undefined || before === 0) return undefined
  const pct = 100 * (now / before - 1)
  if (Math.abs(pct) < 0.5) return `${name} ${show ? `stayed at about ${show(now)}` : 'hardly changed'}.`
  return `${name} ${pct > 0 ? 'rose' : 'fell'} by ${Math.abs(pct).toFixed(1)}%${show ? `, to ${show(now)}` : ''}.`
}
