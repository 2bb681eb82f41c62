import { criteriaText } from '../../criteria/criteria-text.ts'
import { searchKinds } from '../../criteria/table.ts'
import { getExportFileRun, lookUpLater } from '../../operations/exports.ts'
import {
  createExport,
  deleteExport,
  type ExportFormat,
  exportFormats,
  getExport,
  listExports,
} from '../../wire/operations/exports.ts'
import { maxCsvBytes, maxCsvRows } from '../../wire/operations/lookup.ts'
import { capitalized, count, day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { oneOf, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { type AccountPage, keyName, ownKey, type Visit } from './account-page.ts'
import { byId, listPage } from './list-page.ts'
import { chosenSet, keepNote, numbersField } from './numbers-field.ts'
import { criteriaIn, longText } from './watches-page.ts'

const list = listPage({
  path: 'exports',
  title: 'Exports',
  about: html`All rows of a search in one file, kept for a day. To make one, open a list such as <a href="/explore">Explore</a>, <a href="/leads">Leads</a> or <a href="/permits">Permits</a> and choose “Export all rows”, or score a list of your own below.`,
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
      run: byId(deleteExport),
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
  show: async (visit) =>
    visit.query.criteria === undefined
      ? html`${await list.show(visit)}<h2>Score my list</h2>${scoreForm(visit)}`
      : exportForm(visit),
  actions: {
    ...list.actions,
    create: async (visit, field) => {
      await runOperation(createExport, visit.as(ownKey(visit, field('key'))), {
        kind: searchKinds.find((each) => each === field('kind')) ?? 'listings',
        criteria: criteriaIn(field('criteria', longText)),
        format: exportFormats.find((each) => each === field('format')) ?? 'csv',
        assumptionSet: field('assumptionSet') || undefined,
      })
    },
  },
  uploads: {
    score: async (visit, field) => {
      await lookUpLater(visit.as(ownKey(visit, field('key'))), field('list', maxCsvBytes))
    },
  },
}

const formatWords: Record<ExportFormat, string> = {
  csv: 'CSV, for spreadsheets',
  ndjson: 'JSON, one row a line',
  geoparquet: 'GeoParquet, for maps',
}

const exportForm = async (visit: Visit): Promise<Html> => {
  const { user, token, query } = visit
  const key = user.keys.find(({ plan }) => plan === 'pro')
  if (!key)
    return html`<p class="lede">Exports of whole lists are part of Pro.</p><p><a class="button" href="/plans">Plans</a> The CSV of a list has its first rows without it.</p>`
  const kind = oneOf(query, 'kind', searchKinds) ?? 'listings'
  const text = textIn(query, 'criteria', longText) ?? '{}'
  const { assumptionSet } = await chosenSet(visit, key, kind)
  return html`<p class="lede">${capitalized(kind)}: ${criteriaText({ criteria: criteriaIn(text) }) || 'all'}</p>${keepNote(visit)}
<form class="watch-form" method="post" action="/account/exports/create">${token}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="kind" value="${kind}"><input type="hidden" name="criteria" value="${text}">
<label>Format<select name="format">${(['csv', 'ndjson', 'geoparquet'] as const).map((each) => html`<option value="${each}">${formatWords[each]}</option>`)}</select></label>
${kind === 'permits' ? '' : await numbersField(visit, key, assumptionSet)}
<p><button class="button">Export</button> <a href="/account/exports">Cancel</a></p></form>`
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
