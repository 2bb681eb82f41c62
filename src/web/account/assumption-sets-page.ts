import { deleteAssumptionSet, listAssumptionSets } from '../../wire/operations/assumptions.ts'
import { day } from '../formats.ts'
import { html } from '../html.ts'
import { runOperation } from '../run-operation.ts'
import { listPage } from './list-page.ts'

export const assumptionSetsPage = listPage({
  path: 'assumption-sets',
  title: 'Assumption sets',
  about: html`Your own numbers for returns. Make one with <a href="/playground?op=create_assumption_set"><code>POST /v1/assumption-sets</code></a>.`,
  empty: html`No set yet.`,
  items: async (context) => (await runOperation(listAssumptionSets, context, {})).data,
  columns: [
    { title: 'Name', cell: ({ name, id }) => html`${name}<small><code>${id}</code></small>` },
    { title: 'Market', cell: ({ market }) => market ?? 'all' },
    {
      title: 'Numbers',
      cell: ({ values }) =>
        Object.entries(values)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
    },
    { title: 'Changed', cell: ({ updatedAt }) => day(updatedAt) },
  ],
  actions: {
    delete: {
      label: 'Delete',
      warning: 'What refers to this set no longer finds it.',
      run: (context, id) => runOperation(deleteAssumptionSet, context, { id }),
    },
  },
})
