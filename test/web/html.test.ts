import { expect, test } from 'vitest'
import { csvOf } from '../../src/common/csv.ts'
import { colorsOf } from '../../src/web/browser/marker-colors.ts'
import { dataBlock, html, textOf } from '../../src/web/html.ts'
import { planted } from './site.ts'

test('values in a template are escaped, in elements and in attributes', () => {
  const text = textOf(html`<p title="${planted}">${planted}</p>`)
  expect(text).not.toMatch(/<script|<img/)
  expect(text.match(/</g)).toHaveLength(2)
  expect(text.match(/"/g)).toHaveLength(2)
})

test('nested templates are not escaped twice, and empty values render nothing', () => {
  expect(textOf(html`${[html`<b>${1}</b>`, undefined, null, false]}`)).toBe('<b>1</b>')
})

test('JSON in a data block cannot close the script element', () => {
  const text = textOf(dataBlock({ name: '</script><script>alert(1)' }))
  expect(text.match(/<\/script>/g)).toHaveLength(1)
  expect(JSON.parse(text.replace(/^<[^>]*>|<\/script>$/g, ''))).toEqual({ name: '</script><script>alert(1)' })
})

test('a CSV cell is never a spreadsheet formula', () => {
  expect(
    csvOf(
      ['a', 'b'],
      [
        { a: '=cmd()', b: 'x, "y"\nz' },
        { a: -5, b: undefined },
      ],
    ),
  ).toBe('a,b\r\n\'=cmd(),"x, ""y""\nz"\r\n-5,\r\n')
})

test('homes are colored by what they have', () => {
  const home = (dataset: Record<string, string>) =>
    ({ item: { dataset } }) as unknown as Parameters<typeof colorsOf>[0][number]
  expect(colorsOf([home({ score: '40' }), home({ return: '12' })])).toEqual(['return', 'score'])
  expect(colorsOf([home({ score: '40' })])).toEqual(['score'])
  expect(colorsOf([home({})])).toEqual([])
})
