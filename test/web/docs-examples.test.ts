// Runs every code example of the guide pages as a reader would, against a running service.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Marked, type Tokens } from 'marked'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, codeSample, languages } from '../../src/web/browser/code-samples.ts'
import { writtenBase } from '../../src/web/docs/markdown.ts'
import { curlExample } from '../../src/web/pages/home.ts'
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
  for (const [at, { lang = '', text }] of blocks.entries())
    examples.push({ page, at: at + 1, language: lang, code: text })
}

const available = async (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )
const [hasCurl, hasPython] = await Promise.all([available('curl'), available('python3')])
if (!hasCurl) process.stderr.write('SKIPPED: shell examples, because curl is not installed.\n')
if (!hasPython) process.stderr.write('SKIPPED: Python examples, because python3 is not installed.\n')

let site: TestSite
let dir: string
beforeAll(async () => {
  site = await startSite({ listening: true })
  for (const id of ['p1', 'p2', 'p3']) await addProperty(site.db, id)
  for (let at = 0; at < 12; at++)
    await addProperty(site.db, `n${at}`, {
      market: 'nantucket',
      city: 'Nantucket',
      citySlug: 'nantucket',
      rankScore: at,
    })
  for (let at = 0; at < 12; at++) await addPermit(site.db, `B-${at}`)
  dir = await mkdtemp(join(tmpdir(), 'lotline-examples-'))
})
afterAll(async () => {
  await site?.close()
  if (dir) await rm(dir, { recursive: true })
})

/** Returns what the example printed; throws if it fails. */
const runs = async (language: string, code: string): Promise<string> => {
  // All examples together would exceed the demo key's ten requests a minute, so each starts a new minute.
  clock += 61_000
  site.setNow(new Date(clock))
  const live = code.replaceAll(writtenBase, site.url)
  if (language === 'sh')
    return (await run('bash', ['-euo', 'pipefail', '-c', live.replaceAll('curl ', 'curl -sS ')])).stdout
  const file = join(dir, language === 'python' ? 'example.py' : 'example.ts')
  await writeFile(file, live)
  return (await run(language === 'python' ? 'python3' : process.execPath, [file])).stdout
}
let clock = Date.now()

const skipped = (language: string) => (language === 'sh' && !hasCurl) || (language === 'python' && !hasPython)

test('every example is in a language that is run here, or is JSON', () => {
  expect(new Set(examples.map(({ language }) => language))).toEqual(
    new Set(['sh', 'sh no-key', 'ts', 'python', 'json']),
  )
})

describe.each(examples.filter(({ language }) => ['sh', 'ts', 'python'].includes(language)))(
  '$page, example $at ($language)',
  ({ page, language, code }) => {
    test.skipIf(skipped(language))('runs', async () => {
      const printed = await runs(language, code)
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
  const printed = await runs('sh', `export LOTLINE_API_KEY='${key}'\n${code}`)
  expect(JSON.parse(printed)).toMatchObject({ success: true, signingSecret: expect.stringMatching(/^whsec_/) })
})

test.skipIf(!hasCurl)('the request on the home page runs', async () => {
  expect(JSON.parse(await runs('sh', curlExample(site.url)))).toMatchObject({ success: true, count: 1 })
})

describe.each(languages)('the playground’s %s', (language) => {
  const fence = { curl: 'sh', TypeScript: 'ts', Python: 'python' }[language]
  test.skipIf(skipped(fence))('runs for a read and a write, with quotes in the input', async () => {
    const read: Call = { method: 'GET', url: `${site.url}/api/v1/permits?q=it%27s+%22two%22&limit=1`, key: 'demo' }
    expect(await runs(fence, codeSample(language, read))).toMatch(/success/)
    const write: Call = {
      method: 'POST',
      url: `${site.url}/api/v1/subscribe`,
      body: { email: "o'neil@example.com", market: 'nantucket' },
    }
    expect(await runs(fence, codeSample(language, write))).toMatch(/success/)
  })
})
