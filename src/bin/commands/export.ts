import { open, rename, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { ApiError } from '../../common/errors.ts'
import { OperatorError } from '../../common/operator-error.ts'
import { readConfig } from '../../config.ts'
import { fits, valueFromText, valueProblem } from '../../domain/field-check.ts'
import { exportWithheld } from '../../domain/provenance.ts'
import type { Context } from '../../operations/context.ts'
import { checkExport, exportPage, runExport, writeExport } from '../../operations/run-export.ts'
import {
  createExport,
  type ExportFormat,
  type ExportKind,
  exportCriteriaOf,
  exportFormats,
  exportKinds,
} from '../../wire/operations/exports.ts'
import { plans } from '../../wire/plans.ts'
import { limitHeap } from '../limit-heap.ts'
import { type OpenServices, openServices } from '../open-services.ts'
import { progressBar } from '../progress.ts'
import { withOpened } from '../with-opened.ts'

interface ExportOptions {
  format: ExportFormat
  where?: string[]
  sort?: string
  fields?: string
  json?: boolean
  job?: string
}

export const exportCommand = (): Command =>
  new Command('export')
    .description('Write all rows of a search to one file, without the limits of the API.')
    .argument('[kind]', `what to export: ${exportKinds.join(', ')}`)
    .argument('[file]', 'file to write; it appears only when it is complete')
    .addOption(new Option('--format <format>', 'format of the file').choices(exportFormats).default('ndjson'))
    .option('--where <name=value>', 'a criterion, for example minValuation=100000; repeat for more', collect)
    .option('--sort <fields>', 'order, for example -valuation')
    .option('--fields <names>', 'only these fields, separated by commas')
    .option('--json', 'print the result as JSON')
    .addOption(new Option('--job <id>', 'run a queued export').hideHelp())
    .action(async (kind: string | undefined, file: string | undefined, options: ExportOptions) => {
      if (options.job !== undefined) return runJob(options.job)
      const chosen = exportKinds.find((each) => each === kind)
      if (chosen === undefined || file === undefined)
        throw new OperatorError(
          `Name what to export and the file, for example: lotline export permits permits.ndjson. Kinds are ${exportKinds.join(', ')}.`,
        )
      await withOpened(openForExport, (services) => exportTo(services, chosen, resolve(file), options))
    })

const collect = (value: string, before: string[] = []): string[] => [...before, value]

/**
 * One statement reads all permits, as fast as they are written. Parallel workers of a merge join would each read all of one table.
 */
const openForExport = () =>
  openServices(readConfig(), { poolSize: 3, statementTimeoutMs: 3_600_000, parallelWorkers: 0 })

/** In a process of its own with low priority, so that the answers of the API do not wait for it. */
const runJob = async (id: string): Promise<void> => {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const collectGarbage = limitHeap()
  await withOpened(openForExport, (services) => runExport(services, id, () => new Date(), collectGarbage))
}

const exportTo = async (services: OpenServices, kind: ExportKind, file: string, options: ExportOptions) => {
  const { format, sort, fields } = options
  const request = {
    kind,
    format,
    criteria: Object.fromEntries((options.where ?? []).map((given) => criterion(kind, given))),
    ...(sort ? { sort: sort.split(',') } : {}),
    ...(fields ? { fields: fields.split(',') } : {}),
  }
  const context: Context = {
    ...services,
    caller: { plan: 'pro', limits: plans.pro, client: '', remaining: 0, windowResetsInSeconds: 0 },
    now: new Date(),
    surface: 'export',
  }
  const progress = progressBar(kind, process.stderr)
  const part = `${file}.part`
  const out = await open(part, 'w').catch((error: Error) => {
    throw new OperatorError(`Cannot write ${part}: ${error.message}. Name a file in a folder that exists.`)
  })
  try {
    checkExport(request)
    const bulk = { countTo: Number.MAX_SAFE_INTEGER - 1, hiddenSources: [] }
    const { pagination } = await exportPage({ ...context, bulk }, request, { limit: 1 })
    const written = await writeExport(context, request, async (bytes, rows) => {
      await out.write(bytes)
      progress.show({ rows, rejected: 0, share: rows / Math.max(1, pagination.total) })
    })
    await out.close()
    await rename(part, file)
    progress.clear()
    if (options.json) return void process.stdout.write(`${JSON.stringify({ file, ...written })}\n`)
    const withheld =
      written.withheld > 0 ? ` ${written.withheld.toLocaleString('en-US')} rows were left out. ${exportWithheld}` : ''
    process.stdout.write(`Wrote ${file}: ${written.rows.toLocaleString('en-US')} rows.${withheld}\n`)
  } catch (error) {
    progress.clear()
    await out.close().catch(() => {})
    await rm(part, { force: true })
    throw error instanceof ApiError ? new OperatorError(error.message) : error
  }
}

const criterion = (kind: ExportKind, given: string): [string, unknown] => {
  const [, name = '', text = ''] = /^(\w+)=(.*)$/s.exec(given) ?? []
  const schemas = exportCriteriaOf(kind)
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (!schema)
    throw new OperatorError(
      `--where must be name=value with a criterion of GET /v1/fields or a parameter of the list, for example --where city="${createExport.example.input.criteria?.city}"; it is "${given}".`,
    )
  const value = valueFromText(schema, text)
  if (value === undefined || !fits(schema, value)) throw new OperatorError(valueProblem(name, schema, text, 'query'))
  return [name, value]
}
