// Permit search over a million permits with varied wording: a mixed set of questions by kind.
import type { Database } from '../src/store/engine/database.ts'
import { permitPage } from '../src/store/permits/permits.ts'
import { type Context, trialRows } from './context.ts'
import { atMost, type Figure, figureOf, quantile } from './figure.ts'
import { withMarket } from './market-data.ts'
import { type Cost, costOf } from './sandbox.ts'
import { longKinds, type Question, searchQuestions } from './search-questions.ts'

const shortKinds = ['short word', 'marks']

/** The costs of one run, in the order of the questions. */
type Run = readonly Cost[]

export const measure = async (context: Context): Promise<Figure[]> => {
  const figures: Figure[] = []
  const rows = context.sized(1_000_000, 100_000, trialRows)
  await withMarket(context, { homes: rows, permits: rows }, async (database) => {
    const questions = await searchQuestions(database, context.sized(4, 2, 1))
    for (const question of questions) await ask(database, question)
    const runs: Run[] = []
    for (let run = 0; run < context.runs; run++) runs.push(await askAll(database, questions))
    const p95 = (kinds: readonly string[], of: keyof Cost = 'elapsed') =>
      runs.map((run) =>
        quantile(
          run.flatMap((cost, at) => (kinds.includes(questions[at]!.kind) ? [cost[of]] : [])),
          0.95,
        ),
      )
    const title = (what: string) => `permit search, ${rows.toLocaleString('en-US')}: ${what}`
    const long = questions.filter(({ kind }) => longKinds.includes(kind))
    figures.push(
      figureOf(title('p95, words of three letters or more'), 'ms', p95(longKinds), {
        target: atMost(100, 'ours'),
        note: `${long.length} questions: common, frequent and rare words, two words, parts of words, permit numbers, addresses, contractors, each without filter and with city, valuation and dates; exact total to 10,000 included`,
      }),
      figureOf(title('p95 of processor time, words of three letters or more'), 'ms', p95(longKinds, 'cpu'), {
        note: 'of the database connection; other programs on the machine affect it less',
      }),
      figureOf(title('p95, shorter words and marks'), 'ms', p95(shortKinds), { target: atMost(200, 'ours') }),
      figureOf(
        title('slowest question'),
        'ms',
        runs.map((run) => Math.max(...run.map(({ elapsed }) => elapsed))),
        {
          target: atMost(1000, 'ours'),
          note: '26 single letters, marks with a date, digits in many cities and late pages among them',
        },
      ),
    )
  })
  return figures
}

const ask = ({ db }: Database, { kind: _, q, offset = 0, ...rest }: Question) =>
  permitPage(db, { ...rest, words: q.split(' ') }, { limit: 26, offset })

const askAll = async (database: Database, questions: readonly Question[]): Promise<Run> => {
  const run: Cost[] = []
  for (const question of questions) run.push(await costOf(database.pool, () => ask(database, question)))
  return run
}
