import { expect, test } from 'vitest'
import { mailboxOf } from '../../src/operations/mailbox.ts'
import { sql } from '../../src/store/engine/database.ts'
import { isWellFormedKey } from '../../src/store/keys/api-key.ts'
import { openMail } from '../../src/store/keys/mails.ts'
import { type Answer, ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const promoted = useService({ earlyAccess: true })
const noon = new Date('2026-11-15T12:00:00Z')

const issue = (email: string, ip: string) => ask(service(), '/v1/keys', { body: { email }, ip })
const keysIssued = async (email: string) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from api_key where email = ${email}`.execute(
    service().db,
  )
  return rows[0]!.n
}
const mailsTo = async (like: string) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from mail where recipient ilike ${like}`.execute(
    service().db,
  )
  return rows[0]!.n
}

test('an issued key works immediately and is emailed, encrypted while it is queued', async () => {
  const { status, body } = await issue('new@example.com', '192.0.2.1')
  expect([status, body.success, body.tier]).toEqual([200, true, 'free'])
  expect(isWellFormedKey(body.key)).toBe(true)
  expect((await ask(service(), '/v1/usage', { key: body.key })).body.data).toMatchObject({
    plan: 'free',
    keyId: body.id,
  })
  const { rows } = await sql<{
    data: { id: string; sealed: string }
  }>`select data from pgboss.job where name = 'mail'`.execute(service().db)
  const mail = openMail(service().services.sealer, rows.at(-1)!.data.sealed)
  expect(mail).toMatchObject({ to: 'new@example.com', kind: 'key' })
  expect(mail.text).toContain(body.key)
  expect(mail.html).toContain(body.key)
})

test('50 parallel requests issue exactly the 5 keys of a day', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => issue('crowd@example.com', '192.0.2.2')))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(45)
  expect(await keysIssued('crowd@example.com')).toBe(5)
  for (const { headers } of answers) expect(headers['x-ratelimit-limit']).toBe('5')
})

test('the sixth key of a day is 429 until the next UTC day, and a retry after Retry-After succeeds', async () => {
  service().setNow(new Date('2026-11-15T23:59:30.500Z'))
  const ip = '192.0.2.3'
  const seen = []
  for (let i = 0; i < 6; i++) seen.push(await issue('day@example.com', ip))
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  expect(seen.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['4', '3', '2', '1', '0', '0'])
  const wait = Number(seen[5]!.headers['retry-after'])
  expect(wait).toBe(30)
  service().setNow(new Date(Date.parse('2026-11-15T23:59:30.500Z') + wait * 1000))
  expect((await issue('day@example.com', ip)).status).toBe(200)
  service().setNow(undefined)
})

test('rejected requests do not count against the daily keys', async () => {
  const ip = '192.0.2.4'
  for (let i = 0; i < 20; i++) expect((await issue('not an address', ip)).status).toBe(400)
  const { headers } = await issue('not an address', ip)
  expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['5', '5'])
  expect((await issue('fine@example.com', ip)).headers['x-ratelimit-remaining']).toBe('4')
})

test('one mailbox gets one key email a day in any spelling, and the responses do not reveal it', async () => {
  const spellings = [
    'some.one@gmail.com',
    'someone@gmail.com',
    'Some.One+a@GMAIL.com',
    'someone+b@googlemail.com',
    'someone@gmail.com',
  ]
  const answers: Answer[] = []
  for (const [i, email] of spellings.entries()) answers.push(await issue(email, `192.0.2.${10 + i}`))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const shape = ({ body, headers }: Answer) => [Object.keys(body).sort(), headers['x-ratelimit-remaining']]
  for (const answer of answers) expect(shape(answer)).toEqual(shape(answers[0]!))
  expect(await mailsTo('%one%@g%')).toBe(1)
  expect(mailboxOf('Some.One+a@GMAIL.com')).toBe(mailboxOf('someone@gmail.com'))
  expect(mailboxOf('some.one@example.com')).not.toBe(mailboxOf('someone@example.com'))
})

test('a known email gets the same response as an unknown one', async () => {
  const first = await issue('twice@example.com', '192.0.2.20')
  const second = await issue('twice@example.com', '192.0.2.21')
  const unknown = await issue('never@example.com', '192.0.2.22')
  for (const { status, body } of [first, second, unknown]) {
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['id', 'key', 'success', 'tier'])
  }
})

test('an email that would inject a header is rejected', async () => {
  for (const email of [
    'a@b.com\r\nBcc: x@y.z',
    'a b@c.de',
    '"x"@c.de',
    'a@b..c',
    `${'x'.repeat(250)}@c.de`,
    'a@[1.2.3.4]',
  ])
    expect((await issue(email, '192.0.2.30')).status, email).toBe(400)
})

test('keys issued during the promotion have its limits for three calendar months, then those of their plan', async () => {
  promoted().setNow(noon)
  const { body } = await ask(promoted(), '/v1/keys', { body: { email: 'early@example.com' } })
  const usage = async () => (await ask(promoted(), '/v1/usage', { key: body.key })).body.data
  expect(await usage()).toMatchObject({
    plan: 'free',
    limits: { maxResults: 100, requestsPerMinute: 100, webhooks: true },
    promotionEndsAt: '2027-02-15T12:00:00.000Z',
    historyWindow: { days: 30 },
  })
  expect((await ask(promoted(), '/v1/webhooks', { key: body.key })).status).toBe(200)
  promoted().setNow(new Date('2027-02-15T12:00:00Z'))
  expect(await usage()).toMatchObject({
    limits: { maxResults: 25, requestsPerMinute: 30, webhooks: false },
    promotionEndsAt: null,
  })
  expect((await ask(promoted(), '/v1/webhooks', { key: body.key })).status).toBe(403)
})
