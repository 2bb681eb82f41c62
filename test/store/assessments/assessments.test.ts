import { expect, test } from 'vitest'
import {
  type Assessment,
  type AssessmentContent,
  contentJson,
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
  ...content,
  json: contentJson(content),
})

test('each property gets its own findings, missing ones stay null, and no text changes on the way', async () => {
  const { db } = database()
  const text = 'a "quoted" \\ text,\n\t\u001e with \u0001 control characters and é'
  const contents: Record<string, AssessmentContent> = {
    [await property(db)]: { teardownScore: 1.5, adu: { because: text } as never, redevelopment: { n: 1 } as never },
    [await property(db)]: { teardownScore: 2.5, explanation: { because: text } as never },
    [await property(db)]: { teardownScore: 3.5, comps: [], redevelopment: { n: 3 } as never },
  }
  await writeAssessments(
    db,
    Object.entries(contents).map(([id, content]) => assessmentOf(id, content)),
    new Date('2026-11-14T00:00:00Z'),
  )
  const { rows } = await sql<AssessmentContent & { propertyId: string }>`
    select property_id, teardown_score, comps, explanation, sb9, adu, redevelopment from assessment`.execute(db)
  const missing = { comps: null, explanation: null, sb9: null, adu: null, redevelopment: null }
  expect(Object.fromEntries(rows.map(({ propertyId, ...row }) => [propertyId, row]))).toEqual(
    Object.fromEntries(Object.entries(contents).map(([id, content]) => [id, { ...missing, ...content }])),
  )
})
