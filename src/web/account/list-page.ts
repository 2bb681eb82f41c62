// A list of what the user's keys own, as one row: how it is read, its columns, and what can be done with an item. Everything runs as an
// operation of the key that owns the item, so its permission is that of the API.
import { ApiError } from '../../common/errors.ts'
import type { AccountKey } from '../../operations/account/signed-in.ts'
import type { Context, ServedFile } from '../../operations/context.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
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

interface ListRow<T extends { id: string }> {
  path: string
  title: string
  forDevelopers?: true
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
  ...(row.forDevelopers && { forDevelopers: true }),
  show: (visit) => pageOf(row, visit),
  actions: Object.fromEntries(
    Object.entries(row.actions).map(([name, { run, done }]) => [
      name,
      async (visit: Visit, field: (name: string) => string): Promise<Outcome> => {
        const context = visit.as(ownKey(visit, field('key')))
        try {
          const made = await run(context, field('item'))
          if (isFile(made)) return made
          return done === undefined ? undefined : said(row, visit, html`<p class="done" role="status">${done}</p>`)
        } catch (error) {
          // What the plan, the state of the key or a limit refuses is explained above the list.
          if (!(error instanceof ApiError) || ![400, 403, 429].includes(error.status)) throw error
          const problem = html`<p class="form-error" role="alert">${error.message}</p>`
          return { ...(await said(row, visit, problem)), status: error.status }
        }
      },
    ]),
  ),
})

const said = async <T extends { id: string }>(row: ListRow<T>, visit: Visit, message: Html) => ({
  title: row.title,
  body: html`${message}${await pageOf(row, visit)}`,
})

const pageOf = async <T extends { id: string }>(row: ListRow<T>, visit: Visit): Promise<Html> =>
  html`<p class="lede">${row.about}</p>${await listOf(row, visit)}`

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
  visit: Visit,
  key: AccountKey,
  item: T,
  name: string,
  { label, when, warning }: ItemAction<T>,
): Html | '' => {
  if (when && !when(item, visit)) return ''
  const form = html`<form method="post" action="${urlOf(path)}/${name}">${visit.token}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="item" value="${item.id}">${warning && html`<p>${warning}</p>`}<button class="button quiet">${label}</button></form>`
  return warning ? html`<details><summary>${label}</summary>${form}</details>` : form
}
