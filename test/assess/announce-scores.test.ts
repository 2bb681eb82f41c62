import { expect, test } from 'vitest'
import { announceScores } from '../../src/assess/announce-scores.ts'
import type { AnnouncedChange } from '../../src/assess/assess-market.ts'
import { subjectsByIds } from '../../src/store/assessments/subjects.ts'
import { sql } from '../../src/store/engine/database.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { listing, property } from '../setup/rows.ts'
import { today } from '../setup/small-market.ts'

const store = useDatabaseWithQueue()

type Scores = AnnouncedChange['previous']

test('the first value of a score creates no event, even if the other score existed; every later change creates one', async () => {
  const { db, queue } = store()
  const propertyId = await property(db)
  await listing(db, { property_id: propertyId, price_usd: 1_500_000 })
  const [subject] = await subjectsByIds(db, 'sf-peninsula', [propertyId])
  const change = (previous: Scores, now: Scores): AnnouncedChange => ({
    market: 'sf-peninsula',
    propertyId,
    subject: subject!,
    previous,
    ...now,
    reason: 'A test',
    modelVersion: '1',
  })
  const announced = async (previous: Scores, now: Scores): Promise<number> => {
    await sql`delete from event`.execute(db)
    await announceScores(queue, today)(db, [change(previous, now)])
    return (await sql`select from event`.execute(db)).rows.length
  }
  expect(await announced({}, { teardownScore: 12 })).toBe(0)
  expect(await announced({ teardownScore: 12 }, { teardownScore: 12, flippabilityScore: 40 })).toBe(0)
  expect(await announced({ flippabilityScore: 40 }, { teardownScore: 12, flippabilityScore: 40 })).toBe(0)
  expect(await announced({ teardownScore: 12 }, { teardownScore: 13, flippabilityScore: 40 })).toBe(1)
  expect(await announced({ teardownScore: 12, flippabilityScore: 40 }, { teardownScore: 12 })).toBe(1)
})
