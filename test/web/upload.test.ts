import { expect, test } from 'vitest'
import { multipartFields } from '../../src/web/account/account-page.ts'

/** No shorter than those of browsers. */
const b = 'b'.repeat(30)
const part = (name: string, value: string, more = '') =>
  `--${b}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const read = (text: string, type = `multipart/form-data; boundary=${b}`) => multipartFields(Buffer.from(text), type)

test('the fields of a form as a browser sends it', async () => {
  const form = new FormData()
  form.set('token', 'abc')
  form.set('list', new Blob([`address\r\n${'1 Oak St\r\n'.repeat(500)}`]), 'a "list".csv')
  form.set('empty', '')
  const sent = new Response(form)
  const fields = await multipartFields(Buffer.from(await sent.arrayBuffer()), sent.headers.get('content-type')!)
  expect(Object.keys(fields)).toEqual(['token', 'list', 'empty'])
  expect([fields.token, fields.empty]).toEqual(['abc', ''])
  // A file stays bytes until the form token is checked.
  expect(Buffer.isBuffer(fields.list)).toBe(true)
  expect(String(fields.list)).toMatch(/^address\r\n1 Oak St\r\n.*1 Oak St\r\n$/s)
})

test('a quoted boundary, a type per part and a value that looks like a delimiter', async () => {
  const text = `${part('a', '--bb', '\r\nContent-Type: text/plain')}--${b}--\r\n`
  expect(await read(text, `multipart/form-data; boundary="${b}"`)).toEqual({ a: '--bb' })
  expect(await read(`${part('__proto__', 'x')}${part('a', '1')}--${b}--`)).toHaveProperty('a', '1')
})

test.each([
  ['no boundary', part('a', '1'), 'multipart/form-data'],
  ['another boundary', `--c\r\n\r\n--c--`, undefined],
  ['no end', part('a', '1'), undefined],
  ['an unfinished part', `--${b}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1`, undefined],
  ['a part without a name', `--${b}\r\nContent-Disposition: form-data\r\n\r\n1\r\n--${b}--`, undefined],
  ['a part without an end of its head', `--${b}\r\nContent-Disposition: form-data; name="a"\r\n--${b}--`, undefined],
  ['an empty body', '', undefined],
])('%s is rejected', (_, text, type) => expect(read(text, type)).rejects.toThrow('could not be read'))

test('more fields than a form has are rejected at the sixth', async () => {
  const parts = (count: number) => Array.from({ length: count }, (_, n) => part(`f${n}`, 'x')).join('')
  expect(Object.keys(await read(`${parts(5)}--${b}--`))).toHaveLength(5)
  await expect(read(`${parts(6)}--${b}--`)).rejects.toThrow('more than 5 fields')
  // The rest is not looked at: what follows would be unreadable.
  await expect(read(`${parts(7)}unreadable`)).rejects.toThrow('more than 5 fields')
})

test.each([
  ['another parameter names a boundary', `multipart/form-data; x="; boundary=${'c'.repeat(30)}"; boundary=${b}`],
  ['the boundary is escaped', `multipart/form-data; boundary="\\${b}"`],
])('the limit of fields holds where %s', async (_, type) => {
  const text = `${Array.from({ length: 6 }, () => part('a', 'x')).join('')}--${b}--`
  await expect(read(text, type)).rejects.toThrow(/could not be read|more than 5 fields/)
})
