import { expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { openMail } from '../../src/store/keys/mails.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const subscribe = (body: unknown, ip = '192.0.2.1') => ask(service(), '/v1/subscribe', { body, ip })
const subscribers = async () => {
  const { rows } = await sql<{
    email: string
    market: string
  }>`select email, market from subscriber order by created_at`.execute(service().db)
  return rows.map(({ email, market }) => `${email} ${market}`)
}
const mails = async () => {
  const { rows } = await sql<{
    data: { sealed: string }
  }>`select data from pgboss.job where name = 'mail' order by created_on`.execute(service().db)
  return rows.map(({ data }) => openMail(service().services.sealer, data.sealed))
}

test('a reader joins a market’s list once, and is welcomed once, whatever the spelling', async () => {
  for (const email of ['reader@example.com', 'reader@example.com', 'READER@example.com']) {
    const { status, body } = await subscribe({ email, source: 'footer' })
    expect([status, body]).toEqual([200, { success: true }])
  }
  expect(await subscribers()).toEqual(['reader@example.com sf-peninsula'])
  expect(await mails()).toHaveLength(1)
})

test('another market is another list, and the peninsula has an alias', async () => {
  await subscribe({ email: 'reader@example.com', market: 'nantucket' })
  await subscribe({ email: 'other@example.com', market: 'peninsula' })
  expect((await subscribers()).slice(1)).toEqual(['reader@example.com nantucket', 'other@example.com sf-peninsula'])
})

test('the welcome is text and HTML with a one-click unsubscribe', async () => {
  const [mail] = await mails()
  const url = mail!.headers!['List-Unsubscribe']!.slice(1, -1)
  expect(mail!.headers!['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect(url).toMatch(/^http:\/\/lotline\.test\/unsubscribe\/sub_\w+\/[\w-]{32}$/)
  for (const body of [mail!.text, mail!.html]) expect(body).toContain(url)
})

test('an unknown market is 400 naming the known ones', async () => {
  const { status, body } = await subscribe({ email: 'a@example.com', market: 'mars' })
  expect(status).toBe(400)
  expect(body.error).toMatch(/sf-peninsula.*nantucket/)
})

test('twenty a day come from one address, refused ones not counted', async () => {
  const ip = '192.0.2.2'
  for (let i = 0; i < 5; i++) await subscribe({ email: 'nonsense' }, ip)
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => subscribe({ email: `s${i}@example.com` }, ip)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  const refused = answers.find(({ status }) => status === 429)!
  expect([refused.headers['x-ratelimit-limit'], refused.headers['x-ratelimit-remaining']]).toEqual(['20', '0'])
})
