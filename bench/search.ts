// Permit search over a million permits with varied wording: a mixed set of questions by kind, beside other ways to search the
// same permits, asked in turns; and what each way adds to the cost of loading a permit.
import { loadavg } from 'node:os'
import { type Database, inTransaction, sql } from '../src/store/engine/database.ts'
import { indexPermits } from '../src/store/permit-search/upkeep.ts'
import { permitPage } from '../src/store/permits/permits.ts'
import { backendCpu } from './backend-cpu.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median, quantile } from './figure.ts'
import { copyPermits, withPermits, wordingOf } from './million-permits.ts'
import { longKinds, type Question, searchQuestions } from './search-questions.ts'
import { rivals } from './search-rivals.ts'

export type { Question } from './search-questions.ts'

const shortKinds = ['short word', 'marks']

/** Elapsed time and processor time of the database connection, in milliseconds. */
interface Cost {
  elapsed: number
  cpu: number
}
/** The costs of one run by way of searching, in the order of the questions; undefined where a question was not asked. */
type Run = Map<string, (Cost | undefined)[]>

export const measure = async (context: Context): Promise<Figure[]> => {
  const figures: Figure[] = []
  await withPermits(context, context.quick ? 100_000 : 1_000_000, async (database) => {
    await removeNewPermits(database)
    for (const rival of rivals) await rival.prepare(database.pool)
    const questions = await searchQuestions(database, context.quick ? 2 : 4)
    // The rivals are asked in a run of their own: some of their answers take seconds, and their tables take up the memory of ours.
    const compared = [await askAll(context, database, questions, true)]
    for (const question of questions) await ours(database, question)
    const runs: Run[] = []
    for (let run = 0; run < context.runs; run++) runs.push(await askAll(context, database, questions, false))
    tellTable(context, 'beside the others', questions, compared)
    tellTable(context, 'alone', questions, runs)
    if (process.env.BENCH_DETAIL) tellByKind(context, questions, runs)
    const p95 = (among: readonly Run[], way: string, kinds: readonly string[], of: keyof Cost = 'elapsed') =>
      among.map((run) => quantile(costsOf(run, way, questions, kinds).map(each(of)), 0.95))
    const title = (what: string) => `permit search, ${context.quick ? '100,000' : '1 million'}: ${what}`
    const long = questions.filter(({ kind }) => longKinds.includes(kind))
    figures.push(
      figureOf({
        name: title('p95, words of three letters or more'),
        unit: 'ms',
        ours: p95(runs, 'ours', longKinds),
        target: atMost(100, 'ours'),
        note: `${long.length} questions: common, frequent and rare words, two words, parts of words, permit numbers, addresses, contractors, each without filter and with city, valuation and dates; exact total to 10,000 included`,
      }),
      figureOf({
        name: title('p95 of processor time, words of three letters or more'),
        unit: 'ms',
        ours: p95(runs, 'ours', longKinds, 'cpu'),
        note: 'of the database connection; other programs on the machine affect it less',
      }),
      ...rivals.map(({ name }) =>
        figureOf({
          name: title(`p95 against ${name}`),
          unit: 'ms',
          ours: p95(compared, 'ours', longKinds),
          rival: p95(compared, name, longKinds),
          note: 'asked in turns',
        }),
      ),
      figureOf({
        name: title('p95, shorter words and marks'),
        unit: 'ms',
        ours: p95(runs, 'ours', shortKinds),
        target: atMost(200, 'ours'),
      }),
      figureOf({
        name: title('slowest question'),
        unit: 'ms',
        ours: runs.map((run) => Math.max(...run.get('ours')!.map((cost) => cost!.elapsed))),
        target: atMost(1000, 'ours'),
        note: '26 single letters, marks with a date, digits in many cities and late pages among them',
      }),
      ...(await writeCosts(context, database, title)),
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
  withRivals: boolean,
): Promise<Run> => {
  const ways = [
    { name: 'ours', ask: async (question: Question) => (await ours(database, question)).total },
    ...(withRivals ? rivals : []).map(({ name, ask }) => ({
      name,
      ask: (question: Question) => ask(database.pool, question),
    })),
  ]
  const run: Run = new Map(ways.map(({ name }) => [name, []]))
  const cost = costMeter(database)
  for (const question of questions) {
    const totals = new Set<number>()
    const compared = longKinds.includes(question.kind) || shortKinds.includes(question.kind)
    for (const { name, ask } of ways)
      run
        .get(name)!
        .push(name === 'ours' || compared ? await cost(async () => void totals.add(await ask(question))) : undefined)
    if (totals.size > 1) context.say(`    totals differ: ${JSON.stringify(question)} ${[...totals].join(', ')}`)
  }
  return run
}

const costMeter = ({ pool }: Database) => {
  const used = () => backendCpu(pool)
  return async (work: () => Promise<void>): Promise<Cost> => {
    const cpuBefore = await used()
    const begun = performance.now()
    await work()
    const elapsed = performance.now() - begun
    const cpuAfter = await used()
    return { elapsed, cpu: cpuBefore === undefined || cpuAfter === undefined ? elapsed : cpuAfter - cpuBefore }
  }
}

const each =
  (of: keyof Cost) =>
  (cost: Cost): number =>
    cost[of]

const costsOf = (run: Run, way: string, questions: readonly Question[], kinds: readonly string[]): Cost[] =>
  (run.get(way) ?? []).filter((cost, at): cost is Cost => cost !== undefined && kinds.includes(questions[at]!.kind))

const shown = (costs: readonly Cost[], of: keyof Cost): string =>
  [0.5, 0.95, 1].map((share) => quantile(costs.map(each(of)), share).toFixed(0)).join(', ')

/** The median of each question over all runs. */
const mediansOf = (runs: readonly Run[], way: string, questions: readonly Question[], kinds: readonly string[]) =>
  questions.flatMap(({ kind }, at): Cost[] => {
    if (!kinds.includes(kind)) return []
    const costs = runs.flatMap((run) => run.get(way)?.[at] ?? [])
    return costs.length === 0
      ? []
      : [{ elapsed: median(costs.map(each('elapsed'))), cpu: median(costs.map(each('cpu'))) }]
  })

const tellTable = (context: Context, how: string, questions: readonly Question[], runs: readonly Run[]): void => {
  context.say(
    `    ${how}: load average ${loadavg()[0]!.toFixed(1)}; p50, p95 and slowest in ms, elapsed and processor time`,
  )
  for (const way of runs[0]!.keys())
    for (const [title, kinds] of [
      ['words of three letters or more', longKinds],
      ['shorter words and marks', shortKinds],
      ['late pages', ['deep offset']],
      ['hostile questions', ['attack']],
    ] as const) {
      const costs = mediansOf(runs, way, questions, kinds)
      if (costs.length > 0) context.say(`    ${way}, ${title}: ${shown(costs, 'elapsed')} | ${shown(costs, 'cpu')}`)
    }
}

const tellByKind = (context: Context, questions: readonly Question[], runs: readonly Run[]): void => {
  for (const kind of new Set(questions.map((question) => question.kind)))
    for (const way of runs[0]!.keys()) {
      const costs = mediansOf(runs, way, questions, [kind])
      if (costs.length > 0) context.say(`    ${kind}, ${way}: ${shown(costs, 'elapsed')} | ${shown(costs, 'cpu')}`)
    }
}

const batch = 10_000

/** What each way adds to loading the same 10,000 permits, which are deleted again. */
const writeCosts = async (context: Context, database: Database, title: (what: string) => string): Promise<Figure[]> => {
  const { permits } = await wordingOf(database)
  const rows = [...permits(batch)].map((permit) => ({ ...permit, permitId: `NEW-${permit.permitId}` }))
  const keys = sql`select market, city_slug, permit_id from permit where permit_id like 'NEW-%'`
  const costs = new Map<string, Cost[]>()
  const cost = costMeter(database)
  const add = async (name: string, work: () => Promise<void>) => {
    costs.set(name, [...(costs.get(name) ?? []), await cost(work)])
  }
  for (let run = 0; run < 3; run++) {
    const client = await database.pool.connect()
    try {
      await copyPermits(client, rows)
    } finally {
      client.release()
    }
    await add('ours', () => inTransaction(database.db, (tx) => indexPermits(tx, keys)))
    for (const { name, write } of rivals)
      await add(name, async () => {
        for (const statement of write) await database.pool.query(statement)
      })
    await removeNewPermits(database)
  }
  const perPermit = (name: string, of: keyof Cost) => costs.get(name)!.map((each) => each[of] / batch)
  for (const name of costs.keys())
    context.say(
      `    cost per permit written, ${name}: ${median(perPermit(name, 'elapsed')).toFixed(3)} ms | ${median(perPermit(name, 'cpu')).toFixed(3)} ms`,
    )
  return rivals.map(({ name }) =>
    figureOf({
      name: title(`processor time per permit written against ${name}`),
      unit: 'ms',
      ours: perPermit('ours', 'cpu'),
      rival: perPermit(name, 'cpu'),
      note: `in a load of ${batch.toLocaleString('en-US')}, the permit table itself not counted`,
    }),
  )
}

/** Also those that an interrupted run left behind, and their entries in the pending list of the index, which every search reads. */
const removeNewPermits = async ({ db, pool }: Database): Promise<void> => {
  await sql`delete from permit_search where permit_id like 'NEW-%'`.execute(db)
  await sql`delete from permit where permit_id like 'NEW-%'`.execute(db)
  await sql`select gin_clean_pending_list(to_regclass('permit_search_words'))`.execute(db)
  for (const { remove } of rivals) {
    const { rows } = await pool.query('select to_regclass($1) is not null as there', [remove.split(' ')[2]])
    if (rows[0].there) await pool.query(remove)
  }
}
