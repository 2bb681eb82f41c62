// My numbers: assumption sets made, edited, copied and chosen in the browser. The chosen one applies to the pages of its owner.
import { ApiError, badRequest, notFound } from '../../common/errors.ts'
import { type OwnName, ownNames, readStoredNumbers } from '../../criteria/own-assumptions.ts'
import { cities, marketById, markets } from '../../domain/packs/markets.ts'
import { chooseSet, myNumbers, type OwnedSet } from '../../operations/account/my-numbers.ts'
import type { Context } from '../../operations/context.ts'
import {
  createAssumptionSet,
  deleteAssumptionSet,
  getAssumptionSet,
  listAssumptionSets,
  updateAssumptionSet,
} from '../../wire/operations/assumptions.ts'
import { mostAssumptionSets } from '../../wire/plans.ts'
import { day, plural } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { ownFields } from '../pages/own-fields.ts'
import { changedText, marketValues, readOwn } from '../pages/scenario.ts'
import { problemList } from '../pages/search-list.ts'
import { pathWithQuery, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { type AccountPage, type Outcome, ownKey, type Visit } from './account-page.ts'
import { byId, listPage } from './list-page.ts'

const path = '/account/assumption-sets'

const list = listPage({
  path: 'assumption-sets',
  title: 'My numbers',
  about: html`Your own costs, financing and targets. The set that you use applies to your pages, comparisons and prints in place of the market’s numbers; watches and exports can use it too. Scores and ranks stay those of the market.`,
  empty: html`No set yet: your pages use the numbers of the market.`,
  items: async (context) => (await runOperation(listAssumptionSets, context, {})).data,
  columns: [
    { title: 'Name', cell: ({ name, id }) => html`<a href="${pathWithQuery(path, { set: id })}">${name}</a>` },
    {
      title: 'Numbers',
      cell: ({ values, byCity = {} }) =>
        [
          changedText(readStoredNumbers(values)),
          ...Object.entries(byCity).map(([slug, each]) => `${cityName(slug)}: ${changedText(readStoredNumbers(each))}`),
        ]
          .filter(Boolean)
          .join('. ') || 'as the market',
    },
    { title: 'Market', cell: ({ market }) => (market === undefined ? 'all' : (marketById(market)?.name ?? market)) },
    { title: 'Changed', cell: ({ updatedAt }) => day(updatedAt) },
  ],
  actions: {
    copy: {
      label: 'Copy',
      run: async (context, id) => {
        const { name, market, values, byCity } = (await runOperation(getAssumptionSet, context, { id })).data
        return runOperation(createAssumptionSet, context, {
          ...{ name: `${name.slice(0, 73)} (copy)`, values: { ...values } },
          ...(market === undefined ? {} : { market }),
          ...(byCity === undefined ? {} : { byCity }),
        }).catch(withPlans)
      },
    },
    delete: {
      label: 'Delete',
      warning: 'Your pages return to the numbers of the market. A set that a watch uses cannot be deleted.',
      run: byId(deleteAssumptionSet),
    },
  },
})

const cityName = (slug: string): string => cities().find((city) => city.slug === slug)?.name ?? slug

/** The message of the operation names calls of the API. */
const withPlans = (error: unknown): never => {
  throw error instanceof ApiError && error.message.includes('may have')
    ? badRequest('Your plan has no room for another set. Change or delete one, or see the plans at /plans.')
    : error
}

/** What a form has, typed or stored. `id` is '' for a new set, `city` '' for the numbers of all cities. */
interface Draft {
  id: string
  city: string
  name: string
  market: string
  typed: Partial<Record<OwnName, string | number>>
  use: boolean
}

export const assumptionSetsPage: AccountPage = {
  ...list,
  show: async (visit) => {
    const { query, user } = visit
    const id = textIn(query, 'set')
    const { sets, used } = await myNumbers(visit.context, user)
    if (id !== undefined) {
      const set = sets.find((each) => each.id === id)
      if (!set) throw notFound('Your account has no such set.')
      return formOf(visit, draftOf(set, textIn(query, 'city') ?? '', used === undefined || used.id === id))
    }
    if (query.new !== undefined) return formOf(visit, newDraft(visit))
    const room = user.chosen && mostAssumptionSets[user.chosen.plan] - sets.length
    return html`${await list.show(visit)}${sets.length > 0 ? html`<form class="inline-form" method="post" action="${path}/use">${visit.token}<label for="used-set">On my pages use</label><div class="row"><select id="used-set" name="item"><option value="">Market numbers</option>${sets.map((set) => html`<option value="${set.id}"${set.inUse ? html` selected` : ''}>${set.name}</option>`)}</select><button class="button">Use</button></div></form>` : ''}
<p>${room === undefined ? '' : room > 0 ? html`<a class="button" href="${path}?new=1">New set</a>` : html`Your plan has ${plural(sets.length, 'set')}. <a href="/plans">Plans</a>`}</p>`
  },
  actions: {
    ...list.actions,
    use: async (visit, field) => {
      const id = field('item')
      if (!(await chooseSet(visit.context, visit.user, id === '' ? null : id)))
        throw notFound('Your account has no such set.')
      return { open: pageBack(field('back', 4_000)) ?? path }
    },
    save: async (visit, field): Promise<Outcome> => {
      const typed = Object.fromEntries(ownNames.flatMap((name) => (field(name) === '' ? [] : [[name, field(name)]])))
      const draft: Draft = {
        ...{ id: field('item'), city: field('city'), name: field('name', 80), market: field('market') },
        ...{ typed, use: field('use') !== '' },
      }
      const problems: string[] = []
      const values = readOwn(typed, problems)
      if (problems.length === 0)
        try {
          const id = await saved(visit, draft, values)
          if (draft.use) await chooseSet(visit.context, visit.user, id)
          return draft.city === '' ? undefined : { open: pathWithQuery(path, { set: id }) }
        } catch (error) {
          if (!(error instanceof ApiError) || ![400, 403, 429].includes(error.status)) throw error
          problems.push(error.message)
        }
      const title = 'My numbers'
      return { title, status: 400, body: html`${problemList(problems)}${await formOf(visit, draft)}` }
    },
  },
}

/** Creates or changes the set; with a city, only its numbers there. */
const saved = async (visit: Visit, draft: Draft, values: Record<string, number>): Promise<string> => {
  const { id, city, name, market } = draft
  const place = market === '' ? {} : { market }
  if (id === '') {
    if (!visit.user.chosen) throw badRequest('Your account has no plan. Create a free key first.')
    const context = visit.as(visit.user.chosen)
    return (await runOperation(createAssumptionSet, context, { name, values, ...place }).catch(withPlans)).data.id
  }
  const set = (await myNumbers(visit.context, visit.user)).sets.find((each) => each.id === id)
  if (!set) throw notFound('Your account has no such set.')
  const context: Context = visit.as(ownKey(visit, set.keyId))
  const byCity = { ...set.byCity, ...(city === '' ? {} : { [city]: values }) }
  const cities = Object.fromEntries(Object.entries(byCity).filter(([, each]) => Object.keys(each).length > 0))
  await runOperation(updateAssumptionSet, context, {
    ...(city === ''
      ? { id, name, values, ...place }
      : { id, name: set.name, values: { ...set.values }, ...(set.market === null ? {} : { market: set.market }) }),
    ...(Object.keys(cities).length > 0 ? { byCity: cities } : {}),
  })
  return id
}

const draftOf = ({ id, name, market, values, byCity }: OwnedSet, city: string, use: boolean): Draft => ({
  ...{ id, city, name, market: market ?? '', use },
  typed: readStoredNumbers(city === '' ? values : (byCity?.[city] ?? {})),
})

/** With the numbers of the page that it came from. */
const newDraft = ({ query }: Visit): Draft => ({
  ...{ id: '', city: '', name: 'My numbers', market: '', use: true },
  typed: readOwn(query, []),
})

const formOf = async (visit: Visit, { id, city, name, market, typed, use }: Draft): Promise<Html> => {
  const inMarket = cities().filter((each) => market === '' || each.market === market)
  const usual =
    city === ''
      ? inMarket.map((each) => marketValues(each.market, each.slug))
      : inMarket.filter(({ slug }) => slug === city).map((each) => marketValues(each.market, each.slug))
  return html`<p><a href="${path}">All my numbers</a></p>
<form class="numbers-form" method="post" action="${path}/save">${visit.token}<input type="hidden" name="item" value="${id}"><input type="hidden" name="city" value="${city}">
${
  city === ''
    ? html`<div class="filters"><label>Name<input name="name" required maxlength="80" value="${name}"></label>
<label>Market<select name="market"><option value="">All markets</option>${markets().map((each) => html`<option value="${each.id}"${each.id === market ? html` selected` : ''}>${each.name}</option>`)}</select></label></div>`
    : html`<h2>${name} in ${cityName(city)}</h2>`
}
<p class="note">${city === '' ? 'Leave a field empty to keep the number of the market, which it shows in gray.' : 'These replace your other numbers in this city. Leave a field empty to keep them.'} <a href="/docs/methods/proforma">What each number means</a></p>
<div class="filters">${ownFields(typed, usual)}</div>
${city === '' ? html`<p><label class="check"><input type="checkbox" name="use" value="1"${use ? html` checked` : ''}> Use these numbers on my pages</label></p>` : ''}
<p><button class="button">Save</button> <a href="${path}">Cancel</a></p></form>
${
  id === '' || city !== ''
    ? ''
    : html`<h2>Other numbers in one city</h2><form class="inline-form" method="get" action="${path}"><input type="hidden" name="set" value="${id}"><label for="numbers-city">City</label><div class="row"><select id="numbers-city" name="city">${inMarket.map((each) => html`<option value="${each.slug}">${each.name}</option>`)}</select><button class="button quiet">Edit</button></div></form>`
}`
}

/** The page that the switch in the header was used on: nothing that a browser could read as another host. */
const pageBack = (url: string): string | undefined => {
  if (!/^\/(?![/\\])[!-~]*$/.test(url)) return undefined
  const { pathname, searchParams } = new URL(url, 'http://page')
  searchParams.delete('numbers')
  return `${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`
}
