import { expect, test } from 'vitest'
import { visibleName } from '../../src/common/unseen.ts'

test('a name keeps its visible characters, and a name without any is rejected with the reason', () => {
  expect(visibleName(' My\u0001 \u202ebuilder ', 'x')).toBe('My builder')
  for (const name of [' ', '\u0000\u0007', '\u202e'])
    expect(() => visibleName(name, 'My builder')).toThrow(
      'name must have 1 to 80 visible characters, for example "My builder"; it has only spaces and control characters.',
    )
})
