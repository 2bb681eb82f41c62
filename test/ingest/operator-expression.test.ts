import { expect, onTestFinished, test, vi } from 'vitest'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { operatorExpression } from '../../src/ingest/operator-expression.ts'
import { classRules, ruledClass } from '../../src/ingest/permit-rules.ts'

test('a pattern of a source that needs exponential time is stopped, and its setting is named', () => {
  const permitClasses = { rules: [{ class: 'adu', description: '(y+)+$' }] }
  const own = classRules({ permitClasses } as unknown as SourceConfig)!
  expect(() => ruledClass(own, '', `${'y'.repeat(60)}.`)).toThrow(
    /^permitClasses\.rules\[0\]\.description takes more than 1 s on "yy/,
  )
})

test('a second without work, on a busy host, stops no pattern', () => {
  const spent = vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 1e6 })
  onTestFinished(() => spent.mockRestore())
  spent.mockReturnValueOnce({ user: 0, system: 0 }).mockReturnValueOnce({ user: 0, system: 790_000 })
  expect(() => operatorExpression('(y+)+$', '', 'x').exec(`${'y'.repeat(60)}.`)).toThrow('takes more than 1 s')
  // The time before and after each of two attempts.
  expect(spent).toHaveBeenCalledTimes(4)
})

// Without a repeated group a pattern is slow only on a longer text.
test.each([`${'y?'.repeat(28)}z`, '(y+)\\1y*z'])('%s is stopped on a long text only', (pattern) => {
  const expression = operatorExpression(pattern, '', '"strip"')
  expect(() => expression.exec('y'.repeat(3000))).toThrow('"strip" takes more than 1 s')
  expect(expression.exec('yyz')?.[0]).toBe('yyz')
})

test('a pattern that could be slow finds what it would find without a limit', () => {
  const pattern = '(?:new|build)\\s+(\\w+)(?:\\s+house)+'
  for (const text of ['Build one house house', 'build\tnew house', 'none', ''])
    expect(operatorExpression(pattern, 'i', 'x').exec(text)?.slice()).toEqual(
      new RegExp(pattern, 'i').exec(text)?.slice(),
    )
  expect('a  b   c'.replace(operatorExpression('(\\s)+', 'g', 'x'), '-')).toBe('a-b-c')
  expect('a  b'.split(operatorExpression('\\s+', '', 'x'))).toEqual(['a', 'b'])
})
