// Permit search over a million permits with varied wording: a mixed set of questions by kind, beside other ways to search the
// same permits, asked in turns; and what search adds to the cost of loading a permit.

import type { Database } from '../src/store/engine/database.ts'
import { inTransaction, sql } from '../src/store/engine/database.ts'
import { indexPermits } from '../src/store/permit-search/upkeep.ts'
import { permitPage } from '../src/store/permits/permits.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, quantile, timed } from './figure.ts'
import { copyPermits, withPermits, wordingOf } from './million-permits.ts'
import { longKinds, type Question, searchQuestions } from './search-questions.ts'
import { rivals } from './search-rivals.ts'

export type { Question } from './search-questions.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  const figures: Figure[] = []
  await withPermits(context, context.quick ? 100_000 : 1_000_000, async (database) => {
    for (const rival of rivals) await rival.prepare(database.pool)
    const questions = await searchQuestions(database, context.quick ? 2 : 4)
    const runs = Array.from({ length: context.runs }, () => new Map<string, number[]>())
    for (const question of questions) await ours(database, question)
    for (const run of runs) await askAll(context, database, questions, run)
    if (process.env.BENCH_DETAIL) tellByKind(context, questions, runs)
    const p95 = (way: string, kinds: readonly string[]) =>
      runs.map((run) => quantile(timesOf(run, way, questions, kinds), 0.95))
    const title = (what: string) => `permit search, ${context.quick ? '100,000' : '1 million'}: ${what}`
    const long = questions.filter(({ kind }) => longKinds.includes(kind))
    figures.push(
      figureOf({
        name: title('p95, words of three letters or more'),
        unit: 'ms',
        ours: p95('ours', longKinds),
        target: atMost(50, 'ours'),
        note: `${long.length} questions: common, frequent and rare words, two words, parts of words, permit numbers, addresses, contractors, each without filter and with city, valuation and dates; exact total to 10,000 included`,
      }),
      ...rivals.map(({ name }) =>
        figureOf({
          name: title(`p95 against ${name}`),
          unit: 'ms',
          ours: p95('ours', longKinds),
          rival: p95(name, longKinds),
        }),
      ),
      figureOf({
        name: title('p95, shorter words and marks'),
        unit: 'ms',
        ours: p95('ours', ['short word', 'marks']),
        target: atMost(200, 'ours'),
      }),
      figureOf({
        name: title('slowest question'),
        unit: 'ms',
        ours: runs.map((run) => Math.max(...questions.map((_, at) => run.get('ours')![at]!))),
        target: atMost(1000, 'ours'),
        note: '26 single letters, marks with a date, digits in many cities and late pages among them',
      }),
      await loadCost(context, database, title('loading 10,000 permits with search against without')),
    )
  })
  return figures
}

export const ours = ({ db }: Database, { kind: _, q, offset = 0, ...rest }: Question) =>
  permitPage(db, { ...rest, words: q.split(' ') }, { limit: 26, offset })

/** Every question to every way in turn, so that all are measured under the same load. */
const askAll = async (
  context: Context,
  database: Database,
  questions: readonly Question[],
  run: Map<string, number[]>,
): Promise<void> => {
  const ways = [
    { name: 'ours', ask: async (question: Question) => (await ours(database, question)).total },
    ...rivals.map(({ name, ask }) => ({ name, ask: (question: Question) => ask(database.pool, question) })),
  ]
  for (const question of questions) {
    const totals = new Set<number>()
    for (const { name, ask } of ways) {
      const ms = await timed(async () => totals.add(await ask(question)))
      run.set(name, [...(run.get(name) ?? []), ms])
    }
    if (totals.size > 1) context.say(`    totals differ: ${JSON.stringify(question)} ${[...totals].join(', ')}`)
  }
}

const timesOf = (
  run: ReadonlyMap<string, readonly number[]>,
  way: string,
  questions: readonly Question[],
  kinds: readonly string[],
): number[] => run.get(way)!.filter((_, at) => kinds.includes(questions[at]!.kind))

const tellByKind = (
  context: Context,
  questions: readonly Question[],
  runs: readonly ReadonlyMap<string, readonly number[]>[],
): void => {
  for (const kind of new Set(questions.map((question) => question.kind)))
    for (const way of runs[0]!.keys()) {
      const times = runs.flatMap((run) => timesOf(run, way, questions, [kind]))
      const shown = [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(0)).join(', ')
      context.say(`    ${kind}, ${way}: p50, p95 and slowest ${shown} ms`)
    }
}

const batch = 10_000

/** The same rows each time; they are deleted again. */
const loadCost = async (context: Context, database: Database, name: string): Promise<Figure> => {
  const withSearch: number[] = []
  const without: number[] = []
  const { permits } = await wordingOf(database)
  const rows = [...permits(batch)].map((permit) => ({ ...permit, permitId: `NEW-${permit.permitId}` }))
  for (let run = 0; run < context.runs; run++) {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      without.push(await timed(() => copyPermits(client, rows)))
      await client.query('commit')
    } finally {
      client.release()
    }
    const keys = sql`select market, city_slug, permit_id from permit where permit_id like 'NEW-%'`
    const indexing = await timed(() => inTransaction(database.db, (tx) => indexPermits(tx, keys)))
    withSearch.push(without.at(-1)! + indexing)
    await sql`delete from permit_search where permit_id like 'NEW-%'`.execute(database.db)
    await sql`delete from permit where permit_id like 'NEW-%'`.execute(database.db)
  }
  return figureOf({
    name,
    unit: 'ms',
    ours: withSearch,
    rival: without,
    note: 'copied into the permit table, then indexed',
  })
}
