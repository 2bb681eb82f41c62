// A list of what the user's keys own, as one row: how it is read, its columns, and what can be done with an item. Everything runs as an
// operation of the key that owns the item, so its permission is that of the API.
import { ApiError } from '../../contract/errors.ts'
import type { AccountKey } from '../../operations/account/signed-in.ts'
import type { Context, ServedFile } from '../../operations/context.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { type AccountPage, keyName, ownKey, urlOf, type Visit } from './account-page.ts'

interface ItemAction<T> {
  label: string
  run: (context: Context, id: string) => Promise<unknown>
  /** For some items only. */
  when?: (item: T) => boolean
  /** Asks before it acts, with this sentence. */
  warning?: string
}

export interface ListRow<T extends { id: string }> {
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

export const listPage = <T extends { id: string }>(row: ListRow<T>): AccountPage => ({
  path: row.path,
  title: row.title,
  show: async (visit) => html`<p class="lede">${row.about}</p>${await listOf(row, visit)}`,
  actions: Object.fromEntries(
    Object.entries(row.actions).map(([name, { run }]) => [
      name,
      async (visit: Visit, field: (name: string) => string) => {
        const made = await run(visit.as(ownKey(visit, field('key'))), field('item'))
        return isFile(made) ? made : undefined
      },
    ]),
  ),
})

const isFile = (made: unknown): made is ServedFile => made instanceof Object && 'read' in made

const listOf = async <T extends { id: string }>(row: ListRow<T>, visit: Visit): Promise<Html> => {
  const found: { key: AccountKey; item: T }[] = []
  for (const key of visit.user.keys) for (const item of await itemsOf(row, visit.as(key))) found.push({ key, item })
  if (found.length === 0) return html`<p class="empty">${row.empty}</p>`
  const many = visit.user.keys.length > 1
  const [, ...others] = row.columns
  return html`<table class="data cards account-table"><thead><tr>${row.columns.map(({ title }) => html`<th scope="col">${title}</th>`)}${many ? html`<th scope="col">Key</th>` : ''}<th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
<tbody>${found.map(
    ({ key, item }) =>
      html`<tr><th scope="row">${row.columns[0]!.cell(item, visit, key)}</th>${others.map(({ title, cell }) => html`<td data-name="${title}">${cell(item, visit, key)}</td>`)}${many ? html`<td data-name="Key"><code>${keyName(key)}</code></td>` : ''}
<td class="actions">${Object.entries(row.actions).map(([name, action]) => actionOf(row, visit, key, item, name, action))}</td></tr>`,
  )}</tbody></table>`
}

const itemsOf = async <T extends { id: string }>(row: ListRow<T>, context: Context): Promise<readonly T[]> => {
  try {
    return await row.items(context)
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  }
}

const actionOf = <T extends { id: string }>(
  { path }: ListRow<T>,
  { token }: Visit,
  key: AccountKey,
  item: T,
  name: string,
  { label, when, warning }: ItemAction<T>,
): Html | '' => {
  if (when && !when(item)) return ''
  const form = html`<form method="post" action="${urlOf(path)}/${name}">${token}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="item" value="${item.id}">${warning && html`<p>${warning}</p>`}<button class="button quiet">${label}</button></form>`
  return warning ? html`<details><summary>${label}</summary>${form}</details>` : form
}
