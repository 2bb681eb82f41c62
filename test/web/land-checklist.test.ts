import { expect, test } from 'vitest'
import { overlayNames } from '../../src/domain/facts.ts'
import { landChecklist } from '../../src/domain/findings/land-checklist.ts'
import { textOf } from '../../src/web/html.ts'
import { checkLines } from '../../src/web/pages/property-decision.ts'

test('a hazard that applies is a warning, and an unverified limit is no answer', () => {
  const overlays = Object.fromEntries(overlayNames.map((name) => [name, name === 'veryHighFire' ? 'yes' : 'no']))
  const checks = landChecklist({
    ...{ zoning: 'R-1-B-1', allowableSqft: 3_000, allowableConfidence: 'low', slopePct: 3 },
    overlays,
  })
  const marks = checkLines(checks).map(textOf)
  expect(marks[0]).toContain('? Zoning</b>: R-1-B-1, 3,000 sq ft allowed, unverified')
  expect(marks[1]).toContain('✓ Water and sewer')
  expect(marks[3]).toMatch(/! Hazards and restrictions<\/b>: very high fire/)
  const free = landChecklist({ overlays: Object.fromEntries(overlayNames.map((name) => [name, 'no'])) })
  expect(free[3]!.text).toMatch(/^\d+ checked, none applies$/)
})
