import { expect, test } from 'vitest'
import type { Scheme, SchemesAnswer } from '../../src/domain/findings/schemes.ts'
import { textOf } from '../../src/web/html.ts'
import { schemesSection } from '../../src/web/pages/property-schemes.ts'

const scheme = (kind: string, facts: object = {}) =>
  ({
    ...{ kind, title: kind, allowed: 'yes', approval: 'none', confidence: 'low' },
    ...{ because: [`why ${kind}`], units: [], conditions: [], untestedRules: [], ...facts },
  }) as unknown as Scheme

const sectionText = (...schemes: Scheme[]) =>
  textOf(schemesSection({ id: 'p_1', schemes } as unknown as SchemesAnswer, {}, undefined as never))

test('uses whose figures are missing are not said to miss their target', () => {
  const unknown = sectionText(scheme('keep'), scheme('rent'), scheme('new_house', { allowed: 'unknown' }))
  expect(unknown).not.toContain('No use earns its target')
  expect(unknown).toContain('<li>rent: why rent</li>')
  expect(sectionText(scheme('keep'), scheme('rent', { totalCost: 900_000 }))).toContain('No use earns its target')
})
