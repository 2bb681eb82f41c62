// What a caller can learn or do with a key that is replaced, stolen, or sent in another place.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toApiError } from '../../src/api/errors.ts'
import { claimMail, mailboxOf, similarMailboxOf } from '../../src/operations/mailbox.ts'
import { sql } from '../../src/store/engine/database.ts'
import { networkOf } from '../../src/store/keys/daily-counts.ts'
import { permit } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()

const call = async (
  headers: Record<string, string>,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
) => {
  const answer = await service().app.inject({ method, url: `/api/v1${url}`, headers, payload })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

test('a replaced key may use every operation that only reads, also those with a body', async () => {
  const old = { 'x-api-key': await service().proKey() }
  await call(old, 'POST', '/keys/rotate')
  expect((await call(old, 'POST', '/search', { kind: 'listings' })).status).toBe(200)
  expect((await call(old, 'POST', '/lookup/batch', { items: [{ address: '1 Oak St' }] })).status).toBe(200)
  expect((await call(old, 'POST', '/webhooks/register', { url: 'https://example.com/' })).status).toBe(403)
})

test('a key is accepted as a bearer token, and two different keys in the headers are 401', async () => {
  const key = await service().freeKey()
  const bearer = { authorization: `Bearer ${key}` }
  const answered = await call(bearer, 'GET', '/usage')
  expect([answered.status, answered.body.data.plan]).toEqual([200, 'free'])
  expect(answered.headers.vary).toContain('authorization')
  expect((await call({ ...bearer, 'x-api-key': key }, 'GET', '/usage')).status).toBe(200)
  expect((await call({ ...bearer, 'x-api-key': 'demo' }, 'GET', '/usage')).status).toBe(401)
  expect((await call(bearer, 'GET', '/usage?apiKey=demo')).body.data.plan).toBe('free')
  const basic = await call({ authorization: 'Basic YTpi', 'x-api-key': 'demo' }, 'GET', '/usage')
  expect(basic.body.data.plan).toBe('demo')
  expect(service().logs.join('')).not.toContain(key)
})

test('a withheld permit and a missing one get the same answer', async () => {
  const { db } = service()
  await permit(db, { permit_id: 'OLD-1', city: 'Menlo Park', issued_on: '2001-02-03' })
  const key = { 'x-api-key': await service().freeKey() }
  const withheld = await call(key, 'GET', '/permits/menlo-park/OLD-1')
  const missing = await call(key, 'GET', '/permits/menlo-park/OLD-2')
  expect(withheld.status).toBe(404)
  expect(withheld.body.error.replace('OLD-1', 'OLD-2')).toBe(missing.body.error)
  const pro = { 'x-api-key': await service().proKey() }
  expect((await call(pro, 'GET', '/permits/menlo-park/OLD-1')).status).toBe(200)
})

test('the owner of a confirmed key gets a mail when it is replaced and when it is deleted', async () => {
  const issued = await call({}, 'POST', '/keys', { email: 'owner-of-key@example.com' })
  await sql`update api_key set confirmed_at = now() where email = 'owner-of-key@example.com'`.execute(service().db)
  const next = await call({ 'x-api-key': issued.body.key }, 'POST', '/keys/rotate', { expireNow: true })
  await call({ 'x-api-key': next.body.key }, 'DELETE', '/keys/current')
  const { rows } = await sql<{ kind: string }>`
    select kind from mail where recipient = 'owner-of-key@example.com' and kind = 'key-changed'`.execute(service().db)
  expect(rows).toHaveLength(2)
})

test('the networks of one IPv6 /56 share an allowance of keys', async () => {
  expect(networkOf('2001:db8:1:12ff::/64')).toBe('2001:db8:1:1200::/56')
  expect(networkOf('192.0.2.1')).toBeUndefined()
  const statuses: number[] = []
  for (let at = 0; at < 12; at++) {
    const { statusCode } = await service().app.inject({
      method: 'POST',
      url: '/api/v1/keys',
      remoteAddress: `2001:db8:7:5${at.toString(16).padStart(2, '0')}::1`,
      payload: { email: `net${at}@example.com` },
    })
    statuses.push(statusCode)
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
})

test('other spellings of one mailbox are one mailbox', () => {
  expect(mailboxOf('victim-17@yahoo.com')).toBe(mailboxOf('victim@yahoo.com'))
  expect(mailboxOf('victim-shop@yahoo.com')).toBe(mailboxOf('victim@yahoo.com'))
  expect(similarMailboxOf('victim-17@example.com')).toBe(similarMailboxOf('victim@example.com'))
  expect(mailboxOf('x9@victim.fastmail.com')).toBe(mailboxOf('victim@fastmail.com'))
  expect(mailboxOf('anne-marie@example.com')).not.toBe(mailboxOf('anne@example.com'))
  expect(mailboxOf('x@victim.example.com')).not.toBe(mailboxOf('victim@example.com'))
  for (const form of ['v.ic-tim@pm.me', 'victim@protonmail.com', 'Vic_tim+1@proton.me'])
    expect(mailboxOf(form)).toBe(mailboxOf('victim@proton.me'))
  for (const form of ['victim@me.com', 'victim@mac.com']) expect(mailboxOf(form)).toBe(mailboxOf('victim@icloud.com'))
})

test('a number after a hyphen may be another person: what a key owns is counted apart', () => {
  expect(mailboxOf('john9-7@outlook.com')).not.toBe(mailboxOf('john9@outlook.com'))
})

test('mails that strangers cause have a ceiling per domain, and one in all that public providers share', async () => {
  const { db } = service()
  const day = new Date('2031-01-01')
  const claimed = (email: string) => claimMail(db, 'key-mails', email, day)
  /** As if this many mails had gone to each domain and in all. */
  const sent = (used: number) =>
    sql`update daily_count set used = ${used} where purpose = 'stranger-mails' and day = '2031-01-01'`.execute(db)
  expect(await claimed('a@one-company.example')).toBe(true)
  expect(await claimed('a@gmail.com')).toBe(true)
  await sent(199)
  expect(await claimed('b@one-company.example')).toBe(true)
  expect(await claimed('c@one-company.example')).toBe(false)
  expect(await claimed('a@other-company.example')).toBe(true)
  await sent(500)
  expect(await claimed('b@gmail.com')).toBe(true)
  await sent(2000)
  expect(await claimed('a@third-company.example')).toBe(false)
})

test('a full disk is named, and not called busy', () => {
  const { status, message, retryAfter } = toApiError(Object.assign(new Error('no space'), { code: '53100' }), '1')
  expect([status, retryAfter]).toEqual([503, 60])
  expect(message).toMatch(/disk .* is full/)
})

test('the cells of a caller’s own CSV are guarded against formulas', async () => {
  const answer = await service().app.inject({
    method: 'POST',
    url: '/api/v1/lookup/batch',
    headers: { 'x-api-key': await service().proKey(), 'content-type': 'text/csv' },
    payload: 'address,note\n1 Oak St,=1+1\n',
  })
  expect(answer.body).toContain(",'=1+1")
})

test('a program stops when its launcher is killed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-launcher-'))
  const bin = join(import.meta.dirname, '../../bin/stop-with-launcher.mjs')
  await writeFile(
    join(dir, 'child.mjs'),
    `import { stopWithLauncher } from ${JSON.stringify(bin)}
     process.on('SIGTERM', () => { console.log('stopped'); process.exit(0) })
     stopWithLauncher()
     console.log('running')
     setInterval(() => {}, 1000)`,
  )
  await writeFile(
    join(dir, 'launcher.mjs'),
    `import { spawn } from 'node:child_process'
     spawn(process.execPath, [${JSON.stringify(join(dir, 'child.mjs'))}], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })`,
  )
  const launcher = spawn(process.execPath, [join(dir, 'launcher.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  launcher.stdout.on('data', (chunk: Buffer) => {
    output += chunk
    if (output.includes('running')) launcher.kill('SIGKILL')
  })
  // The pipe closes when the last process that has it ends.
  await once(launcher.stdout, 'close')
  expect(output).toContain('stopped')
  await rm(dir, { recursive: true })
})

test('a key is not rotated by a request with an unknown field or a body of null', async () => {
  const key = { 'x-api-key': await service().proKey() }
  const misspelled = await call(key, 'POST', '/keys/rotate', { expireNov: true })
  expect(misspelled).toMatchObject({ status: 400, body: { error: expect.stringContaining('did you mean expireNow?') } })
  const nothing = await service().app.inject({
    method: 'POST',
    url: '/api/v1/keys/rotate',
    headers: { ...key, 'content-type': 'application/json' },
    payload: 'null',
  })
  expect([nothing.statusCode, nothing.json().error]).toEqual([400, 'The body must be a JSON object.'])
  expect((await call(key, 'POST', '/keys/rotate')).status).toBe(200)
})

test('a ring with a step of 180 degrees is told to add positions, and an empty explain is no error', async () => {
  const key = { 'x-api-key': await service().proKey() }
  const search = (ring: number[][], explain: string[] = []) =>
    call(key, 'POST', '/search', {
      kind: 'parcels',
      criteria: { within: { type: 'Polygon', coordinates: [ring] } },
      explain,
    })
  const around = [
    [-180, 37],
    [180, 37],
    [180, 38],
    [-180, 38],
    [-180, 37],
  ]
  expect(await search(around)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('add positions between those of ring 1') },
  })
  const box = around.map(([lng, lat]) => [lng! < 0 ? -123 : -122, lat!])
  expect((await search(box)).status).toBe(200)
})
