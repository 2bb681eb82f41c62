// The state of the feeds and the database for the operator: as checks of `lotline doctor`, and as a page beside the metrics.
import { dayOf } from '../domain/day.ts'
import type { DatabaseStatus } from '../store/engine/database-status.ts'
import type { SourceState } from '../store/ingest/source-states.ts'
import { codeInWords, count, plural, unknownMark } from '../web/formats.ts'
import { html, textOf } from '../web/html.ts'

/** What a check of `lotline doctor` found. */
export interface Check {
  name: string
  state: 'ok' | 'warn' | 'fail'
  detail: string
  /** The figures behind it, in JSON and on the page. */
  rows?: readonly object[]
}

export type Finding = Omit<Check, 'name'>

export const ok = (detail: string): Finding => ({ state: 'ok', detail })
export const warn = (detail: string): Finding => ({ state: 'warn', detail })
export const fail = (detail: string): Finding => ({ state: 'fail', detail })

/** Sources by their runs; their files are another check. */
export const feedsFinding = (sources: readonly SourceState[]): Finding => {
  const linesOf = (line: (source: SourceState) => string) => sources.map(line).filter((text) => text !== '')
  const good = ({ lastRunAt }: SourceState) => (lastRunAt ? `last good run ${dayOf(lastRunAt)}` : 'never loaded')
  const failing = linesOf((source) =>
    source.error === null
      ? ''
      : `${source.id} fails since ${dayOf(source.failingSince!)} (${good(source)}): ${source.error.replace(/\.$/, '')}`,
  )
  const doubtful = linesOf((source) =>
    [
      source.stale &&
        source.error === null &&
        `${source.id} ${source.schedule === null ? 'is a map of more than a year ago: load it again' : 'has missed its runs'} (${good(source)})`,
      source.lostFields.length > 0 && `${source.id} has fewer values: ${source.lostFields.join(', ')}`,
    ]
      .filter(Boolean)
      .join('; '),
  )
  const removed = linesOf(({ id, removed: rows }) =>
    rows > 0 ? `${id} removed ${rows.toLocaleString('en')} rows within 30 days` : '',
  )
  const rows = sources.map((source) => ({
    source: source.id,
    lastGoodRun: source.lastRunAt,
    failingSince: source.failingSince,
    error: source.error,
    stale: source.stale,
    removedIn30Days: source.removed,
    fewerValues: source.lostFields.join(', '),
  }))
  const finding =
    failing.length + doubtful.length === 0
      ? ok([`${sources.length} sources, no failing run`, ...removed].join('; '))
      : (failing.length > 0 ? fail : warn)(
          `${[...failing, ...doubtful, ...removed].join('; ')}. See lotline sources list`,
        )
  return { ...finding, rows }
}

export interface BackupSettings {
  BACKUP_DIR?: string | undefined
  DATABASE_URL?: string | undefined
}

export const databaseChecks = (status: DatabaseStatus, settings: BackupSettings, now: Date): Check[] => [
  { name: 'statements', ...statementsFinding(status), rows: status.statements ?? [] },
  { name: 'locks', ...locksFinding(status), rows: status.running },
  { name: 'tables', ...tablesFinding(status), rows: status.tables },
  { name: 'replicas', ...replicasFinding(status), rows: status.replicas },
  { name: 'backup', ...backupFinding(status, settings, now), rows: status.backup ? [status.backup] : [] },
]

const statementsFinding = ({ statements, statementsProblem }: DatabaseStatus): Finding => {
  if (statementsProblem)
    return warn(
      `counted, but cannot be read: ${statementsProblem}. Grant Lotline's database role select on pg_stat_statements`,
    )
  if (!statements)
    return ok(
      'not counted: add pg_stat_statements to shared_preload_libraries, restart the server and run create extension pg_stat_statements',
    )
  const [most] = statements
  if (!most) return ok('none counted yet')
  return ok(
    `most time: ${most.seconds.toFixed(1)} s in ${plural(most.calls, 'call')}, ${Math.round(most.meanMs)} ms each: ${most.statement.slice(0, 80)}`,
  )
}

const longestWaitSeconds = 10

const locksFinding = ({ running }: DatabaseStatus): Finding => {
  const waiting = running.filter(({ blockedBy }) => blockedBy.length > 0)
  const [longest] = waiting
  if (!longest || longest.seconds < longestWaitSeconds)
    return ok(
      waiting.length === 0
        ? 'no statement waits for a lock'
        : `${waiting.length} waiting for locks, none longer than ${longestWaitSeconds} s`,
    )
  return warn(
    `${waiting.length} waiting for locks; the oldest statement began ${Math.round(longest.seconds)} s ago: process ${longest.pid} waits for process ${longest.blockedBy.join(', ')}. To end the blocking process: select pg_terminate_backend(${longest.blockedBy[0]})`,
  )
}

/** Smaller tables are read quickly in any state. */
const smallBytes = 100e6

const tablesFinding = ({ tables }: DatabaseStatus): Finding => {
  const bloated = tables.filter(
    ({ bytes, rows, deadRows }) => bytes > smallBytes && rows !== null && deadRows > rows / 2,
  )
  if (bloated.length > 0)
    return warn(
      `${bloated.map(({ name }) => name).join(', ')}: more than a third of the rows are dead, and autovacuum has not removed them. Run vacuum analyze`,
    )
  const [largest] = tables
  const [fastest] = tables.filter(({ grown }) => grown !== null).sort((a, b) => b.grown! - a.grown!)
  return ok(
    [
      largest && `largest ${largest.name} with ${megabytes(largest.bytes)}`,
      fastest && `most growth ${fastest.name} with ${megabytes(fastest.grown)} since ${fastest.since}`,
    ]
      .filter(Boolean)
      .join(', '),
  )
}

const replicasFinding = ({ replicas }: DatabaseStatus): Finding => {
  const text = replicas
    .map(({ name, state, bytesBehind, secondsBehind }) =>
      [
        `${name} ${state}`,
        bytesBehind !== null && `${megabytes(bytesBehind)} behind`,
        secondsBehind !== null && `${secondsBehind.toFixed(1)} s behind`,
      ]
        .filter(Boolean)
        .join(', '),
    )
    .join('; ')
  const late = replicas.some(({ bytesBehind, secondsBehind }) => (bytesBehind ?? 0) > 1e9 || (secondsBehind ?? 0) > 60)
  return late ? warn(`${text}. Reads go to the primary until it has caught up`) : ok(text || 'none connected')
}

/** A daily backup that is an hour or two late is not a failure. */
const lateHours = 26

const backupFinding = (
  { backup, ownData }: DatabaseStatus,
  { BACKUP_DIR, DATABASE_URL }: BackupSettings,
  now: Date,
): Finding => {
  const last = backup && `${dayOf(backup.madeAt)}, ${megabytes(backup.bytes)}, ${backup.file}`
  if (BACKUP_DIR !== undefined)
    return backup && now.getTime() - backup.madeAt.getTime() < lateHours * 3_600_000
      ? ok(last!)
      : warn(
          `${last ? `the last one is ${last}` : 'none yet'}. A worker makes one every day in ${BACKUP_DIR}: check that it is running and read its log`,
        )
  if (backup || DATABASE_URL || !ownData) return ok(last ?? 'none made by Lotline')
  return warn('none: set BACKUP_DIR to a folder on another disk, or run lotline backup')
}

const megabytes = (bytes: number | null): string =>
  bytes === null ? unknownMark : `${count(Math.round(bytes / 1e6))} MB`

/** Needs no script and no other address, so that it opens when the rest of the service does not. */
export const operatorPage = (checks: readonly Check[], now: Date): string => {
  const section = ({ name, state, detail, rows = [] }: Check) => html`<h2>${name}: ${state}</h2><p>${detail}</p>
<table><tr>${Object.keys(rows[0] ?? {}).map((key) => html`<th>${codeInWords(key)}</th>`)}</tr>
${rows.map((row) => html`<tr>${Object.values(row).map((value) => html`<td>${shown(value)}</td>`)}</tr>`)}</table>`
  return `<!doctype html>\n${textOf(html`<html lang="en"><head><meta charset="utf-8"><title>Operation · Lotline</title>
<style>body{font:15px system-ui;margin:2rem}td,th{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}</style></head>
<body><h1>Operation</h1><p>${now.toISOString()} · <a href="/operation.json">JSON</a> · <a href="/metrics">Metrics</a></p>
${checks.map(section)}</body></html>`)}`
}

const shown = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'number'
    ? value.toLocaleString('en', { maximumFractionDigits: 1 })
    : String(value ?? unknownMark)
}
