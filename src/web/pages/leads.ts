// Lead pages: SB 9, accessory units, underbuilt homes and vacant lots, with filters, blockers in words, and a CSV of the page.
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../common/errors.ts'
import type { ListCriteria } from '../../criteria/vocabulary.ts'
import { leadKindTable, useKinds } from '../../domain/findings/laws.ts'
import { lotSplitStatuses } from '../../domain/findings/lot-split.ts'
import { cities, defaultMarket, findCity, marketOf, markets } from '../../domain/packs/markets.ts'
import type { Context } from '../../operations/context.ts'
import {
  defaultMinScore,
  listAduLeads,
  listLotSplits,
  listRedevelopmentLeads,
  listUseLeads,
} from '../../wire/operations/leads.ts'
import type { WatchKind } from '../../wire/watches.ts'
import { type PageNumbers, pageNumbersIn } from '../account/visit.ts'
import { cityField, cityIn } from '../city-field.ts'
import { criteriaParams, formField, readCriteria } from '../criteria-form.ts'
import { dateAndTime, plural } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { csvLink, downloadContext, sendCsv } from '../list-csv.ts'
import { mapPanel, type Overlay, viewSwitch } from '../map-panel.ts'
import { listActions } from '../page-actions.ts'
import { oneOf, pathWithQuery, type Query, queryOf, readerOf, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'
import { searchLinks } from '../watch-link.ts'
import { leadList } from './lead-list.ts'
import { aduView, type LeadView, lotSplitView, redevelopmentView, splitStatusWords, useView } from './lead-rows.ts'
import { numbersLine } from './numbers-line.ts'
import { assumptionsIn } from './scenario.ts'
import { offsetIn, pager, problemList } from './search-list.ts'

interface LeadFilter {
  /** The score of the list. */
  minScore?: number
  status?: (typeof statuses)[number]
  /** One of the list's orders. */
  sort?: string
  offset?: number
  limit?: number
  /** The visitor's set behind returns. */
  numbers?: PageNumbers
  criteria: ListCriteria<'parcels'> & ListCriteria<'lot_splits'>
}

interface LeadAnswer<Lead> {
  data: readonly Lead[]
  pagination: { total: number; totalCapped?: boolean }
  asOf: string
  /** Why the list does not exist in this market. */
  notApplicable?: string
  /** Set while the market is loaded and not assessed yet. */
  notAssessed?: string
}

type LeadList = LeadAnswer<LeadView>

interface LeadKind {
  slug: string
  title: string
  /** What the list contains and how it is ordered. */
  lede: string
  /** The filters in the form, in addition to market and city. */
  filters: readonly ('minScore' | 'status' | 'listingStatus' | 'minUnits' | 'excludeBlockers')[]
  /** The default order; "Highest score" if absent. */
  usual?: string
  /** Other orders, with their labels. */
  sorts: Readonly<Record<string, string>>
  /** Whose criteria the URL takes. */
  list: 'lot_splits' | 'parcels'
  /** Its returns follow the visitor's numbers. */
  usesNumbers?: true
  /** The layer of the map that shows all leads of the kind. */
  overlays?: readonly Overlay[]
  read(context: Context, filter: LeadFilter): Promise<LeadList>
  watch(filter: LeadFilter): [WatchKind, Parameters<typeof searchLinks>[1]]
}

/** What every list takes. */
type Asked = LeadFilter['criteria'] & { sort: string[] | undefined } & Record<'offset' | 'limit', number | undefined>

/** One page of an operation's leads as the pages show them. A filter that the list does not have is undefined. */
const reader =
  <Lead>(
    answerOf: (context: Context, asked: Asked, filter: LeadFilter) => Promise<LeadAnswer<Lead>>,
    viewOf: (lead: Lead) => LeadView,
  ): LeadKind['read'] =>
  async (context, filter) => {
    const { criteria, sort, offset, limit } = filter
    const asked = { ...criteria, sort: sort ? [sort] : undefined, offset, limit }
    const answer = await answerOf(context, asked, filter)
    return { ...answer, data: answer.data.map(viewOf) }
  }

const readRedevelopment = (kind: 'underbuilt' | 'vacant_lot', least?: number) =>
  reader(
    (context, asked, { minScore = least }) =>
      runOperation(listRedevelopmentLeads, context, { ...asked, class: kind, minScore }),
    redevelopmentView,
  )

/** By the low case, because the largest rooms are the largest errors. */
const byRoom = { '-room.low': 'Most room in the low case' }
const ofParcels = { filters: ['listingStatus', 'minScore', 'excludeBlockers'], sorts: byRoom, list: 'parcels' } as const

const kinds: readonly LeadKind[] = [
  {
    slug: 'sb9',
    title: 'SB 9 lots for sale',
    lede: 'Homes for sale on lots that SB 9 may let you split or build two units on.',
    filters: ['status', 'listingStatus', 'minUnits'],
    usual: 'Eligible first',
    sorts: byRoom,
    list: 'lot_splits',
    read: reader(
      (context, asked, { status }) => runOperation(listLotSplits, context, { ...asked, status: status && [status] }),
      lotSplitView,
    ),
    watch: ({ criteria: { listingStatus, ...criteria }, status }) => [
      'listings',
      {
        ...criteria,
        status: listingStatus ?? ['for_sale'],
        sb9Status: status === 'any' ? lotSplitStatuses : [status ?? ['eligible', 'likely']].flat(),
      },
    ],
  },
  {
    ...ofParcels,
    slug: 'adu',
    overlays: ['adu'],
    title: 'Lots for an accessory unit',
    lede: 'Parcels where an accessory dwelling unit fits, best lots first. The score rates the lot; cost and return of the best unit are beside it. Most are not for sale.',
    sorts: {
      '-adu.economics.gainUsd': 'Adds most beyond its cost',
      '-adu.economics.returnPct': 'Highest return',
      'adu.economics.paybackYears': 'Shortest payback',
      ...byRoom,
    },
    usesNumbers: true,
    read: reader((context, { sort, ...asked }, { minScore, numbers }) => {
      const set = assumptionsIn({}, numbers?.set?.values)
      return runOperation(listAduLeads, context, { ...asked, ...set, minScore, sort: sort && [...sort, '-aduScore'] })
    }, aduView),
    watch: ({ criteria, minScore = defaultMinScore }) => ['parcels', { ...unblocked(criteria), minAduScore: minScore }],
  },
  {
    ...ofParcels,
    slug: 'redevelopment',
    overlays: ['redevelopment'],
    title: 'Underbuilt homes',
    lede: 'Parcels whose house is much smaller than zoning allows, best first. Most are not for sale.',
    read: readRedevelopment('underbuilt'),
    watch: ({ criteria, minScore: minRedevelopmentScore = defaultMinScore }) => [
      'parcels',
      { ...unblocked(criteria), redevelopmentClass: ['teardown_candidate', 'expansion'], minRedevelopmentScore },
    ],
  },
  {
    ...ofParcels,
    slug: 'vacant-lots',
    title: 'Vacant lots',
    lede: 'Lots without a building, with the floor area that zoning allows, best first. Most are not for sale.',
    read: readRedevelopment('vacant_lot', 0),
    watch: ({ criteria, minScore: minRedevelopmentScore }) => [
      'parcels',
      { ...unblocked(criteria), redevelopmentClass: ['vacant_lot'], minRedevelopmentScore },
    ],
  },
  ...useKinds.map((use): LeadKind => {
    const { slug, title, lede } = leadKindTable[use].page
    return {
      ...{ ...ofParcels, slug, title, lede: `${lede} Most homes first; most lots are not for sale.` },
      filters: ['listingStatus'],
      usual: 'Most homes',
      read: reader((context, asked) => runOperation(listUseLeads, context, { ...asked, use }), useView),
      watch: ({ criteria }) => ['parcels', { ...unblocked(criteria), allows: use }],
    }
  }),
]

/** Of a watch, `excludeBlockers` is about lot splits. */
const unblocked = ({ excludeBlockers: _, ...criteria }: LeadFilter['criteria']) => criteria

export const leadPaths = ['/leads', ...kinds.map(({ slug }) => `/leads/${slug}`)]

export const mountLeads = (app: FastifyInstance, site: Site): void => {
  app.get('/leads', async (request, reply) => {
    const context = contextOf(site, request)
    // Only the counts are shown.
    const counted = (kind: LeadKind) =>
      Promise.all(
        markets().map(async ({ id, name }) => ({
          ...{ id, name },
          ...(await kind.read(context, { criteria: { market: id }, limit: 1 })),
        })),
      )
    const rows: Html[] = []
    // One kind after the other: a visit must not use all connections.
    for (const kind of kinds) rows.push(leadLinks(kind, await counted(kind)))
    return sendPage(site, request, reply, {
      title: 'Leads',
      description: 'Lots to split, lots for an accessory unit, underbuilt homes and vacant lots.',
      path: '/leads',
      body: html`<section><h1>Leads</h1><p class="lede">Parcels where more could be built, for sale or not.</p>
<dl class="method-list">${kinds.map(({ lede }, at) => html`<div><dt>${rows[at]}</dt><dd>${lede}</dd></div>`)}</dl></section>`,
    })
  })

  app.get<{ Params: { kind: string } }>('/leads/:kind', async (request, reply) => {
    const kind = kindOf(request.params.kind)
    const problems: HtmlValue[] = []
    const filter = filterOf(kind, queryOf(request), problems, await pageNumbersIn(site, request))
    const list = await kind.read(contextOf(site, request), filter)
    const { data: leads, pagination } = list
    const { total } = pagination
    const { offset = 0, criteria, minScore, status, sort } = filter
    const params = { ...criteriaParams(criteria), minScore, status, sort }
    const path = `/leads/${kind.slug}`
    return sendPage(site, request, reply, {
      title: kind.title,
      description: kind.lede,
      path,
      layout: 'wide',
      hasContentId: true,
      script: 'places',
      body: html`<nav class="tabs-nav" aria-label="Kinds of leads">${kinds.map((each) => html`<a href="/leads/${each.slug}"${each === kind ? html` aria-current="page"` : ''}>${each.title}</a>`)}</nav>
<section class="explore" data-explore><div class="panel">
<h1 id="content">${kind.title}</h1><p class="lede">${kind.lede} <a href="/docs/methods/sb9-adu-redevelopment">How it is computed</a></p>
${viewSwitch}
${filterForm(kind, filter)}
<div data-results>${problemList(problems)}
<p class="result-line">${total === 0 ? (list.notApplicable ?? list.notAssessed ?? noResults(filter)) : countWords(list)}${listActions(csvLink(`${path}.csv`, params, { offset, shown: leads.length, total }), searchLinks(...kind.watch(filter), { sort, numbers: filter.numbers ?? {} }))}</p>${kind.usesNumbers ? numbersLine({ numbers: filter.numbers ?? {}, scenario: {}, path, params, city: criteria.city }) : ''}
${leadList(leads, offset + 1)}
${pager(path, params, offset, leads.length, total, pagination.totalCapped)}
<p class="source">${lawsIn(leads)}Data updated ${dateAndTime(list.asOf)}. Not legal advice: confirm with the city before you rely on it.</p></div></div>
${mapPanel(site, { id: 'map', places: '[data-results]', box: boxOf(filter), city: criteria.city, overlays: kind.overlays })}</section>`,
    })
  })

  app.get<{ Params: { kind: string } }>('/leads/:kind.csv', async (request, reply) => {
    const kind = kindOf(request.params.kind)
    const context = await downloadContext(site, request, reply)
    const filter = filterOf(kind, queryOf(request), [], await pageNumbersIn(site, request))
    const { data, pagination } = await kind.read(context, filter)
    const part = { offset: filter.offset, total: pagination.total, capped: pagination.totalCapped }
    return sendCsv(reply, context, `${kind.slug}-leads`, csvColumns, data.map(csvRow), part)
  })
}

/** The title of a list, and how many leads each market has; without the markets to which its law does not apply. */
const leadLinks = ({ slug, title }: LeadKind, found: readonly (LeadList & { id: string; name: string })[]): Html => {
  const applying = found.filter(({ notApplicable }) => !notApplicable)
  const [first = found[0], ...others] = applying
  const path = (market = defaultMarket() as string) =>
    pathWithQuery(`/leads/${slug}`, market === defaultMarket() ? {} : { market })
  const words = (list: (typeof found)[number]) =>
    `${found.length > 1 ? `${list.name}: ` : ''}${list.notAssessed ? 'not assessed yet' : countWords(list)}`
  return html`<a href="${path(first?.id)}">${title}</a> <small>${first ? words(first) : ''}${others.map((each) => html` · <a href="${path(each.id)}">${words(each)}</a>`)}</small>`
}

/** The laws that the leads of the page follow from, with links. */
const lawsIn = (leads: readonly LeadView[]): readonly Html[] =>
  [...new Map(leads.flatMap(({ law }) => (law ? [[law.id, law] as const] : []))).values()].map(
    ({ title, asOf, url }) => html`Law: <a href="${url}">${title}</a>, as of ${asOf}. `,
  )

const kindOf = (kind: string): LeadKind => {
  const row = kinds.find(({ slug }) => slug === kind)
  if (!row) throw notFound(`There is no such list of leads. There are ${kinds.map(({ slug }) => slug).join(', ')}.`)
  return row
}

const statuses = [...lotSplitStatuses, 'any'] as const

const filterOf = (
  kind: LeadKind,
  query: Query,
  problems: HtmlValue[],
  numbersIn: Awaited<ReturnType<typeof pageNumbersIn>>,
): LeadFilter => {
  const has = (name: LeadKind['filters'][number]) => kind.filters.includes(name)
  const { read, number, choice } = readerOf(query, problems)
  // A city selects its market.
  const market =
    read('market', 'Market', 'must be a market of this service', marketOf(textIn(query, 'market') ?? '')) ??
    findCity(textIn(query, 'city', 80) ?? '')?.market
  const slug = cityIn(query, market ?? defaultMarket(), problems, `/leads/${kind.slug}`)
  return {
    criteria: {
      ...readCriteria(kind.list, query, problems, ['market', 'city']),
      ...(market && { market }),
      ...(slug && { city: slug }),
    },
    minScore: has('minScore') ? number('minScore', 'Min score', 0, 100) : undefined,
    status: has('status')
      ? read(
          'status',
          'Status',
          `must be any or one of ${lotSplitStatuses.join(', ')}`,
          oneOf(query, 'status', statuses),
        )
      : undefined,
    sort: choice('sort', 'Order', Object.keys(kind.sorts)),
    numbers: kind.usesNumbers ? numbersIn(market) : {},
    offset: offsetIn(query, problems),
  }
}

/** Where the map starts when no lead has a position. */
const boxOf = ({ criteria: { market = defaultMarket(), city } }: LeadFilter) =>
  cities().find(({ slug }) => slug === city)?.box ?? markets().find(({ id }) => id === market)?.box

const countWords = ({ pagination: { total, totalCapped } }: LeadList): string =>
  `${totalCapped ? 'More than ' : ''}${plural(total, 'lead')}`

const noResults = ({ criteria, minScore, status }: LeadFilter): string =>
  [...Object.values(criteria), minScore, status].some((value) => value !== undefined)
    ? 'No leads match. Try removing a filter.'
    : 'No leads. Either no parcels are loaded, or this kind does not apply in the market.'

const filterForm = (kind: LeadKind, filter: LeadFilter): Html => {
  const has = (name: LeadKind['filters'][number]) => kind.filters.includes(name)
  const { market = defaultMarket(), city: slug } = filter.criteria
  return html`<form class="filters explore-filters" method="get" action="/leads/${kind.slug}" role="search" aria-label="Leads">
${markets().length > 1 ? html`<label>Market<select name="market">${markets().map(({ id, name }) => html`<option value="${id}"${id === market ? html` selected` : ''}>${name}</option>`)}</select></label>` : ''}
${cityField(market, slug)}
${has('minScore') ? html`<label>Min score<input name="minScore" inputmode="numeric" value="${filter.minScore}" placeholder="${kind.slug === 'vacant-lots' ? 0 : defaultMinScore}"></label>` : ''}
${has('status') ? html`<label>Status<select name="status"><option value="">Eligible and possibly eligible</option>${statuses.map((status) => html`<option value="${status}"${status === filter.status ? html` selected` : ''}>${status === 'any' ? 'Any status' : splitStatusWords[status]}</option>`)}</select></label>` : ''}
${has('listingStatus') ? listingField(kind, filter) : ''}
<label>Order<select name="sort"><option value="">${kind.usual ?? 'Highest score'}</option>${Object.entries(kind.sorts).map(([value, label]) => html`<option value="${value}"${value === filter.sort ? html` selected` : ''}>${label}</option>`)}</select></label>
${(['minUnits', 'excludeBlockers'] as const).filter(has).map((name) => formField(kind.list, name, filter.criteria))}
<div class="filter-buttons"><button class="button">Search</button> <a href="/leads/${kind.slug}">Clear filters</a></div></form>`
}

/** Lots to split are listed while they are for sale; other leads for sale or not. */
const listingField = ({ list }: LeadKind, { criteria: { listingStatus = [] } }: LeadFilter): Html => {
  const choices = [
    ...(list === 'parcels' ? [['', 'For sale or not'] as const] : []),
    [list === 'parcels' ? 'for_sale' : '', 'For sale'] as const,
    ['onMarket', 'For sale or pending'] as const,
  ]
  return html`<label>Listing<select name="listingStatus">${choices.map(([value, words]) => html`<option value="${value}"${listingStatus.some((each) => each === value) ? html` selected` : ''}>${words}</option>`)}</select></label>`
}

const csvRow = ({ bestUse, ...lead }: LeadView) => ({
  ...lead,
  bestUse: bestUse?.scheme,
  worthUpTo: bestUse?.maximumOffer,
  room: bestUse?.room?.usd,
  roomLow: bestUse?.room?.low,
  percentile: lead.rank?.percentile,
  grade: lead.rank?.grade,
  blockers: lead.blockers.map(({ reason }) => reason).join(' '),
  notes: lead.untested.join(' '),
})

const csvColumns: readonly (keyof ReturnType<typeof csvRow> & string)[] = [
  'id',
  'address',
  'city',
  'listingStatus',
  'price',
  'lotSqft',
  'status',
  'score',
  'percentile',
  'grade',
  'potential',
  'money',
  'landValue',
  'blockers',
  'notes',
  'confidence',
  'bestUse',
  'worthUpTo',
  'room',
  'roomLow',
]
