// Compares the rows of every statement that a test runs with the row that its function declares. The compiler does not check the
// declaration against the database; this does. LOTLINE_ROWS_SEEN=<file> lists the statements that were compared.
import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, inject } from 'vitest'
import { valueAt } from '../../src/common/typed.ts'
import { statementChannel } from '../../src/store/engine/trace-channels.ts'
import { problemsOf, type Result, statementsOf } from './compare-rows.ts'
import type { Statement } from './declared-rows.ts'

/** Later results of a statement show nothing new. */
const timesCompared = 50
const seen = process.env.LOTLINE_ROWS_SEEN

const shared = globalThis as { lotlineRows?: { mismatches: Set<string> } }
shared.lotlineRows ??= startChecking()
const { mismatches } = shared.lotlineRows

function startChecking() {
  const mismatches = new Set<string>()
  const statements = JSON.parse(readFileSync(inject('statements'), 'utf8')) as Statement[]
  const known = new Map<string, { found: Statement[]; times: number }>()
  statementChannel.asyncEnd.subscribe((message) => {
    const { text, result } = message as { text: string; result?: Result }
    if (!result?.fields) return
    const statement = valueAt(known, text, () => ({ found: statementsOf(text, statements), times: 0 }))
    if (statement.times++ >= timesCompared) return
    if (seen && statement.times === 1) for (const { at } of statement.found) appendFileSync(seen, `${at}\n`)
    const problems = statement.found.map((each) => problemsOf(each, result))
    // Two statements with the same text: one of them is meant.
    if (problems.every((each) => each.length > 0)) for (const each of problems.flat()) mismatches.add(each)
  })
  return { mismatches }
}

afterAll(() => {
  const found = [...mismatches]
  mismatches.clear()
  if (found.length > 0) throw new Error(`Rows that are not as declared:\n${found.join('\n')}`)
})
