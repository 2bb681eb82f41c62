import { expect, test } from 'vitest'
import {
  type Assessment,
  type AssessmentContent,
  contentJson,
  type StoredLead,
  writeAssessments,
} from '../../../src/store/assessments/assessments.ts'
import { sql } from '../../../src/store/engine/database.ts'
import { useDatabase } from '../../setup/database.ts'
import { property } from '../../setup/rows.ts'

const database = useDatabase()
const market = 'sf-peninsula'

const assessmentOf = (propertyId: string, content: AssessmentContent): Assessment => ({
  propertyId,
  market,
  citySlug: 'palo-alto',
  modelVersion: 'test',
  contentHash: propertyId,
  assessedOn: '2026-11-14',
  ...content,
  json: contentJson(content),
})

test('each property gets its own findings, missing ones stay null, and no text changes on the way', async () => {
  const { db } = database()
  const text = 'a "quoted" \\ text,\n\t\u001e with \u0001 control characters and é'
  const contents: Record<string, AssessmentContent> = {
    [await property(db)]: { teardownScore: 1.5, comps: [{ because: text }] as never, redevelopment: { n: 1 } as never },
    [await property(db)]: { teardownScore: 2.5, explanation: { because: text } as never },
    [await property(db)]: { teardownScore: 3.5, comps: [], redevelopment: { n: 3 } as never },
  }
  await writeAssessments(
    db,
    Object.entries(contents).map(([id, content]) => assessmentOf(id, content)),
    new Date('2026-11-14T00:00:00Z'),
  )
  const { rows } = await sql<AssessmentContent & { propertyId: string }>`
    select property_id, teardown_score, comps, explanation, redevelopment from assessment`.execute(db)
  const missing = { comps: null, explanation: null, redevelopment: null }
  expect(Object.fromEntries(rows.map(({ propertyId, ...row }) => [propertyId, row]))).toEqual(
    Object.fromEntries(Object.entries(contents).map(([id, content]) => [id, { ...missing, ...content }])),
  )
})

test('a property has the leads of the laws that applied last, each with its own finding', async () => {
  const { db } = database()
  const id = await property(db)
  const other = await property(db)
  const lead = (law: string, best: boolean, score: number, finding: unknown): StoredLead => ({
    law,
    kind: 'accessory_unit',
    best,
    score,
    blocked: false,
    finding: finding as never,
  })
  const write = async (hash: string, leads: readonly StoredLead[]) =>
    writeAssessments(
      db,
      [{ ...assessmentOf(id, { teardownScore: 1, leads }), contentHash: hash }],
      new Date('2026-11-14T00:00:00Z'),
    )
  const stored = async () => {
    const { rows } = await sql<{ law: string; finding: unknown; aduScore: number }>`
      select d.law, d.finding, s.adu_score from lead d join property_search s using (market, property_id)
      where d.property_id = ${id} order by d.law`.execute(db)
    return rows
  }
  await writeAssessments(
    db,
    [assessmentOf(other, { teardownScore: 1, leads: [lead('us-xx-one', true, 9, {})] })],
    new Date('2026-11-14T00:00:00Z'),
  )
  await write('a', [lead('us-xx-one', true, 50, { n: 1 }), lead('us-xx-two', false, 40, { text: 'é \u001e "' })])
  expect(await stored()).toEqual([
    { law: 'us-xx-one', finding: { n: 1 }, aduScore: 50 },
    { law: 'us-xx-two', finding: { text: 'é \u001e "' }, aduScore: 50 },
  ])
  await write('b', [lead('us-xx-two', true, 70, { n: 2 })])
  expect(await stored()).toEqual([{ law: 'us-xx-two', finding: { n: 2 }, aduScore: 70 }])
  await write('c', [])
  expect(await stored()).toEqual([])
  const { rows } = await sql`select law from lead where property_id = ${other}`.execute(db)
  expect(rows).toHaveLength(1)
})
