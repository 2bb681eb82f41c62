// Runs the receiver code of docs/guide/webhooks.md against a signature made by the service.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { retrySeconds } from '../../src/events/delivery-attempt.ts'
import { signatureHeaders } from '../../src/events/send.ts'

const page = await readFile(join(import.meta.dirname, '../../docs/guide/webhooks.md'), 'utf8')
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lotline-docs-'))
})

const codeUnder = (heading: string): string => {
  const section = page.split(`### ${heading}\n`)[1]
  const code = section && /```\w+ receiver\n([\s\S]*?)```/.exec(section)?.[1]
  if (!code) throw new Error(`no code under ${heading}`)
  return code
}

const body = '{"event":"permit.created","data":{"address":"10 Öak St – “rear”"}}'
const secret = `whsec_${randomBytes(32).toString('base64')}`
const previousSecret = `whsec_${randomBytes(32).toString('base64')}`
const headers = signatureHeaders({ eventId: 'evt_1', body, at: new Date(), secret, previousSecret })
const env = {
  ...process.env,
  SECRET: secret,
  SIGNATURE: headers['x-service-signature'],
  ID: headers['webhook-id'],
  TIMESTAMP: headers['webhook-timestamp'],
  STANDARD_SIGNATURE: headers['webhook-signature'],
}

const languages = {
  TypeScript: { file: 'verify.mts', command: [process.execPath] },
  Python: { file: 'verify.py', command: ['python3'] },
  Go: { file: 'verify.go', command: ['go'] },
}
/** A first build with Go compiles its library, which takes as long as a hundred other tests: weekly. */
const runs = (program: string) =>
  program === 'go'
    ? Boolean(process.env.LOTLINE_WEEKLY) && spawnSync(program, ['version']).error === undefined
    : spawnSync(program, ['--version']).error === undefined

for (const [language, { file, command }] of Object.entries(languages)) {
  const [program, ...args] = command as [string, ...string[]]
  test.skipIf(!runs(program))(
    `the ${language} receiver accepts a valid signature and rejects others`,
    async () => {
      const path = join(dir, file)
      await writeFile(path, codeUnder(language))
      const built = join(dir, 'verify')
      const [receiver, ...given] = language === 'Go' ? [built] : [program, ...args, path]
      if (language === 'Go') expect(spawnSync('go', ['build', '-o', built, path]).status).toBe(0)
      const run = (input: string, change: Record<string, string> = {}) =>
        spawnSync(receiver!, given, { input, env: { ...env, ...change } }).status
      expect(run(body)).toBe(0)
      expect(run(`${body} `)).not.toBe(0)
      expect(run(body, { SECRET: `whsec_${randomBytes(32).toString('base64')}` })).not.toBe(0)
      if (language === 'Python') expect(run(body, { SECRET: previousSecret })).toBe(0)
    },
    120_000,
  )
}

test('openssl computes the same two signatures', () => {
  const hmac = (key: string[], input: string, ...form: string[]) =>
    spawnSync('openssl', ['dgst', '-sha256', ...key, ...form], { input })
  expect(headers['x-service-signature']).toBe(
    `sha256=${hmac(['-hmac', secret], body).stdout.toString().trim().split(' ').at(-1)}`,
  )
  const bytes = Buffer.from(secret.slice(6), 'base64').toString('hex')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const standard = hmac(['-mac', 'HMAC', '-macopt', `hexkey:${bytes}`], signed, '-binary').stdout.toString('base64')
  expect(headers['webhook-signature']!.split(' ')[0]).toBe(`v1,${standard}`)
})

test('the page states the retry schedule in use', () => {
  const words = retrySeconds.map((each) =>
    each < 60 ? `${each} s` : each < 3600 ? `${each / 60} m` : `${each / 3600} h`,
  )
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`)
})
