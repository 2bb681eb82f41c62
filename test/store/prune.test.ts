import { expect, test } from 'vitest'
import { sql } from '../../src/store/database.ts'
import { recordEvent } from '../../src/store/events.ts'
import { insertKey } from '../../src/store/keys.ts'
import { prune } from '../../src/store/prune.ts'
import { registerEndpoint } from '../../src/store/webhooks.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'

const store = useDatabaseWithQueue()
const now = new Date('2026-11-15T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test('events go after 30 days, deliveries and mails after 90, a delivery still waiting stays', async () => {
  const { db, queue } = store()
  const { id: keyId } = await insertKey(db, { plan: 'pro', email: 'a@example.com' })
  const events = ['permit.created']
  await registerEndpoint(db, { keyId, url: 'https://8.8.8.8/', events, sealedSecret: Buffer.from('x'), most: 10 }, now)
  for (const days of [1, 29, 31, 89, 91, 92])
    await recordEvent(db, queue, { type: 'permit.created', market: 'sf-peninsula', data: { days } }, daysAgo(days))
  await sql`update delivery set state = 'delivered' where created_at <> ${daysAgo(92)}`.execute(db)
  for (const days of [89, 91])
    await sql`insert into mail (id, kind, recipient, queued_at) values (${`m${days}`}, 'key', 'a@b.c', ${daysAgo(days)})`.execute(
      db,
    )
  expect(await prune(db, now)).toMatchObject({ events: 4, deliveries: 1, mails: 1 })
  const kept = await sql<{ createdAt: Date }>`select created_at from delivery order by created_at`.execute(db)
  expect(kept.rows.map(({ createdAt }) => createdAt)).toEqual([92, 89, 31, 29, 1].map(daysAgo))
})

test('a previous secret that no longer signs is erased', async () => {
  const { db } = store()
  const { id: keyId } = await insertKey(db, { plan: 'pro', email: 'a@example.com' })
  const registration = { keyId, url: 'https://8.8.8.8/', events: ['permit.created'], most: 10 }
  const id = await registerEndpoint(db, { ...registration, sealedSecret: Buffer.from('old') }, daysAgo(3))
  await registerEndpoint(db, { ...registration, sealedSecret: Buffer.from('new') }, daysAgo(2))
  await prune(db, now)
  const { rows } = await sql`select previous_secret, previous_until from webhook_endpoint where id = ${id}`.execute(db)
  expect(rows).toEqual([{ previousSecret: null, previousUntil: null }])
})
