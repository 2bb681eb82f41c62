import { getExportFileRun, lookUpLater } from '../../operations/exports.ts'
import { deleteExport, getExport, listExports } from '../../wire/operations/exports.ts'
import { maxCsvBytes, maxCsvRows } from '../../wire/operations/lookup.ts'
import { count, day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { runOperation } from '../run-operation.ts'
import { type AccountPage, keyName, ownKey, type Visit } from './account-page.ts'
import { listPage } from './list-page.ts'

const list = listPage({
  path: 'exports',
  title: 'Exports',
  about: html`All rows of a search in one file, kept for a day. Make one with <a href="/playground?op=create_export"><code>POST /v1/exports</code></a>, or score a list of your own below.`,
  empty: html`No export in the last day.`,
  items: async (context) => (await runOperation(listExports, context, {})).data,
  columns: [
    {
      title: 'Export',
      cell: ({ id, kind, format }) =>
        html`${kind === 'lookup' ? 'Your list' : kind}, ${format}<small><code>${id}</code></small>`,
    },
    {
      title: 'State',
      cell: ({ state, error }, { reloadIn }) => {
        if (state === 'queued' || state === 'running') reloadIn(3)
        return error ? `${state}: ${error}` : state
      },
    },
    {
      title: 'Rows',
      cell: ({ state, rows, expectedRows }) =>
        state === 'running' || state === 'queued'
          ? html`<progress max="${Math.max(1, expectedRows)}" value="${rows}"></progress> ${count(rows)} of ${count(expectedRows)}`
          : count(rows),
    },
    { title: 'Requested', cell: ({ createdAt }) => day(createdAt) },
  ],
  actions: {
    delete: {
      label: 'Delete',
      warning: 'The file is deleted; a job that is running stops.',
      run: (context, id) => runOperation(deleteExport, context, { id }),
    },
    file: {
      label: 'Download',
      when: ({ state }) => state === 'ready',
      run: async (context, id) => {
        // Checks the plan and the owner.
        await runOperation(getExport, context, { id })
        return getExportFileRun.file!(context, { id })
      },
    },
  },
})

/** The pages of an account work without JavaScript: the form sends the file, and the page reloads until it is ready. */
export const exportsPage: AccountPage = {
  ...list,
  show: async (visit) => html`${await list.show(visit)}<h2>Score my list</h2>${scoreForm(visit)}`,
  uploads: {
    score: async (visit, field) => {
      await lookUpLater(visit.as(ownKey(visit, field('key'))), field('list', maxCsvBytes))
      return undefined
    },
  },
}

const scoreForm = ({ user, token }: Visit): Html => {
  const keys = user.keys.filter(({ plan }) => plan === 'pro')
  if (keys.length === 0) return html`<p>Scoring a list needs <a href="/plans">Pro</a>.</p>`
  return html`<p>Send a CSV with a column <code>address</code>, or <code>apn</code> and <code>county</code>, or <code>lat</code> and <code>lng</code>, up to ${count(maxCsvRows)} rows. You get your columns back with the property, its listing and its scores added.</p>
<form class="watch-form" method="post" action="/account/exports/score" enctype="multipart/form-data">${token}
${keys.length > 1 ? html`<label>Key<select name="key">${keys.map((key) => html`<option value="${key.id}">${keyName(key)}</option>`)}</select></label>` : html`<input type="hidden" name="key" value="${keys[0]!.id}">`}
<label>CSV file<input type="file" name="list" accept=".csv,text/csv" required></label>
<p><button class="button">Score my list</button></p></form>`
}
