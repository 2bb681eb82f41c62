import { beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../../../src/store/engine/database.ts'
import { eventsAfter } from '../../../src/store/webhooks/event-feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'
import { recordEvent } from '../../setup/record-event.ts'
import { emptyTables } from '../../setup/rows.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'event')
})

const long = new Date('2000-01-01')
const emit = (db: Db) =>
  recordEvent(db, store().queue, { type: 'permit.created', market: 'sf-peninsula', data: {} }, new Date())

/** A transaction that stays open until `commit` is called. */
const slowTransaction = async () => {
  let end = () => {}
  const ended = new Promise<void>((done) => {
    end = done
  })
  let written: (id: string) => void = () => {}
  const id = new Promise<string>((done) => {
    written = done
  })
  const committed = store()
    .db.transaction()
    .execute(async (tx) => {
      written(await emit(tx))
      await ended
    })
  return {
    id: await id,
    commit: async () => {
      end()
      await committed
    },
  }
}

/** Reads the feed page by page from the last position, like a client. */
const reader = () => {
  let position = 0
  const read: string[] = []
  return {
    read,
    catchUp: async (limit = 100) => {
      for (;;) {
        const page = await eventsAfter(store().db, { types: ['permit.created'], position, since: long, limit })
        if (page.length === 0) return
        position = page.at(-1)!.position
        read.push(...page.map(({ id }) => id))
      }
    },
  }
}

test('an event of a slow transaction is not skipped when faster ones commit first', async () => {
  const { read, catchUp } = reader()
  const slow = await slowTransaction()
  const fast = [await emit(store().db), await emit(store().db)]
  await catchUp()
  expect(read).toEqual(fast)
  await slow.commit()
  const later = await emit(store().db)
  await catchUp()
  expect(read).toEqual([...fast, slow.id, later])
})

test('with interleaved slow transactions, each reader reads every event once', async () => {
  const { read, catchUp } = reader()
  const all: string[] = []
  const open: Awaited<ReturnType<typeof slowTransaction>>[] = []
  for (let step = 0; step < 40; step++) {
    if (step % 3 === 0) {
      const slow = await slowTransaction()
      all.push(slow.id)
      open.push(slow)
    }
    all.push(await emit(store().db))
    if (step % 5 === 4) await open.splice((step * 7) % open.length, 1)[0]?.commit()
    if (open.length > 5) await open.shift()!.commit()
    await Promise.all([catchUp(3), reader().catchUp()])
  }
  for (const slow of open) await slow.commit()
  await catchUp()
  expect(read).toHaveLength(new Set(read).size)
  expect([...read].sort()).toEqual([...all].sort())
  const again = reader()
  await again.catchUp(7)
  expect(again.read).toEqual(read)
})

test('events restored from another server keep their order, and new events come after them', async () => {
  const far = 2n ** 40n
  for (const [i, id] of ['evt_b', 'evt_a', 'evt_c'].entries())
    await sql`insert into event (id, txid, type, market, body) values
      (${id}, ${String(far + BigInt(i))}::xid8, 'permit.created', 'sf-peninsula', '{}')`.execute(store().db)
  const { read, catchUp } = reader()
  await catchUp()
  const fresh = await emit(store().db)
  await catchUp()
  expect(read).toEqual(['evt_b', 'evt_a', 'evt_c', fresh])
})

test('a position is never assigned again, even after all events were pruned', async () => {
  await emit(store().db)
  const [first] = await eventsAfter(store().db, { types: ['permit.created'], position: 0, since: long, limit: 1 })
  await sql`delete from event`.execute(store().db)
  await emit(store().db)
  const [second] = await eventsAfter(store().db, {
    types: ['permit.created'],
    position: first!.position,
    since: long,
    limit: 1,
  })
  expect(second!.position).toBeGreaterThan(first!.position)
})
