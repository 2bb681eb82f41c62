import { deleteExport, listExports } from '../../contract/operations/exports.ts'
import { count, day } from '../formats.ts'
import { html } from '../html.ts'
import { runOperation } from '../run-operation.ts'
import { listPage } from './list-page.ts'

export const exportsPage = listPage({
  path: 'exports',
  title: 'Exports',
  about: html`All rows of a search in one file, kept for a day. Make one with <a href="/playground?op=create_export"><code>POST /v1/exports</code></a>; its file is read with your key.`,
  empty: html`No export in the last day.`,
  items: async (context) => (await runOperation(listExports, context, {})).data,
  columns: [
    { title: 'Export', cell: ({ id, kind, format }) => html`${kind}, ${format}<small><code>${id}</code></small>` },
    { title: 'State', cell: ({ state, error }) => (error ? `${state}: ${error}` : state) },
    { title: 'Rows', cell: ({ rows }) => count(rows) },
    { title: 'Requested', cell: ({ createdAt }) => day(createdAt) },
  ],
  actions: {
    delete: {
      label: 'Delete',
      warning: 'The file is deleted; a job that is running stops.',
      run: (context, id) => runOperation(deleteExport, context, { id }),
    },
  },
})
