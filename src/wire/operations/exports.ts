// Bulk exports: a job writes all rows of a search to one file.
import { type Static, Type } from 'typebox'
import { choices, dateTime, integer, literals, object, optional, succeeded, text } from '../../common/shape.ts'
import { keysOf } from '../../common/typed.ts'
import { ownInputs } from '../../criteria/own-assumptions.ts'
import { searchKinds } from '../../criteria/table.ts'
import { Criteria } from '../../criteria/vocabulary.ts'
import type { FieldSchema } from '../../domain/field-check.ts'
import { Withheld } from '../../domain/provenance.ts'
import { describe } from '../operation.ts'
import { ignoredFields } from '../pagination.ts'
import { listBuilders } from './builders.ts'
import { asOf, examplePlace } from './examples.ts'
import { listAduLeads, listLotSplits, listRedevelopmentLeads } from './leads.ts'
import { getMarketSeries } from './market-series.ts'
import { fieldNames, listControls, sortKeys } from './paging.ts'
import { resource } from './resource.ts'
import { listEvents } from './webhooks.ts'

/** Exports of a list: `criteria` are the parameters of the list. */
export const exportLists = {
  sb9: listLotSplits,
  aduLeads: listAduLeads,
  redevelopmentLeads: listRedevelopmentLeads,
  builders: listBuilders,
  marketSeries: getMarketSeries,
  events: listEvents,
} as const
export type ExportList = keyof typeof exportLists

export const exportKinds = [...searchKinds, ...keysOf(exportLists)] as const
export type ExportKind = (typeof exportKinds)[number]

export const isExportList = (kind: string): kind is ExportList => Object.hasOwn(exportLists, kind)

const controls = [...Object.keys(listControls([], [])), 'after']

/** What `criteria` takes for a kind. */
export const exportCriteriaOf = (kind: ExportKind): Readonly<Record<string, FieldSchema>> =>
  (isExportList(kind)
    ? Object.fromEntries(
        Object.entries(exportLists[kind].input.properties).filter(([name]) => !controls.includes(name)),
      )
    : Criteria.properties) as unknown as Record<string, FieldSchema>

export type ExportCriteria = { market?: string; city?: string; zip?: string } & Record<string, unknown>

const { status } = Criteria.properties as unknown as Record<string, FieldSchema>
const sb9Status = exportCriteriaOf('sb9').status!

/** Every name of every kind. What a name accepts depends on the kind. */
const ExportCriteria = Type.Unsafe<ExportCriteria>(
  object('ExportCriteria', 'Conditions: the parameters of the list of this kind', {
    ...Object.assign({}, ...keysOf(exportLists).map(exportCriteriaOf)),
    ...Criteria.properties,
    status: choices(
      [...new Set([...status!.items!.enum!, ...sb9Status.items!.enum!])],
      'Statuses, as in the list of this kind',
    ),
  }),
)

export const exportFormats = ['ndjson', 'csv', 'geoparquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
  geoparquet: 'application/vnd.apache.parquet',
}

export const exportHours = 24
export const exportsPerDay = 20
export const exportRowsPerDay = 500_000

const exportStates = ['queued', 'running', 'ready', 'failed', 'expired'] as const

export const Export = object('Export', {
  id: text('Export identifier'),
  state: literals(exportStates, 'ready: the file can be read until expiresAt'),
  kind: literals([...exportKinds, 'lookup'], 'What the rows are'),
  format: literals(exportFormats, 'Format of the file'),
  expectedRows: integer('Rows that matched when the export was requested; for events with criteria, at most this many'),
  rows: integer('Rows written so far'),
  withheld: optional(Withheld),
  bytes: optional.integer('Size of the file'),
  sha256: optional.text('SHA-256 of the file, hexadecimal'),
  createdAt: dateTime('When it was requested'),
  snapshotAt: optional.dateTime('All rows are as they were at this time'),
  expiresAt: optional.dateTime('When the file is deleted'),
  error: optional.text('Why it failed'),
})
export type Export = Static<typeof Export>

const one = Type.Object({ success: succeeded, data: Export, ...ignoredFields })

const example: Export = {
  id: 'exp_5TgK2',
  state: 'ready',
  kind: 'permits',
  format: 'geoparquet',
  expectedRows: 48_211,
  rows: 48_211,
  bytes: 6_881_204,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  createdAt: asOf,
  snapshotAt: asOf,
  expiresAt: asOf,
}
const exportFamily = resource({
  tag: 'Exports',
  path: '/v1/exports',
  one: 'export',
  many: 'exports',
  id: 'Export identifier',
  row: Export,
  example,
})
const { id } = exportFamily
const { bytes: _bytes, sha256: _sha256, snapshotAt: _snapshotAt, expiresAt: _expiresAt, ...requested } = example

export const createExport = exportFamily.create({
  title: 'Export rows',
  access: 'proPlan',
  accepted: '/v1/exports/{id}',
  idempotent: true,
  maxBodyKiB: 256,
  summary: 'Writes all rows of a search or list to one file: newline-delimited JSON, CSV or GeoParquet.',
  description: `Answers 202 at once; poll the address in Location until state is ready, then read its file, which is kept for ${exportHours} hours. All rows are of one moment. One export of a key runs at a time, the next waits as queued; ${exportsPerDay} a day per key and ${exportRowsPerDay.toLocaleString('en-US')} rows a day per mailbox. Rows whose source does not permit exports are left out and counted in withheld.`,
  input: {
    kind: literals(exportKinds, 'What to export'),
    criteria: Type.Optional(ExportCriteria),
    sort: sortKeys('As in the lists. Without it permits are in the order of city and number, which is faster'),
    fields: fieldNames('As in the lists'),
    format: literals(
      exportFormats,
      'ndjson, csv or geoparquet; builders, marketSeries and events have no location: ndjson or csv',
    ),
    ...ownInputs,
  },
  output: one,
  example: {
    input: { kind: 'permits', criteria: { city: examplePlace.city }, format: 'geoparquet' },
    output: { success: true, data: { ...requested, state: 'queued', rows: 0 } },
  },
})

/** What an export holds: a search, or the lookup of a list. */
export type ExportRequest =
  | Omit<Static<typeof createExport.input>, 'assumptionSet'>
  | { kind: 'lookup'; format: 'csv'; criteria?: undefined; sort?: undefined; fields?: undefined }

export const listExports = exportFamily.list({
  title: 'Your exports',
  summary: 'The exports of your key, newest first.',
})

export const getExport = describe({
  name: 'get_export',
  title: 'State of an export',
  tag: 'Exports',
  path: '/v1/exports/{id}',
  access: 'ownKey',
  summary: 'How far an export is, and the size and hash of its file.',
  input: Type.Object({ id }),
  output: one,
  example: { input: { id: example.id }, output: { success: true, data: example } },
})

export const getExportFile = describe({
  name: 'get_export_file',
  title: 'File of an export',
  tag: 'Exports',
  path: '/v1/exports/{id}/file',
  access: 'proPlan',
  fileTypes: Object.values(exportTypes),
  summary: 'The file of an export that is ready.',
  description: 'Takes Range and If-None-Match; the ETag is the SHA-256 of the file.',
  input: Type.Object({ id }),
  output: Type.String({ description: 'The file', format: 'binary' }),
  example: { input: { id: example.id }, output: '' },
})

export const deleteExport = exportFamily.remove({
  title: 'Delete an export',
  summary: 'Deletes an export and its file; a job that is running stops.',
})
