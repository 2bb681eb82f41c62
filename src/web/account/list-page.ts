// A list of what the user's keys own, as one row: how it is read, its columns, and what can be done with an item. Everything runs as an
// operation of the key that owns the item, so its permission is that of the API.
import { ApiError } from '../../common/errors.ts'
import type { AccountKey } from '../../operations/account/signed-in.ts'
import type { Context, ServedFile } from '../../operations/context.ts'
import type { Operation } from '../../wire/operation.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { runOperation } from '../run-operation.ts'
import { type AccountPage, keyName, type Outcome, ownKey, urlOf, type Visit } from './account-page.ts'

interface ItemAction<T> {
  label: string
  run: (context: Context, id: string) => Promise<unknown>
  /** For some items only. */
  when?: (item: T, visit: Visit) => boolean
  /** Said above the list when it has succeeded, if the list does not show it. */
  done?: string
  /** Asks before it acts, with this sentence. */
  warning?: string
}

interface Item {
  id: string
  name?: string
  url?: string
}

interface ListRow<T extends Item> {
  path: string
  title: string
  about: Html
  empty: Html
  /** What one key owns. A key whose plan has none of it is left out. */
  items: (context: Context) => Promise<readonly T[]>
  /** The first column names the item. */
  columns: readonly { title: string; cell: (item: T, visit: Visit, key: AccountKey) => HtmlValue }[]
  actions: Readonly<Record<string, ItemAction<T>>>
}

export const listPage = <T extends Item>(row: ListRow<T>): AccountPage => {
  const { path, title, about, empty, items, columns, actions } = row

  /** A key whose plan has none of it has no items. */
  const itemsOf = (context: Context): Promise<readonly T[]> =>
    items(context).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 403) return []
      throw error
    })

  const actionOf = (visit: Visit, key: AccountKey, item: T, name: string): Html | '' => {
    const { label, when, warning } = actions[name]!
    if (when && !when(item, visit)) return ''
    const words = html`${label}<span class="visually-hidden"> ${item.name ?? item.url ?? item.id}</span>`
    const form = html`<form method="post" action="${urlOf(path)}/${name}">${visit.token}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="item" value="${item.id}">${warning && html`<p>${warning}</p>`}<button class="button quiet">${words}</button></form>`
    return warning ? html`<details><summary>${words}</summary>${form}</details>` : form
  }

  const listOf = async (visit: Visit): Promise<Html> => {
    const rows: { key: AccountKey; item: T }[] = []
    for (const key of visit.user.keys) for (const item of await itemsOf(visit.as(key))) rows.push({ key, item })
    if (rows.length === 0) return html`<p class="empty">${empty}</p>`
    const many = visit.user.keys.length > 1
    const [first, ...others] = columns
    return html`<table class="data cards account-table" aria-label="${title}"><thead><tr>${columns.map((column) => html`<th scope="col">${column.title}</th>`)}${many ? html`<th scope="col">Key</th>` : ''}<th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
<tbody>${rows.map(
      ({ key, item }) =>
        html`<tr><th scope="row">${first!.cell(item, visit, key)}</th>${others.map((other) => html`<td data-name="${other.title}">${other.cell(item, visit, key)}</td>`)}${many ? html`<td data-name="Key"><code>${keyName(key)}</code></td>` : ''}
<td class="actions">${Object.keys(actions).map((name) => actionOf(visit, key, item, name))}</td></tr>`,
    )}</tbody></table>`
  }

  const pageOf = async (visit: Visit, message?: Html): Promise<Html> =>
    html`${message}<p class="lede">${about}</p>${await listOf(visit)}`

  const act =
    ({ run, done }: ItemAction<T>) =>
    async (visit: Visit, field: (name: string) => string): Promise<Outcome> => {
      const context = visit.as(ownKey(visit, field('key')))
      try {
        const result = await run(context, field('item'))
        if (isFile(result)) return result
        if (done === undefined) return undefined
        return { title, body: await pageOf(visit, html`<p class="done" role="status">${done}</p>`) }
      } catch (error) {
        // What the plan, the state of the key or a limit refuses is explained above the list.
        if (!(error instanceof ApiError) || ![400, 403, 429].includes(error.status)) throw error
        const problem = html`<p class="form-error" role="alert">${error.message}</p>`
        return { title, body: await pageOf(visit, problem), status: error.status }
      }
    }

  return {
    path,
    title,
    show: (visit) => pageOf(visit),
    actions: Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, act(action)])),
  }
}

export const byId =
  <O extends Operation>(operation: O) =>
  (context: Context, id: string) =>
    runOperation<Operation>(operation, context, { id })

const isFile = (result: unknown): result is ServedFile => result instanceof Object && 'read' in result
