// Deals: saved homes by stage, with the decision today, what changed since they were saved, and the owner's numbers, facts and notes.

import { badRequest } from '../../common/errors.ts'
import { isRecord, parsedJson } from '../../common/typed.ts'
import type { OwnValues } from '../../criteria/own-assumptions.ts'
import { factTable } from '../../domain/fact-table.ts'
import { schemeKinds, schemeTable } from '../../domain/findings/scheme-kinds.ts'
import type { AccountKey } from '../../operations/account/signed-in.ts'
import type { Context } from '../../operations/context.ts'
import { everyDeal, type ServedDeal } from '../../operations/deals.ts'
import { todayMail } from '../../operations/today.ts'
import { everyWatch } from '../../operations/watches.ts'
import { type DealStage, dealStages, ownFactNames } from '../../wire/deals.ts'
import { createDeal, getDeal, priceLimits, updateDeal } from '../../wire/operations/deals.ts'
import { createWatch, deleteWatch, getWatch, updateWatch } from '../../wire/operations/watches.ts'
import { capitalized, day, statusWords, usd } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { changedText, type Scenario } from '../pages/scenario.ts'
import { dollarsFrom, pathWithQuery, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { type AccountPage, keyName, ownKey, type Visit } from './account-page.ts'

export const stageWords: Readonly<Record<DealStage, string>> = {
  looking: 'Looking',
  offered: 'Offered',
  under_contract: 'Under contract',
  building: 'Building',
  sold: 'Sold',
  dropped: 'Dropped',
}

export const isSaved = async (context: Context, id: string): Promise<boolean> =>
  (await everyWatch(context)).some(({ savedHome, criteria }) => savedHome && criteria.id?.[0] === id)

interface Row {
  key: AccountKey
  deal?: ServedDeal
  watchId: string
  name: string
  propertyId: string
  note?: string | undefined
  savedAt: string
}

/** Of every key of the visitor. A saved home whose deal was deleted has none. */
const rowsOf = async (visit: Visit): Promise<Row[]> => {
  const rows: Row[] = []
  for (const key of visit.user.keys) {
    const context = visit.as(key)
    const [deals, watches] = await Promise.all([everyDeal(context), everyWatch(context)])
    for (const watch of watches) {
      const deal = deals.find(({ watchId }) => watchId === watch.id)
      const propertyId = watch.criteria.id?.[0]
      if (propertyId === undefined || !(deal || watch.savedHome)) continue
      const { id: watchId, name, note, createdAt: savedAt } = watch
      rows.push({ key, watchId, name, propertyId, note, savedAt, ...(deal ? { deal } : {}) })
    }
  }
  return rows
}

const homeUrl = ({ propertyId, deal }: Row): string =>
  pathWithQuery(`/properties/${encodeURIComponent(propertyId)}`, { price: deal?.price, ...deal?.assumptions })

const table = (visit: Visit, rows: readonly Row[]): Html => {
  const stageOf = ({ deal }: Row) => deal?.stage ?? 'looking'
  const groups = dealStages
    .map((stage) => ({ stage, own: rows.filter((row) => stageOf(row) === stage) }))
    .filter(({ own }) => own.length > 0)
  return html`<form id="compare-deals" method="get" action="/explore/compare"></form>
<table class="data cards account-table deals" aria-label="Deals"><thead><tr><th scope="col">Home</th><th scope="col">Today, at market numbers</th><th scope="col">Since you saved it</th><th scope="col">Your plan</th><th scope="col">Note</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
${groups.map(({ stage, own }) => html`<tbody><tr class="stage"><th colspan="6" scope="rowgroup">${stageWords[stage]} <span class="num">${own.length}</span></th></tr>${own.map((row) => tableRow(visit, row))}</tbody>`)}</table>
<p><button class="button" form="compare-deals">Compare the selected homes</button> <span class="note">Up to six.</span></p>`
}

const tableRow = (visit: Visit, row: Row): Html => {
  const { deal, key, watchId, name, propertyId, note } = row
  const now = deal?.now
  const changes = now?.changedSince ?? []
  const fields = html`${visit.token}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="item" value="${watchId}">`
  return html`<tr><th scope="row"><label class="pick"><input type="checkbox" form="compare-deals" name="pick" value="${propertyId}" aria-label="Compare ${name}"> <a href="${homeUrl(row)}">${name}</a></label></th>
<td data-name="Today, at market numbers">${now?.decision ? html`${now.decision.text} ` : ''}<span class="note">${now?.status ? html`${usd(now.price)}, ${statusWords[now.status].toLowerCase()}` : deal?.address ? 'Not for sale' : 'No longer in the data'}</span></td>
<td data-name="Since you saved it">${changes.length > 0 ? html`<ul class="plain">${changes.map(({ text }) => html`<li>${text}</li>`)}</ul>` : html`<span class="note">No change since ${day(row.savedAt)}</span>`}</td>
<td data-name="Your plan">${planText(deal)}</td>
<td data-name="Note"><details><summary>${note ? note : 'Add a note'}<span class="visually-hidden"> about ${name}</span></summary><form class="note-form" method="post" action="/account/saved/note">${fields}<label class="visually-hidden" for="note-${watchId}">Note</label><textarea id="note-${watchId}" name="note" maxlength="2000" rows="2">${note}</textarea><button class="button quiet">Save note</button></form></details></td>
<td class="actions">${deal ? html`<a class="button quiet" href="${pathWithQuery('/account/saved', { deal: deal.id, key: key.id })}">Edit<span class="visually-hidden"> ${name}</span></a>` : ''}
<a href="${pathWithQuery('/account/watches', { kind: 'parcels', criteria: JSON.stringify({ id: [propertyId] }), name })}">Watch<span class="visually-hidden"> ${name}</span></a>
<form method="post" action="/account/saved/delete">${fields}<button class="button quiet">Remove<span class="visually-hidden"> ${name}</span></button></form>${visit.user.keys.length > 1 ? html`<code>${keyName(key)}</code>` : ''}</td></tr>`
}

const planText = (deal: ServedDeal | undefined): Html => {
  const { scheme, price, assumptions, facts } = deal ?? {}
  const parts = [
    scheme && schemeTable[scheme].title,
    price !== undefined && `at ${usd(price)}`,
    assumptions && `with ${changedText(assumptions as Scenario)}`,
    facts && `your facts: ${factsText(facts)}`,
  ].filter(Boolean)
  return parts.length > 0 ? html`${capitalized(parts.join(', '))}` : html`<span class="note">–</span>`
}

export const factsText = (facts: NonNullable<ServedDeal['facts']>): string =>
  ownFactNames
    .flatMap((name) => (facts[name] === undefined ? [] : [`${factTable[name].label} ${valueText(name, facts[name])}`]))
    .join(', ')

export const valueText = (name: (typeof ownFactNames)[number], value: number): string =>
  name === 'yearBuilt' ? String(value) : value.toLocaleString('en-US')

const list = async (visit: Visit): Promise<Html> => {
  const rows = await rowsOf(visit)
  return html`<p class="lede">Homes you may buy, by stage. Open a home and choose “Save”. <a href="/today">What changed today</a></p>
${rows.length > 0 ? table(visit, rows) : html`<p class="empty">No home is saved. Find one in <a href="/explore">Explore</a>, or by its address in the box above.</p>`}`
}

const select = (name: string, label: string, options: readonly (readonly [string, string])[], chosen = ''): Html =>
  html`<label>${label}<select name="${name}">${options.map(([value, words]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words}</option>`)}</select></label>`

const editForm = async (visit: Visit, key: AccountKey, id: string): Promise<Html> => {
  const { data } = await runOperation(getDeal, visit.as(key), { id })
  const { decision, changedSince } = data.now
  const home = data.address ? `${data.address}, ${data.city}` : data.propertyId
  return html`<p class="lede"><a href="${homeUrl({ ...data, key, name: home, savedAt: data.createdAt, deal: data })}">${home}</a></p>
${decision ? html`<p>${decision.text}</p>` : ''}${changedSince.length > 0 ? html`<ul>${changedSince.map(({ text }) => html`<li>${text}</li>`)}</ul>` : ''}
<form class="watch-form deal-form" method="post" action="/account/saved/change">${visit.token}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="item" value="${id}">
${select(
  'stage',
  'Stage',
  dealStages.map((stage) => [stage, stageWords[stage]] as const),
  data.stage,
)}
${select('scheme', 'Plan', [['', 'Not decided'], ...schemeKinds.map((kind) => [kind, capitalized(schemeTable[kind].title)] as const)], data.scheme)}
<label>Your price, $<input name="price" inputmode="decimal" value="${data.price?.toLocaleString('en-US')}"></label>
${data.assumptions ? html`<p><label><input type="checkbox" name="numbers" value="keep" checked> Keep your numbers: ${changedText(data.assumptions as Scenario)}</label></p>` : ''}
<label>Note<textarea name="note" maxlength="2000" rows="3">${data.note}</textarea></label>
<fieldset><legend>Your facts of the home</legend><p class="note">They replace the recorded facts on your pages of this home. Nobody else sees them. Leave a field empty to use the recorded fact.</p><div class="fact-fields">
${ownFactNames.map((name) => html`<label>${capitalized(factTable[name].label)}${factTable[name].unit ? `, ${factTable[name].unit}` : ''}<input name="${name}" inputmode="decimal" value="${data.facts?.[name]}"></label>`)}</div></fieldset>
<p><button class="button">Save</button> <a href="/account/saved">Cancel</a></p></form>`
}

const numberField = (name: string, text: string): number | undefined => {
  if (text.trim() === '') return undefined
  const value = name === 'price' ? dollarsFrom(text) : Number(text.replaceAll(',', ''))
  if (value === undefined || Number.isNaN(value))
    throw badRequest(`${capitalized(name === 'price' ? 'your price' : name)} must be a number; it is “${text}”.`)
  const { minimum, maximum } = priceLimits
  if (name === 'price' && !(value >= minimum && value <= maximum))
    throw badRequest(`Your price must be from ${usd(minimum)} to ${usd(maximum)}; it is “${text}”.`)
  return value
}

export const savedPage: AccountPage = {
  path: 'saved',
  title: 'Deals',
  show: async (visit) => {
    const { query, user, token } = visit
    const dealId = textIn(query, 'deal', 64)
    if (dealId !== undefined) return editForm(visit, ownKey(visit, textIn(query, 'key', 64) ?? ''), dealId)
    const name = textIn(query, 'name', 80)
    const home = homeIn(textIn(query, 'criteria') ?? '')
    if (!home || !user.chosen || name === undefined || (await isSaved(visit.as(user.chosen), home.id[0])))
      return list(visit)
    const [price, own] = [textIn(query, 'price', 20) ?? '', textIn(query, 'own', 2_000) ?? '']
    const scenario = { ...numbersIn(own), ...(price === '' ? {} : { price: numberField('price', price) }) } as Scenario
    return html`<form class="watch-form" method="post" action="/account/saved/add">${token}<input type="hidden" name="key" value="${user.chosen.id}"><input type="hidden" name="name" value="${name}"><input type="hidden" name="criteria" value="${JSON.stringify(home)}"><input type="hidden" name="price" value="${price}"><input type="hidden" name="own" value="${own}">
<p class="lede"><a href="/properties/${home.id[0]}">${name}</a></p>${Object.keys(scenario).length > 0 ? html`<p>With your numbers: ${changedText(scenario)}.</p>` : ''}<label>Note<textarea name="note" maxlength="2000" rows="3"></textarea></label>
<p><button class="button">Save this home</button> <a href="/properties/${home.id[0]}">Cancel</a></p></form>`
  },
  actions: {
    mail: async (visit, field) => {
      await todayMail.turn(visit.as(ownKey(visit, field('key'))), field('on') === 'yes')
      return { open: '/today' }
    },
    delete: async (visit, field) => {
      await runOperation(deleteWatch, visit.as(ownKey(visit, field('key'))), { id: field('item') })
    },
    add: async (visit, field) => {
      const criteria = homeIn(field('criteria'))
      if (!criteria) throw badRequest('This home cannot be read. Open it again and choose “Save”.')
      const note = field('note', 2_000)
      const noted = note === '' ? {} : { note }
      const context = visit.as(ownKey(visit, field('key')))
      const price = numberField('price', field('price'))
      const assumptions = numbersIn(field('own', 2_000))
      if (price === undefined && Object.keys(assumptions).length === 0)
        await runOperation(createWatch, context, { name: field('name', 80), kind: 'parcels', criteria, ...noted })
      else
        await runOperation(createDeal, context, {
          ...{ propertyId: criteria.id[0], price, ...noted },
          assumptions: assumptions as Record<string, number>,
        })
    },
    change: async (visit, field) => {
      const context = visit.as(ownKey(visit, field('key')))
      const id = field('item')
      const { data } = await runOperation(getDeal, context, { id })
      const scheme = schemeKinds.find((kind) => kind === field('scheme'))
      const [note, price] = [field('note', 2_000) || undefined, numberField('price', field('price'))]
      const facts = Object.fromEntries(
        ownFactNames.flatMap((name) => {
          const value = numberField(name, field(name))
          return value === undefined ? [] : [[name, value]]
        }),
      )
      checkFacts(facts)
      await runOperation(updateDeal, context, {
        id,
        stage: dealStages.find((stage) => stage === field('stage')) ?? data.stage,
        ...{ scheme, price, note, facts },
        assumptions: field('numbers') === 'keep' ? data.assumptions : undefined,
      })
    },
    note: async (visit, field) => {
      const context = visit.as(ownKey(visit, field('key')))
      const { data } = await runOperation(getWatch, context, { id: field('item') })
      const { id, name, kind, criteria, on, cadence, channels, assumptionSet } = data
      await runOperation(updateWatch, context, {
        ...{ id, name, kind, criteria, on: [...on], cadence, assumptionSet },
        channels: { ...channels, webhooks: [...channels.webhooks] },
        note: field('note', 2_000) || undefined,
      })
    },
  },
}

/** The API checks them by the schema of its input, which pages do not pass through. */
const checkFacts = (facts: Readonly<Record<string, number>>): void => {
  for (const name of ownFactNames) {
    const value = facts[name]
    const { label, range: [min, max] = [1600, 2100], type } = factTable[name]
    if (value !== undefined && !(value >= min && value <= max && (type === 'number' || Number.isInteger(value))))
      throw badRequest(`${capitalized(label)} must be from ${min} to ${max}; it is ${value}.`)
  }
}

const numbersIn = (text: string): OwnValues => {
  const parsed = parsedJson(text)
  return isRecord(parsed) ? (parsed as OwnValues) : {}
}

const homeIn = (text: string): { market: string; id: [string] } | undefined => {
  const home = parsedJson(text)
  if (!isRecord(home)) return undefined
  const { market, id } = home
  return typeof market === 'string' && Array.isArray(id) && typeof id[0] === 'string' && /^p_\w{1,60}$/.test(id[0])
    ? { market, id: [id[0]] }
    : undefined
}
