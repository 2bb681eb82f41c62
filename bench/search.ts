// Permit search over a million permits with varied wording: a mixed set of questions by kind.
import type { Database } from '../src/store/engine/database.ts'
import { permitPage } from '../src/store/permits/permits.ts'
import { type Context, trialRows } from './context.ts'
import { atMost, type Figure, figureOf, quantile } from './figure.ts'
import { today, withMarket } from './market-data.ts'
import { type Cost, costOf } from './sandbox.ts'

interface Question {
  kind: string
  q: string
  city?: string
  minValuation?: number
  issuedFrom?: string
  offset?: number
}

/** Kinds whose words have three letters or digits in a row, which is what the target of 100 ms is for. */
const longKinds = [
  'common word',
  'frequent word',
  'rare word',
  'two words',
  'part of a word',
  'permit number',
  'address',
  'contractor',
  'no match',
]
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

/** The mixed set of questions: drawn from the permits themselves, so that each has answers, and crossed with filters. */
const searchQuestions = async ({ pool }: Pick<Database, 'pool'>, perKind: number): Promise<Question[]> => {
  const { rows } = await pool.query<{ id: string; address: string; description: string; contractor: string }>(
    `select permit_id as id, address, description, contractor from permit
     where issued_on is not null and contractor is not null and length(description) > 40
     order by md5(permit_id || city_slug) limit $1`,
    [perKind * 40],
  )
  let at = 0
  const next = () => rows[at++ % rows.length]!
  const take = (make: (row: (typeof rows)[number], i: number) => string | undefined): string[] => {
    const made = new Set<string>()
    for (let i = 0; made.size < perKind && i < 40 * perKind; i++) {
      const q = make(next(), i)
      if (q) made.add(q)
    }
    return [...made]
  }
  const words = (text: string) =>
    text
      .toLowerCase()
      .split(/[\s.,;:()"]+/)
      .filter((word) => /^[a-z][a-z-]{3,}$/.test(word))
  const last = (text: string) => words(text).at(-1)
  const plain: [kind: string, qs: string[]][] = [
    ['common word', ['kitchen', 'new', 'remodel', 'roof', 'residence', 'window', 'garage', 'solar'].slice(0, perKind)],
    [
      'frequent word',
      ['seismic', 'battery', 'basement', 'sprinklers', 'furnace', 'foundation', 'cottage', 'septic'].slice(0, perKind),
    ],
    ['rare word', take(({ description }) => last(description))],
    [
      'two words',
      [
        'remodel bath',
        'kitchen island',
        ...take(({ description }, i) => {
          const all = words(description)
          return all.length > 4 ? `${all[i % all.length]} ${all[(i + 2) % all.length]}` : undefined
        }),
      ].slice(0, perKind),
    ],
    [
      'part of a word',
      take(({ description }, i) => {
        const word = words(description).find((each) => /^[a-z]{8,}$/.test(each))
        return word?.slice(1 + (i % 2), 4 + (i % 4))
      }),
    ],
    ['permit number', take(({ id }, i) => [id, id.slice(-5), id.slice(0, -2), id.toLowerCase()][i % 4])],
    [
      'address',
      take(
        ({ address }, i) =>
          [address, address.split(' ').slice(0, 2).join(' '), address.split(' ')[1]!.toLowerCase()][i % 3],
      ),
    ],
    ['contractor', take(({ contractor }) => contractor.split(' ').slice(0, 2).join(' '))],
    ['no match', ['nothingmatches', 'zzyzx road', 'qqq', 'permit-from-nowhere'].slice(0, perKind)],
    ['short word', ['ac', 'qz', '12', 'a', '7', 'xq', '1 a', 'hv'].slice(0, perKind)],
    ['marks', ['.', '&', '-', '#', ',', '%'].slice(0, perKind)],
  ]
  const month = new Date(Date.parse(today) - 30 * 86_400_000).toISOString().slice(0, 10)
  const crossed = plain.flatMap(([kind, qs]) =>
    qs.flatMap((q): Question[] => [
      { kind, q },
      { kind, q, city: 'palo' },
      { kind, q, minValuation: 250_000 },
      { kind, q, city: 'san-mateo', minValuation: 100_000 },
      { kind, q, issuedFrom: month },
      { kind, q, issuedFrom: '2021-06-01' },
    ]),
  )
  return [
    ...crossed,
    ...[...'kitchen,remodel bath,sons,panel,2024,cottage'.split(',')].flatMap((q): Question[] => [
      { kind: 'deep offset', q, offset: 9970 },
      { kind: 'deep offset', q, offset: 2500 },
      { kind: 'deep offset', q, offset: 9970, issuedFrom: '2012-01-01' },
    ]),
    { kind: 'attack', q: [...'abcdefghijklmnopqrstuvwxyz'].join(' '), issuedFrom: '2010-01-01' },
    { kind: 'attack', q: [...'abcdefghijklmnopqrstuvwxyz'].join(' ') },
    { kind: 'attack', q: 'sons &', offset: 9990 },
    { kind: 'attack', q: '11 22 33 44', city: 'a' },
    { kind: 'attack', q: '.', issuedFrom: '2010-01-01' },
    { kind: 'attack', q: 'e t r', issuedFrom: '2010-01-01', minValuation: 900_000, offset: 9990 },
    { kind: 'attack', q: 'qz xj', city: 'a' },
    { kind: 'attack', q: '(a) (b)', minValuation: 1 },
  ]
}
