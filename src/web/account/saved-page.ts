// Saved homes with notes. A saved home is a watch of one home without a channel.

import { badRequest } from '../../common/errors.ts'
import { isRecord, parsedJson } from '../../common/typed.ts'
import type { Context } from '../../operations/context.ts'
import { everyWatch } from '../../operations/watches.ts'
import { createWatch, deleteWatch, getWatch, updateWatch } from '../../wire/operations/watches.ts'
import { day } from '../formats.ts'
import { html } from '../html.ts'
import { pathWithQuery, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { type AccountPage, ownKey } from './account-page.ts'
import { listPage } from './list-page.ts'

export const isSaved = async (context: Context, id: string): Promise<boolean> =>
  (await everyWatch(context)).some(({ savedHome, criteria }) => savedHome && criteria.id?.[0] === id)

const list = listPage({
  path: 'saved',
  title: 'Saved homes',
  about: html`Homes to come back to, with your notes. Open a home and choose “Save”.`,
  empty: html`No home is saved.`,
  items: async (context) => (await everyWatch(context)).filter(({ savedHome }) => savedHome),
  columns: [
    { title: 'Home', cell: ({ name, criteria }) => html`<a href="/properties/${criteria.id?.[0]}">${name}</a>` },
    {
      title: 'Note',
      cell: ({ id, note }, { token }, key) =>
        html`<form class="note-form" method="post" action="/account/saved/note">${token}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="item" value="${id}"><label class="visually-hidden" for="note-${id}">Note</label><textarea id="note-${id}" name="note" maxlength="2000" rows="2">${note}</textarea><button class="button quiet">Save note</button></form>`,
    },
    { title: 'Saved', cell: ({ createdAt }) => day(createdAt) },
    {
      title: 'Watch',
      cell: ({ name, criteria }) =>
        html`<a href="${pathWithQuery('/account/watches', { kind: 'parcels', criteria: JSON.stringify(criteria), name })}">Watch</a>`,
    },
  ],
  actions: { delete: { label: 'Remove', run: (context, id) => runOperation(deleteWatch, context, { id }) } },
})

export const savedPage: AccountPage = {
  ...list,
  show: async (visit) => {
    const { query, user, token } = visit
    const name = textIn(query, 'name', 80)
    const home = homeIn(textIn(query, 'criteria') ?? '')
    if (!home || !user.chosen || name === undefined || (await isSaved(visit.as(user.chosen), home.id[0])))
      return list.show(visit)
    return html`<form class="watch-form" method="post" action="/account/saved/add">${token}<input type="hidden" name="key" value="${user.chosen.id}"><input type="hidden" name="name" value="${name}"><input type="hidden" name="criteria" value="${JSON.stringify(home)}">
<p class="lede"><a href="/properties/${home.id[0]}">${name}</a></p><label>Note<textarea name="note" maxlength="2000" rows="3"></textarea></label>
<p><button class="button">Save this home</button> <a href="/properties/${home.id[0]}">Cancel</a></p></form>`
  },
  actions: {
    ...list.actions,
    add: async (visit, field) => {
      const criteria = homeIn(field('criteria'))
      if (!criteria) throw badRequest('This home cannot be read. Open it again and choose “Save”.')
      const note = field('note', 2_000)
      const watch = { name: field('name', 80), kind: 'parcels' as const, criteria, ...(note === '' ? {} : { note }) }
      await runOperation(createWatch, visit.as(ownKey(visit, field('key'))), watch)
      return undefined
    },
    note: async (visit, field) => {
      const context = visit.as(ownKey(visit, field('key')))
      const { data } = await runOperation(getWatch, context, { id: field('item') })
      const { id, name, kind, criteria, on, cadence, channels, assumptionSet } = data
      const note = field('note', 2_000)
      await runOperation(updateWatch, context, {
        ...{ id, name, kind, criteria, on: [...on], cadence },
        channels: { ...channels, webhooks: [...channels.webhooks] },
        ...(assumptionSet === undefined ? {} : { assumptionSet }),
        ...(note === '' ? {} : { note }),
      })
      return undefined
    },
  },
}

const homeIn = (text: string): { market: string; id: [string] } | undefined => {
  const home = parsedJson(text)
  if (!isRecord(home)) return undefined
  const { market, id } = home
  return typeof market === 'string' && Array.isArray(id) && /^p_\w{1,60}$/.test(id[0])
    ? { market, id: [id[0]] }
    : undefined
}
