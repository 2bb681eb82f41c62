// Up to six homes side by side, with everything that decides. The homes and the changed assumptions are in the URL, so that a
// comparison can be shared and needs no account: `months=24` is for all homes, `price.ID=2000000` for one.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { csvOf } from '../../common/csv.ts'
import { ApiError } from '../../common/errors.ts'
import { pick } from '../../common/typed.ts'
import { ownIn } from '../../criteria/own-assumptions.ts'
import { factTable } from '../../domain/fact-table.ts'
import { schemeTable } from '../../domain/findings/scheme-kinds.ts'
import { placeWords, type ScoreRank } from '../../domain/findings/score-rank.ts'
import { marketOfProperty } from '../../domain/property-id.ts'
import { type FieldPath, servedField } from '../../domain/served-fields.ts'
import type { Context } from '../../operations/context.ts'
import type { OwnFactUsed } from '../../wire/deals.ts'
import { lookUpAddress } from '../../wire/operations/lookup.ts'
import { getPropertyIntelligence } from '../../wire/operations/properties.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { deskContext, type PageNumbers, pageNumbersIn } from '../account/visit.ts'
import {
  capitalized,
  count,
  day,
  offerShort,
  percent,
  plural,
  sqft,
  statusWords,
  unknownMark,
  usd,
  usdShort,
} from '../formats.ts'
import { type Html, html } from '../html.ts'
import { pageActions } from '../page-actions.ts'
import { pathWithQuery, queryOf, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import type { Site } from '../site.ts'
import { type Deal, dealOf } from './deal.ts'
import { maxPicks, readExplore } from './explore-filter.ts'
import { marketOnly, numbersLine, numbersParam, shareChoice } from './numbers-line.ts'
import { ownFields } from './own-fields.ts'
import {
  assumptionsIn,
  isChanged,
  marketValues,
  readOwn,
  readScenario,
  type Scenario,
  scenarioParams,
} from './scenario.ts'
import { problemList } from './search-list.ts'

interface Home {
  data: PropertyDetail
  deal?: Deal
  /** Of this home alone. */
  changes: Scenario
  /** The visitor's corrections that it is computed with. */
  ownFacts?: readonly OwnFactUsed[]
}

type NumbersIn = Awaited<ReturnType<typeof pageNumbersIn>>
/** `shared` is for all homes. */
type Comparison = Awaited<ReturnType<typeof read>>

export const mountCompare = (app: FastifyInstance, site: Site): void => {
  app.get('/explore/compare', async (request, reply) => {
    const context = await deskContext(site, request)
    const comparison = await read(context, request, await pageNumbersIn(site, request))
    const { homes, problems } = comparison
    const numbered = numberedOf(comparison)
    if (homes.some(({ ownFacts }) => ownFacts)) reply.header('cache-control', 'private, no-store')
    const added = await addedHome(context, request, comparison)
    if (added.id !== undefined) return reply.redirect(urlOf(comparison, [...picksOf(homes), added.id]), 303)
    return sendPage(site, request, reply, {
      title: 'Compare homes',
      description: 'Homes side by side: maximum offer, value, what could be built, costs and return.',
      path: '/explore/compare',
      layout: 'wide',
      private: true,
      body: html`<section class="comparison"><h1>Compare homes</h1>
${homes.length > 0 ? pageActions(html`<a class="button quiet" href="${urlOf(comparison, picksOf(homes), '/explore/compare.csv')}" download>CSV</a>`, html``, shareChoice(numbered)) : ''}
${numbersLine(numbered)}
${problemList([...problems, ...added.problems])}
${homes.length > 0 ? table(comparison) : html`<p class="empty">Nothing is selected. On the <a href="/explore">Explore page</a>, check “Compare” on up to ${maxPicks} homes, or add one by its address.</p>`}
${addForm(comparison)}
${homes.some(({ changes }) => isChanged(changes)) ? html`<p class="note">You changed numbers of single homes. The URL of this page contains them.</p>` : ''}</section>`,
    })
  })

  // At most six homes, so it is limited as a page and not as a download.
  app.get('/explore/compare.csv', async (request, reply) => {
    const { homes } = await read(await deskContext(site, request), request, await pageNumbersIn(site, request))
    const columns = ['id', 'address', 'city', ...rows.map(({ column }) => column)]
    const lines = homes.map(
      (home): Record<string, unknown> => ({
        ...pick(home.data, 'id', 'address', 'city'),
        ...Object.fromEntries(rows.map(({ column, value }) => [column, value(home)])),
      }),
    )
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', 'attachment; filename="comparison.csv"')
      .send(csvOf(columns, lines))
  })
}

const picksOf = (homes: readonly Home[]): string[] => homes.map(({ data }) => data.id)

const read = async (context: Context, request: FastifyRequest, numbersIn: NumbersIn) => {
  const query = queryOf(request)
  const problems: string[] = []
  const shared = readOwn(query, problems)
  const homes = await Promise.all(
    readExplore(query).picks.map(async (id): Promise<Home | undefined> => {
      const changes = readScenario(query, problems, `.${id}`)
      const set = numbersIn(marketOfProperty(id)).set?.values
      try {
        const { data, ownFacts } = await runOperation(getPropertyIntelligence, context, {
          id,
          include: ['explanation', 'proforma'],
          ...assumptionsIn({ ...shared, ...changes }, set),
        })
        return {
          data,
          changes,
          ownFacts,
          deal: (await dealOf(context, data, { ...shared, ...changes }, set)).deal,
        }
      } catch (error) {
        // A home that no longer exists leaves the comparison; other errors are for the error page.
        if (error instanceof ApiError && error.status === 404) return undefined
        throw error
      }
    }),
  )
  const found = homes.filter((home) => home !== undefined)
  // A set for one market is used for the homes there.
  const numbers: PageNumbers =
    found.map(({ data }) => numbersIn(data.market)).find(({ set, instead }) => set ?? instead) ?? {}
  return { homes: found, shared, numbers, problems }
}

const numberedOf = (comparison: Comparison) => {
  const { homes, shared, numbers } = comparison
  const cities = [...new Set(homes.map(({ data }) => data.facts?.citySlug))]
  const params = Object.fromEntries(new URL(urlOf(comparison, picksOf(homes)), 'http://page').searchParams)
  return {
    ...{ numbers, scenario: shared, path: '/explore/compare', params: { ...params, numbers: undefined } },
    city: cities.length === 1 ? cities[0] : undefined,
  }
}

const urlOf = ({ homes, shared, numbers }: Comparison, picks: readonly string[], path = '/explore/compare'): string =>
  pathWithQuery(path, {
    pick: picks.length > 0 ? picks.join(',') : undefined,
    ...shared,
    ...numbersParam(numbers),
    ...Object.assign(
      {},
      ...homes
        .filter(({ data }) => picks.includes(data.id))
        .map(({ data, changes }) => scenarioParams(changes, data.id)),
    ),
  })

const addedHome = async (context: Context, request: FastifyRequest, comparison: Comparison) => {
  const asked = textIn(queryOf(request), 'add', 300)
  if (asked === undefined) return { problems: [] }
  if (comparison.homes.length >= maxPicks)
    return { problems: [`Remove a home first: at most ${maxPicks} can be compared.`] }
  const { data } = await runOperation(lookUpAddress, context, { address: asked })
  const [first] = data.candidates
  if (data.match === 'exact' && first) return { id: first.id, problems: [] }
  if (!first) return { problems: [`No property at “${asked}”.`] }
  const choices = data.candidates
    .slice(0, 5)
    .map(
      ({ id, address, city }, at) =>
        html`${at > 0 ? ', ' : ''}<a href="${urlOf(comparison, [...picksOf(comparison.homes), id])}">${address}, ${city}</a>`,
    )
  return { problems: [html`No property is at exactly “${asked}”. Add ${choices}?`] }
}

const numbersInput = ({ instead }: PageNumbers): Html =>
  instead ? html`<input type="hidden" name="numbers" value="${marketOnly}">` : html``

const hiddenInputs = ({ homes, shared, numbers }: Comparison): Html =>
  html`${numbersInput(numbers)}<input type="hidden" name="pick" value="${picksOf(homes).join()}">${[shared, ...homes.map(({ data, changes }) => scenarioParams(changes, data.id))].flatMap(Object.entries).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

const addForm = (comparison: Comparison): Html =>
  comparison.homes.length >= maxPicks
    ? html``
    : html`<form class="find-box" method="get" action="/explore/compare" data-find="fill">${hiddenInputs(comparison)}<label for="add-home">Add a home, for sale or not</label>
<div><input id="add-home" name="add" type="search" maxlength="300" placeholder="Street address, city"><button class="button">Add</button></div><ul data-suggestions hidden></ul></form>`

const table = (comparison: Comparison): Html => {
  const { homes, shared, numbers } = comparison
  const others = (id: string) => picksOf(homes).filter((each) => each !== id)
  return html`<form method="get" action="/explore/compare">${numbersInput(numbers)}<input type="hidden" name="pick" value="${picksOf(homes).join()}">
${homes.flatMap(({ data, changes: { price: _, ...rest } }) => Object.entries(scenarioParams(rest, data.id)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`))}
<div class="scroll" tabindex="0" role="region" aria-label="Comparison"><table class="data compare">
<thead><tr><th scope="col"><span class="visually-hidden">Fact</span></th>${homes.map(
    ({ data: { id, address, city }, changes, ownFacts }) =>
      html`<th scope="col"><a href="${pathWithQuery(`/properties/${encodeURIComponent(id)}`, { ...shared, ...changes, ...numbersParam(numbers) })}">${address}</a><small>${city}</small>${ownFacts ? html`<small>Your ${ownFacts.map(({ fact }) => factTable[fact].label).join(', ')}</small>` : ''}<a class="remove" href="${urlOf(comparison, others(id))}">Remove<span class="visually-hidden"> ${address}</span></a></th>`,
  )}</tr></thead>
<tbody><tr class="own-prices"><th scope="row">Your price, $</th>${homes.map(({ data: { id, address }, changes, deal }) => html`<td><input name="price.${id}" inputmode="decimal" aria-label="Purchase price of ${address}" value="${changes.price?.toLocaleString('en-US')}" placeholder="${deal ? count(deal.price) : 'Enter a price'}"></td>`)}</tr>
<tr><th scope="row">In short</th>${homes.map(({ data, changes }) => html`<td>${changes.price === undefined ? data.decision?.text : unknownMark}</td>`)}</tr>
${rows.map((row) => html`<tr><th scope="row">${row.name}</th>${homes.map((home) => cell(row.value(home), row))}</tr>`)}</tbody></table></div>
<fieldset class="shared-assumptions"><legend>Assumptions for all homes: a number replaces the value of every city</legend>${ownFields(
    shared,
    homes.flatMap(({ data: { market, facts } }) =>
      market === undefined
        ? []
        : [{ ...marketValues(market, facts?.citySlug), ...ownIn(numbers.set?.values ?? {}, facts?.citySlug ?? '') }],
    ),
  )}<button class="button">Compute</button></fieldset></form>`
}

const cell = (value: Value, { show = String, showText = String }: Row): Html => {
  const text = value === undefined ? unknownMark : typeof value === 'number' ? show(value) : showText(value)
  return html`<td class="${text.startsWith('−') ? 'down' : ''}">${text}</td>`
}

type Value = string | number | undefined
interface Row {
  name: string
  /** In the CSV. */
  column: string
  value(home: Home): Value
  /** On the page; the CSV has the value itself. */
  show?(value: number): string
  showText?(value: string): string
}

const percentText = (value: number): string => percent(value)
const wholePercent = (value: number): string => `${value}%`

/** At the price of the pro forma, if there is one. */
const holdOf = ({ data, deal }: Home) => (deal ?? data).hold

/** A served field under its own heading, in its own unit. */
const served = (column: FieldPath, value: Row['value'], name?: string): Row => {
  const { unit, head = column } = servedField(column)
  const show = shownIn[unit ?? '']
  return { name: name ?? capitalized(head), column, value, ...(show && { show }) }
}
const shownIn: Readonly<Record<string, (value: number) => string>> = {
  dollars: usd,
  percent: percentText,
  'square feet': sqft,
}
/** A value that only this table has. */
const row = (column: string, name: string, value: Row['value'], show?: Row['show']): Row => ({
  name,
  column,
  value,
  ...(show && { show }),
})

const rows: readonly Row[] = [
  row(
    'bestUse',
    'Best or nearest use',
    ({ data: { bestUse } }) => bestUse?.scheme && capitalized(schemeTable[bestUse.scheme].noun),
  ),
  row('bestUseOffer', 'That use, worth up to', ({ data }) => data.bestUse?.maximumOffer, usd),
  served('price', ({ deal }) => deal?.price, 'Price in the pro forma'),
  row('maximumOffer', 'New house, maximum offer', ({ deal }) => deal && (deal.maximumOffer.price ?? 'none'), usd),
  row('targetReturnPct', 'For a return of', ({ deal }) => deal?.maximumOffer.targetRoiPct, wholePercent),
  row(
    'maximumOfferLow',
    'New house, offer in the low case',
    ({ deal }) => deal && (deal.cases.low.maximumOffer ?? 'none'),
    offerShort,
  ),
  row('maximumOfferHigh', 'New house, offer in the high case', ({ deal }) => deal?.cases.high.maximumOffer, offerShort),
  served('returnPct', ({ deal }) => deal?.returnPct, 'New house, return'),
  row('returnPctLow', 'New house, return in the low case', ({ deal }) => deal?.cases.low.returnPct, percentText),
  row('returnPctHigh', 'New house, return in the high case', ({ deal }) => deal?.cases.high.returnPct, percentText),
  served('confidence', ({ deal }) => deal?.proforma.confidence, 'Confidence in the inputs'),
  served('profit', ({ deal }) => deal?.profit, 'New house, profit'),
  served('totalCost', ({ deal }) => deal?.totalCost, 'New house, total cost'),
  row('resale', 'New house, resale', ({ deal }) => deal?.lines.find(({ name }) => name === 'resaleGross')?.usd, usd),
  served('buildSqft', ({ deal }) => deal?.proforma.buildSqft, 'New house, size'),
  row(
    'allowedSqft',
    'Allowed by zoning',
    ({ data, deal }) => deal?.envelope.maxSqft ?? data.explanation?.envelope?.maxSqft,
    sqft,
  ),
  row('lotSplit', 'Lot split', ({ data: { explanation } }) => explanation?.sb9 && splitWords(explanation.sb9)),
  row(
    'accessoryUnits',
    'Accessory units',
    ({ data: { explanation } }) => explanation?.adu && aduWords(explanation.adu),
  ),
  row('aduCostUsd', 'Best unit, cost', ({ data }) => data.adu?.economics?.costUsd, usd),
  row('aduValueAdded', 'Best unit, value added', ({ data }) => data.adu?.economics?.valueAdded, usd),
  row('aduReturnPct', 'Best unit, return', ({ data }) => data.adu?.economics?.returnPct, percentText),
  row('monthlyRent', 'Rent a month', ({ data }) => data.monthlyRent?.amount, usd),
  served('capRatePct', (home) => holdOf(home)?.capRatePct),
  served('cashOnCashPct', (home) => holdOf(home)?.cashOnCashPct),
  row('askingPrice', 'Asking price', ({ data: { status, price } }) => (status ? price : undefined), usd),
  row('expectedPrice', 'Expected price', ({ data }) => data.intelligence.expectedPrice?.p50, usd),
  // At a visitor's own price nothing else is expected.
  served(
    'returnAtExpectedPct',
    ({ deal }) => (deal?.proforma.expectedPrice ? deal.proforma.returnAtExpectedPct : undefined),
    'New house, return at the expected price',
  ),
  row('value', 'Estimated value', ({ data }) => data.intelligence.valueEstimate?.value, usd),
  row('valueLow', 'Value, low', ({ data }) => data.intelligence.valueEstimate?.low, usdShort),
  row('valueHigh', 'Value, high', ({ data }) => data.intelligence.valueEstimate?.high, usdShort),
  served('status', ({ data: { status } }) => (status ? statusWords[status] : 'Not for sale')),
  { name: 'Listed', column: 'listed', value: ({ data: { facts } }) => facts?.listedOn, showText: day },
  served('beds', ({ data: { facts } }) => facts?.beds, 'Bedrooms'),
  served('baths', ({ data: { facts } }) => facts?.baths),
  served('sqft', ({ data: { facts } }) => facts?.livingSqft, 'Living area'),
  served('lotSize', ({ data: { facts } }) => facts?.lotSqft),
  served('yearBuilt', ({ data: { facts } }) => facts?.yearBuilt),
  served('zoning', ({ data: { facts } }) => facts?.zoning),
  row('teardownGrade', 'Teardown rank', ({ data: { intelligence } }) => placeOf(intelligence.ranks?.teardownScore)),
  row('flipGrade', 'Flip rank', ({ data: { intelligence } }) => placeOf(intelligence.ranks?.flippabilityScore)),
]

const splitWords = ({
  sb9Status,
  maxUnits,
  lotSplit,
}: NonNullable<NonNullable<PropertyDetail['explanation']>['sb9']>): string | undefined => {
  if (sb9Status === 'blocked') return 'not possible'
  if (sb9Status === 'unknown_zone') return 'not known for this zoning district'
  const what = lotSplit.eligible ? `${plural(maxUnits, 'home')} on two lots` : `${plural(maxUnits, 'home')} on one lot`
  return sb9Status === 'eligible' ? what : `${what}, if the rules that could not be tested allow it`
}

const placeOf = (rank: ScoreRank | undefined): string | undefined => rank && placeWords(rank)

const aduWords = ({ maxUnits = 0, units }: NonNullable<NonNullable<PropertyDetail['explanation']>['adu']>): string =>
  units.length === 0
    ? 'none fits'
    : `${plural(maxUnits, 'unit')}, the largest ${sqft(Math.max(...units.map((unit) => unit.sqft)))}`
