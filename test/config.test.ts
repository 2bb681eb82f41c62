import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../src/bin/open-store.ts'
import { ConfigError, keepServedUrl, readConfig, secretKeyOf, servedUrl, variables } from '../src/config.ts'

test('the README lists exactly the environment variables that the program reads', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const listed = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$/gm)].map(([, name, fallback, about]) => ({
    name,
    fallback,
    about,
  }))
  const read = Object.entries(variables).map(([name, each]) => ({
    name,
    fallback: each.default ? `\`${each.default}\`` : '',
    about: each.about,
  }))
  expect(listed).toEqual(read)
})

test('without environment variables every setting has its default', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://localhost:3000',
    EARLY_ACCESS: false,
    HIGH_VALUE_PERMIT_USD: 500_000,
    SAMPLE_DATA: true,
    TRUSTED_PROXIES: [],
  })
  expect(readConfig({ PORT: '' }).PORT).toBe(3000)
})

test('a command beside the service uses the URL of the service, unless it is told one', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'lotline-config-'))
  const command = (env: NodeJS.ProcessEnv) => servedUrl(readConfig({ DATA_DIR, ...env }), env)
  expect(command({})).toBe('http://localhost:3000')
  keepServedUrl(readConfig({ DATA_DIR, PORT: '5730' }))
  expect(command({})).toBe('http://localhost:5730')
  expect(command({ PORT: '4000' })).toBe('http://localhost:4000')
  expect(command({ PUBLIC_URL: 'https://lots.example' })).toBe('https://lots.example')
  await rm(DATA_DIR, { recursive: true })
})

test.each([
  ['PORT', '70000', /^PORT must be a whole number from 0 to 65535, for example 3000 \(it is "70000"\)\.$/],
  ['EARLY_ACCESS', 'yes', /^EARLY_ACCESS must be true or false/],
  ['TRUSTED_PROXIES', '10.0.0.0/8, everyone', /^TRUSTED_PROXIES .*"everyone" is neither/],
  ['PUBLIC_URL', 'localhost', /^PUBLIC_URL must be a URL starting with http:/],
  ['DATABASE_URL', 'mysql://x', /^DATABASE_URL must be a URL starting with postgres:/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be/],
  ['SECRET_KEY', 'short', /^SECRET_KEY must be 32 random bytes/],
])('a bad %s fails naming it', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(message)
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
})

test('an error message does not show a value that may contain a password', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host' })).not.toThrow(/hunter2/)
  expect(() => readConfig({ SMTP_URL: 'http://user:hunter2@host' })).not.toThrow(/hunter2/)
})

test('a database server is named by host or by socket folder', () => {
  for (const url of [
    'postgres://u:p@db.example:5432/lotline',
    'postgresql:///x?host=/run/pg',
    'postgres://u@/x?host=/run/pg',
  ])
    expect(readConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url)
})

test('the secret key is created once and only its owner can read it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-config-'))
  try {
    const config = readConfig({ DATA_DIR: dir })
    const key = secretKeyOf(config)
    expect(key).toHaveLength(32)
    expect(secretKeyOf(config).equals(key)).toBe(true)
    expect((await stat(join(dir, 'secret-key'))).mode & 0o777).toBe(0o600)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})

test('a DATA_DIR that cannot be created is named in the error', async () => {
  const config = readConfig({ DATA_DIR: '/dev/null/x' })
  expect(() => secretKeyOf(config)).toThrow(/^DATA_DIR must be a folder that can be created/)
  await expect(openStore(config)).rejects.toThrow(ConfigError)
})

test('with DATABASE_URL the secret key must be set', () => {
  expect(() => secretKeyOf(readConfig({ DATABASE_URL: 'postgres://db/x' }))).toThrow(/SECRET_KEY must be set/)
  const given = readConfig({ DATABASE_URL: 'postgres://db/x', SECRET_KEY: 'ab'.repeat(32) })
  expect(secretKeyOf(given)).toEqual(Buffer.alloc(32, 0xab))
})
