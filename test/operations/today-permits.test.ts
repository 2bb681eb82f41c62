// Permits near the deals of a key, on the page Today and in the daily mail.
import { beforeAll, expect, test } from 'vitest'
import { openMailWorker } from '../../src/events/mail-worker.ts'
import type { Context } from '../../src/operations/context.ts'
import { decisionTexts } from '../../src/operations/deal-homes.ts'
import { mailboxOf } from '../../src/operations/mailbox.ts'
import { queueTodayMails, todayMailOf, todayOf } from '../../src/operations/today.ts'
import { sql } from '../../src/store/engine/database.ts'
import { hashOf, insertKey, keyByHash } from '../../src/store/keys/keys.ts'
import type { Mail } from '../../src/store/keys/mails.ts'
import { startTodayMail } from '../../src/store/keys/today.ts'
import { limitsOf } from '../../src/wire/plans.ts'
import { ingest, permitRow, type Row } from '../ingest/feed.ts'
import { ask } from '../setup/ask.ts'
import { property } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const now = new Date('2026-11-15T14:00:00Z')
const home = { lat: 37.44, lng: -122.14 }
/** Degrees of latitude in a mile. */
const mile = 1 / 69.094

const near = (permitId: string, given: Row = {}) =>
  permitRow({ permitId, apn: undefined, address: `${permitId} Elm St`, ...home, ...given })
const applied = { status: 'Applied', issuedOn: undefined, appliedOn: '2026-11-08' }
const load = (rows: readonly Row[], at: string) =>
  ingest({ ...service(), queue: service().services.queue }, 'permits', rows, {}, { now: new Date(at) })

let homeId: string
beforeAll(async () => {
  service().setNow(now)
  homeId = await property(service().db, { ...home, address: '10 Oak St' })
  await load([near('1'), near('2', applied), near('3', applied)], '2026-11-10T09:00:00Z')
  await load([near('4')], '2026-11-13T09:00:00Z')
  await load(
    [
      near('2', { status: 'Issued', issuedOn: '2026-11-14', appliedOn: '2026-11-08' }),
      near('3', { ...applied, status: 'In review' }),
      near('5', { valuation: 900, lat: home.lat + 0.3 * mile }),
      near('6', { ...applied, lat: home.lat + 0.2 * mile }),
      // Without a point of its own it is where its home is.
      permitRow({ permitId: '7', apn: undefined, lat: undefined, lng: undefined }),
      near('8', { lat: home.lat + 0.49 * mile }),
      near('9', { lat: home.lat + 0.51 * mile }),
      near('10', { issuedOn: '2026-10-15', lat: home.lat + 0.4 * mile }),
      near('11', { issuedOn: '2026-10-12' }),
      near('12', { issuedOn: undefined, status: 'Applied' }),
    ],
    '2026-11-15T09:00:00Z',
  )
})

const keyWith = async (plan: 'free' | 'pro') => {
  const email = `${plan}${Math.random()}@example.com`
  const made = await insertKey(service().db, { plan, email, confirmedAt: now })
  const deal = await ask(service(), '/v1/deals', { key: made.key, method: 'POST', body: { propertyId: homeId } })
  expect(deal.status).toBe(200)
  return { ...made, email }
}

const today = async (given: string, since: string, until?: Date) => {
  const key = (await keyByHash(service().db, hashOf(given)))!
  const caller = { plan: key.plan, limits: limitsOf(key, now), key: { ...key, currentKeyId: key.id } }
  const context = { ...service().services, now, surface: 'page', caller } as unknown as Context
  const { permits } = await todayOf(context, undefined, new Date(since), until)
  return permits
}

test('every permit near a deal that is new or newly issued is shown, the nearest first, within the history window', async () => {
  const [pro, free] = [await keyWith('pro'), await keyWith('free')]
  const ids = async (key: string, since: string) => (await today(key, since)).shown.map(({ permitId }) => permitId)
  expect(await ids(pro.key, '2026-11-14T14:00:00Z')).toEqual(['2', '7', '6', '5', '10', '8'])
  expect(await ids(free.key, '2026-11-14T14:00:00Z')).toEqual(['2', '7', '6', '5', '8'])
  expect(await ids(pro.key, '2026-11-12T14:00:00Z')).toContain('4')
  expect(await ids(pro.key, '2026-11-11T00:00:00Z')).toContain('11')
  expect(await ids(pro.key, '2026-11-15T09:00:01Z')).toEqual([])
  // The span has its first moment and not its last.
  const loadedAt = '2026-11-15T09:00:00Z'
  expect(await ids(pro.key, loadedAt)).toEqual(['2', '7', '6', '5', '8'])
  const { shown: before } = await today(pro.key, '2026-11-12T14:00:00Z', new Date(loadedAt))
  expect(before.map(({ permitId }) => permitId)).toEqual(['4'])
  const { shown } = await today(pro.key, '2026-11-14T14:00:00Z')
  expect(shown.slice(2, 4)).toEqual([
    {
      permitId: '6',
      citySlug: 'palo-alto',
      title: '6 Elm St, Palo Alto',
      text: 'remodel, applied, $50,000',
      near: '10 Oak St',
      miles: 0.2,
    },
    {
      permitId: '5',
      citySlug: 'palo-alto',
      title: '5 Elm St, Palo Alto',
      text: 'remodel, issued, $900',
      near: '10 Oak St',
      miles: 0.3,
    },
  ])
  await sql`update deal set stage = 'dropped' where key_id = ${free.id}`.execute(service().db)
  expect(await today(free.key, '2026-11-14T14:00:00Z')).toEqual({ shown: [], more: 0 })
})

test('at most 25 permits are shown, and the others are counted', async () => {
  const pro = await keyWith('pro')
  await load(
    Array.from({ length: 30 }, (_, at) => near(`X${at}`)),
    '2026-11-15T13:00:00Z',
  )
  const { shown, more } = await today(pro.key, '2026-11-15T12:00:00Z')
  expect([shown.length, more]).toEqual([25, 5])
  await sql`delete from permit where permit_id like 'X%'`.execute(service().db)
})

test('a queued daily mail has what the key may see when it is sent', async () => {
  const { db, services } = service()
  const mails: Mail[] = []
  const worker = openMailWorker({
    ...{ ...services, decisionsOf: decisionTexts, todayMail: todayMailOf(services), now: () => now },
    mailer: { send: async (_id, mail) => void mails.push(mail), close: () => {} },
    log: { info: () => {}, warn: () => {}, error: () => {} } as never,
  })
  const [same, lowered, stopped] = [await keyWith('pro'), await keyWith('pro'), await keyWith('pro')]
  for (const { id, email } of [same, lowered, stopped])
    await startTodayMail(db, { keyId: id, mailbox: mailboxOf(email), confirmed: true }, now)
  expect(await queueTodayMails(services, now)).toBe(3)
  await sql`update api_key set plan = 'free' where id = ${lowered.id}`.execute(db)
  await sql`delete from today_mail where key_id = ${stopped.id}`.execute(db)
  await worker.poll()
  const textTo = ({ email }: { email: string }) => mails.find(({ to }) => to === email)?.text
  expect(textTo(same)).toContain('10 Elm St')
  expect(textTo(lowered)).toContain('5 Elm St')
  expect(textTo(lowered)).not.toContain('10 Elm St')
  expect(textTo(stopped)).toBeUndefined()
})
