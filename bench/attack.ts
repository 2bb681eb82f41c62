// A Pro caller within its limits, alone and then beside ten anonymous addresses that ask slow questions on every surface. Every Pro
// answer must be 200 and nearly as fast as alone, and the process must survive. --permits adds permits to the sample's, --loops busy
// loops beside both.
import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openStore } from '../src/bin/open-store.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median, quantile } from './figure.ts'
import { fill } from './million-permits.ts'
import { type Environment, proKeys } from './service.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  const rounds = context.quick ? 2 : 6
  const environment = context.permits ? await withMorePermits(context, context.permits) : context.environment
  // The attackers' addresses are in X-Forwarded-For.
  const service = await context.startService({ ...environment, TRUSTED_PROXIES: '127.0.0.1' })
  const loops = Array.from({ length: context.loops }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    const [key] = await proKeys(environment, 1)
    await askFor(service.url, key!, 0)
    const alone: Answer[] = []
    const beside: Answer[] = []
    const attackers: string[] = []
    // In turns, so that other work on the machine slows down both alike.
    for (let round = 1; round <= rounds; round++) {
      alone.push(...(await askFor(service.url, key!, round * 1_000)))
      const load = run(process.execPath, [join(import.meta.dirname, 'attack-load.ts'), service.url, `${seconds + 2}`])
      const asking = wait(1_000).then(() => askFor(service.url, key!, round * 1_000 + 500))
      const [{ stdout }, answers] = await Promise.all([load, asking])
      beside.push(...answers)
      attackers.push(stdout)
    }
    const survived = service.process.exitCode === null && (await fetch(`${service.url}/readyz`)).status === 200
    const failed = (answers: readonly Answer[]) => answers.filter(({ status }) => status !== 200).length
    const byStatus = (answers: readonly Answer[]) =>
      JSON.stringify(
        Object.fromEntries(
          [...Map.groupBy(answers, ({ status }) => status)].map(([status, own]) => [status, own.length]),
        ),
      )
    const p99 = (answers: readonly Answer[]) =>
      quantile(
        answers.map(({ ms }) => ms),
        0.99,
      )
    const p50 = (answers: readonly Answer[]) => Math.round(median(answers.map(({ ms }) => ms)))
    return [
      figureOf({
        name: 'attack: p99 of a Pro caller beside ten addresses, against alone',
        unit: 'ms',
        ours: [p99(beside)],
        rival: [p99(alone)],
        target: { at: 'most', value: 4, of: 'ratio' },
        note: `${beside.length} and ${alone.length} answers, medians ${p50(beside)} and ${p50(alone)} ms; attackers' answers by status ${attackers.join(' ')}`,
      }),
      figureOf({
        name: 'attack: answers to the Pro caller other than 200',
        unit: 'answers',
        ours: [failed(beside)],
        target: atMost(0, 'ours'),
        note: `by status (0: no answer) ${byStatus(beside)}; alone ${byStatus(alone)}`,
      }),
      figureOf({ name: 'attack: process ended', unit: 'times', ours: [survived ? 0 : 1], target: atMost(0, 'ours') }),
    ]
  } finally {
    for (const loop of loops) loop.kill()
    await service.stop()
  }
}

/** In a store of its own, because other parts measure the sample alone. */
const withMorePermits = async (context: Context, permits: number): Promise<Environment> => {
  const environment = { DATA_DIR: join(context.data ?? context.dir, `attack-${permits}`) }
  await (await context.startService(environment)).stop()
  const store = await openStore({ ...environment, DATABASE_URL: undefined }, { statementTimeoutMs: 0 })
  try {
    const { rows } = await store.pool.query(`select 1 from ingest_run where source_id = 'bench'`)
    if (rows.length === 0) await fill(store, store, permits)
  } finally {
    await store.close()
  }
  return environment
}

interface Answer {
  status: number
  ms: number
}

const run = promisify(execFile)

/** Just below the 120 requests a minute of the plan. */
const perSecond = 1.9
const seconds = 15

/** Each question differs from the ones before it, so that no answer is cached. */
const questions: ((n: number) => { path: string; body?: unknown })[] = [
  (n) => ({ path: `/api/v1/permits?q=kitchen&minValuation=${n}` }),
  (n) => ({ path: `/api/v1/market-signals?minPrice=${n}&limit=100` }),
  (n) => ({
    path: '/api/v1/search',
    body: {
      kind: 'parcels',
      criteria: {
        minLotSize: n % 5_000,
        within: {
          type: 'Polygon',
          coordinates: [
            [
              [-122.4, 37.4],
              [-122.2, 37.4],
              [-122.2, 37.6],
              [-122.4 + n / 1e7, 37.6],
              [-122.4, 37.4],
            ],
          ],
        },
      },
      explain: ['funnel'],
    },
  }),
  (n) => ({ path: `/api/v1/sales?minPrice=${n}&limit=50` }),
]

const askFor = async (url: string, key: string, from: number): Promise<Answer[]> => {
  const answers: Promise<Answer>[] = []
  for (let n = 0; n < seconds * perSecond; n++) {
    const { path, body } = questions[n % questions.length]!(from + n)
    const begun = performance.now()
    answers.push(
      fetch(`${url}${path}`, {
        headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      })
        .then(async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        })
        .catch(() => 0)
        .then((status) => ({ status, ms: performance.now() - begun })),
    )
    await wait(1000 / perSecond)
  }
  return Promise.all(answers)
}
