// Small guards, each against one way in which the service was misused.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { notReady } from '../../src/bin/start-api.ts'
import { csvOf } from '../../src/common/csv.ts'
import { isTooDeep } from '../../src/common/json-depth.ts'
import { readConfig, secretKeyOf, secretKeyWarning } from '../../src/config.ts'
import { checkReceiver } from '../../src/operations/webhooks.ts'
import { isDatabaseUnavailable } from '../../src/store/engine/unavailable.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let port: number
beforeAll(async () => {
  port = Number(new URL(await service().app.listen({ port: 0, host: '127.0.0.1' })).port)
})

const exchange = (text: string) =>
  new Promise<string>((done) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (bytes) => {
      answer += bytes
    })
    socket.on('close', () => done(answer))
  })

test('a deeply nested body is 400', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  for (const raw of [nested(5_000), `{"email":${nested(30_000)}}`, `{"email":"a@example.com","x":${nested(40)}}`]) {
    const { status, body } = await ask(service(), '/v1/keys', { raw, ip: '192.0.2.1' })
    expect([status, body.error]).toEqual([400, 'The body is nested more than 32 levels deep.'])
  }
  expect(isTooDeep(`{"text":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`)).toBe(false)
  expect(isTooDeep(nested(32))).toBe(false)
})

test('a request with two Host headers is 400', async () => {
  expect(await exchange('GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 .*more than one Host/s,
  )
})

test('the method QUERY is 405 with the methods that are allowed', async () => {
  for (const path of ['/api/v1/permits', '/healthz', '/api/v1/nothing'])
    expect(await exchange(`QUERY ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 405 .*allow: GET/is,
    )
})

test('every response tells browsers not to guess its type', async () => {
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/nothing', '/v1/permits', '/api/%ff'])
    expect((await ask(service(), path)).headers['x-content-type-options'], path).toBe('nosniff')
})

test('text that a spreadsheet would run as a formula is quoted, also in full-width letters', () => {
  for (const text of ['=1+1', '＝1+1', '＋1', '－1', '＠SUM(A1)', '\n=1'])
    expect(csvOf(['cell'], [{ cell: text }])).toMatch(/^cell\r\n"?'/)
  expect(csvOf(['cell'], [{ cell: '1=1' }])).toBe('cell\r\n1=1\r\n')
})

test('a secret key that other users can read is reported', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-secret-'))
  const config = readConfig({ DATA_DIR: dir })
  expect(secretKeyWarning(config)).toBeUndefined()
  secretKeyOf(config)
  expect(secretKeyWarning(config)).toBeUndefined()
  await chmod(join(dir, 'secret-key'), 0o644)
  expect(secretKeyWarning(config)).toMatch(/other users can read the secret key: run chmod 600/)
  await rm(dir, { recursive: true })
})

test('registering a name with a private address does not reveal the address', async () => {
  const error = await checkReceiver('https://localhost.localdomain.example:8443/', false, async () => [
    '10.11.12.13',
  ]).then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(error).toMatch(/resolves to an address that is not\.$/)
  expect(error).not.toContain('10.11.12.13')
})

test('a full disk is reported as not ready, and its errors are 503', async () => {
  const store = { files: tmpdir(), within: service().within }
  expect(await notReady({ SAMPLE_DATA: false }, store, async () => 1e6)).toBe('the disk of the database is full')
  expect(await notReady({ SAMPLE_DATA: false }, store, async () => 1e9)).toBeUndefined()
  expect(await notReady({ SAMPLE_DATA: true }, store, async () => 1e9)).toBe('the sample markets are being loaded')
  expect(await notReady({ SAMPLE_DATA: true }, store, async () => 1e9, 'api')).toMatch(/^waiting for a worker/)
  expect(isDatabaseUnavailable(Object.assign(new Error('No space left on device'), { code: '53100' }))).toBe(true)
})
