// Runs every code example of the documentation against a running service.
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { Marked, type Tokens } from 'marked'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { indexBuilders } from '../../src/store/permits/builders.ts'
import { type Call, codeSample, languages } from '../../src/web/browser/code-samples.ts'
import { exampleBaseUrl } from '../../src/web/docs/markdown.ts'
import { exampleCall, keyPlaceholder } from '../../src/web/docs/operation-samples.ts'
import { curlExample } from '../../src/web/pages/home.ts'
import { operationList } from '../../src/wire/operations/list.ts'
import { addPermit, addProperty, startSite, type TestSite } from './site.ts'

const run = promisify(execFile)
const guideDir = join(dirname(fileURLToPath(import.meta.url)), '../../docs/guide')

interface Example {
  page: string
  at: number
  language: string
  code: string
}

const examples: Example[] = []
for (const page of await readdir(guideDir)) {
  const tokens = new Marked().lexer(await readFile(join(guideDir, page), 'utf8'))
  const blocks = tokens.filter((token): token is Tokens.Code => token.type === 'code')
  for (const [at, { lang = '', text: code }] of blocks.entries())
    examples.push({ page, at: at + 1, language: lang, code })
}

const available = async (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )
const [hasCurl, hasPython] = await Promise.all([available('curl'), available('python3')])
if (!hasCurl) process.stderr.write('SKIPPED: shell examples need curl.\n')
if (!hasPython) process.stderr.write('SKIPPED: Python examples need python3.\n')

let site: TestSite
let dir: string
beforeAll(async () => {
  site = await startSite({ listening: true })
  for (const id of ['p_001p1', 'p_001p2', 'p_001p3']) await addProperty(site.db, id)
  for (let at = 0; at < 12; at++)
    await addProperty(site.db, `p_002n${at}`, {
      market: 'nantucket',
      city: 'Nantucket',
      citySlug: 'nantucket',
      rankScore: at,
    })
  for (let at = 0; at < 12; at++) await addPermit(site.db, `B-${at}`)
  await addPermit(site.db, 'B26-0101')
  await indexBuilders(site.db, 'sf-peninsula')
  dir = await mkdtemp(join(tmpdir(), 'lotline-examples-'))
})
afterAll(async () => {
  await site?.close()
  if (dir) await rm(dir, { recursive: true })
})

/** Returns what the example printed; throws when it fails. */
const runExample = async (language: string, code: string): Promise<string> => {
  // Each example runs in its own minute, so that the demo key stays under its rate limit.
  clock += 61_000
  site.setNow(new Date(clock))
  const live = code.replaceAll(exampleBaseUrl, site.url)
  if (language === 'sh')
    return (await run('bash', ['-euo', 'pipefail', '-c', live.replaceAll('curl ', 'curl -sS ')])).stdout
  return (language === 'python' ? runPython : runTypeScript)(live)
}
let clock = Date.now()

let count = 0
const fileOf = async (code: string, extension: string): Promise<string> => {
  const file = join(dir, `example${++count}.${extension}`)
  await writeFile(file, code)
  return file
}

/**
 * In a thread of its own, which ends when nothing is left to run, so that late output belongs to its example. The types are removed
 * here: each thread would load what does it.
 */
const runTypeScript = async (code: string): Promise<string> => {
  const worker = new Worker(await fileOf(stripTypeScriptTypes(code), 'mjs'), { stdout: true, execArgv: [] })
  const ended = new Promise<number>((resolve, reject) => worker.once('error', reject).once('exit', resolve))
  const [printed, exitCode] = await Promise.all([text(worker.stdout), ended])
  if (exitCode !== 0) throw new Error(`This example exits with ${exitCode}:\n${code}`)
  return printed
}

/** One process runs all examples, each as a program of its own: starting a process for each is slow. */
const pythonRunner = `
import runpy, sys, traceback
for file in sys.stdin:
    try:
        runpy.run_path(file.strip(), run_name='__main__')
        print('completed', flush=True)
    except BaseException:
        traceback.print_exc()
        print('failed', flush=True)
`
let python: { child: ChildProcessByStdio<Writable, Readable, null>; lines: AsyncIterator<string> } | undefined
afterAll(() => void python?.child.kill())

const runPython = async (code: string): Promise<string> => {
  if (!python) {
    const child = spawn('python3', ['-c', pythonRunner], { stdio: ['pipe', 'pipe', 'inherit'] })
    python = { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
  }
  python.child.stdin.write(`${await fileOf(code, 'py')}\n`)
  const printed: string[] = []
  for (;;) {
    const { value, done } = await python.lines.next()
    if (value === 'completed') return printed.join('\n')
    // A process that ended is replaced for the next example.
    if (done) python = undefined
    if (!python || value === 'failed') throw new Error(`Python could not run this example:\n${code}`)
    printed.push(value)
  }
}

const skipped = (language: string) => (language === 'sh' && !hasCurl) || (language === 'python' && !hasPython)

// test/docs/webhooks.test.ts runs the receivers.
test('every example is in a language that a test runs, or JSON', () => {
  const run = ['sh', 'sh no-key', 'ts', 'python', 'json', 'ts receiver', 'python receiver', 'go receiver']
  expect(new Set(examples.map(({ language }) => language))).toEqual(new Set(run))
})

describe.each(examples.filter(({ language }) => ['sh', 'ts', 'python'].includes(language)))(
  '$page, example $at ($language)',
  ({ page, language, code }) => {
    test.skipIf(skipped(language))('runs', async () => {
      const printed = await runExample(language, code)
      if (language !== 'sh') return
      const body = printed.slice(printed.indexOf('{'))
      expect(JSON.parse(body).success).toBe(page !== 'errors.md')
    })
  },
)

test.each(examples.filter(({ language }) => language === 'json'))('$page, example $at is JSON', ({ code }) => {
  expect(() => JSON.parse(code)).not.toThrow()
})

test.skipIf(!hasCurl)('the webhook registration runs with a Pro key', async () => {
  const { code } = examples.find(({ language }) => language === 'sh no-key')!
  const key = await site.proKey()
  const printed = await runExample('sh', `export LOTLINE_API_KEY='${key}'\n${code}`)
  expect(JSON.parse(printed)).toMatchObject({ success: true, signingSecret: expect.stringMatching(/^whsec_/) })
})

test('the watch of the guide is accepted', async () => {
  const { code } = examples.find((example) => example.language === 'json' && example.code.includes('"channels"'))!
  const response = await fetch(`${site.url}/api/v1/watches`, {
    method: 'POST',
    headers: { 'x-api-key': await site.proKey(), 'content-type': 'application/json' },
    body: code,
  })
  expect(await response.json()).toMatchObject({ success: true, data: { atomUrl: expect.anything() } })
})

test.skipIf(!hasCurl)('the curl command on the home page runs', async () => {
  expect(JSON.parse(await runExample('sh', curlExample(site.url)))).toMatchObject({ success: true, count: 1 })
})

describe.each(languages)('the playground %s', (language) => {
  const fence = { curl: 'sh', TypeScript: 'ts', Python: 'python' }[language]
  test.skipIf(skipped(fence))('code sample runs for GET and POST, with quotes in the values', async () => {
    const read: Call = { method: 'GET', url: `${site.url}/api/v1/permits?q=it%27s+%22two%22&limit=1`, key: 'demo' }
    expect(await runExample(fence, codeSample(language, read))).toMatch(/success/)
    const write: Call = {
      method: 'POST',
      url: `${site.url}/api/v1/subscribe`,
      body: { email: "o'neil@example.com", market: 'nantucket' },
    }
    expect(await runExample(fence, codeSample(language, write))).toMatch(/success/)
  })
})

/** The builder of the examples. */
const builderId = 'sf-peninsula-3fa2c81b90de'

/** All but those that answer a file. */
const runnable = operationList.filter(({ fileTypes }) => fileTypes === undefined)

// Each operation in one language, in turn: the code of all is generated in the same way. Weekly in all three.
describe.each(languages.map((language, nth) => [language, nth] as const))('the reference in %s', (language, nth) => {
  const fence = { curl: 'sh', TypeScript: 'ts', Python: 'python' }[language]
  const shown = runnable.filter((_, at) => process.env.LOTLINE_WEEKLY || at % languages.length === nth)
  test.skipIf(skipped(fence)).each(shown.map((operation) => [operation.name, operation] as const))(
    'runs the example of %s',
    async (_, operation) => {
      const key = await site.proKey()
      const ask = async (method: string, path: string, body?: unknown) => {
        clock += 61_000
        site.setNow(new Date(clock))
        const response = await fetch(`${site.url}/api/v1/${path}`, {
          method,
          headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        return (await response.json()) as Record<string, string>
      }
      let code = codeSample(language, exampleCall(operation, `${exampleBaseUrl}/api`))
        .replaceAll(keyPlaceholder, key)
        .replaceAll('p_001mmzx1rp97xxdw2qm', 'p_001p1')
      if (code.includes('wh_3Fd9')) {
        const { id } = await ask('POST', 'webhooks/register', { url: 'https://example.com/hooks/lotline' })
        code = code.replaceAll('wh_3Fd9', id!)
        if (code.includes('dlv_5Tn4'))
          code = code.replaceAll('dlv_5Tn4', (await ask('POST', `webhooks/${id}/test`)).deliveryId!)
      }
      if (code.includes('exp_5TgK2')) {
        const { data } = await ask('POST', 'exports', { kind: 'permits', format: 'csv' })
        code = code.replaceAll('exp_5TgK2', (data as unknown as { id: string }).id)
      }
      if (code.includes('wat_3Fd9')) {
        const hook = await ask('POST', 'webhooks/register', { url: 'https://example.com/hooks/lotline' })
        const watch = { name: 'Mine', kind: 'listings', channels: { webhooks: [hook.id] } }
        const { data } = await ask('POST', 'watches', watch)
        code = code.replaceAll('wat_3Fd9', (data as unknown as { id: string }).id)
      }
      if (code.includes('deal_4Kp2')) {
        const { data } = await ask('POST', 'deals', { propertyId: 'p_001p1' })
        code = code.replaceAll('deal_4Kp2', (data as unknown as { id: string }).id)
      }
      if (code.includes('as_3Fd9')) {
        const { data } = await ask('POST', 'assumption-sets', { name: 'Mine', values: { ratePct: 8 } })
        code = code.replaceAll('as_3Fd9', (data as unknown as { id: string }).id)
      }
      if (code.includes(builderId)) {
        const { data } = await ask('GET', 'builders?limit=1')
        code = code.replaceAll(builderId, (data as unknown as [{ id: string }])[0].id)
      }
      expect(await runExample(fence, code)).toMatch(/["']?success["']?: ?(true|True)/)
    },
  )
})
