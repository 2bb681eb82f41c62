import type { TObject } from 'typebox'
import { beforeAll, expect, test, vi } from 'vitest'
import { hasFormats } from '../../src/api/formats.ts'
import { inputReader } from '../../src/api/input.ts'
import type { FieldSchema } from '../../src/domain/field-check.ts'
import { hasBody, inputFields, needsOwnKey, rowsOf } from '../../src/wire/operation.ts'
import { operationList } from '../../src/wire/operations/list.ts'
import { ask } from '../setup/ask.ts'
import { listing, permit } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let key: string
beforeAll(async () => {
  key = await service().proKey()
  await listing(service().db, { city: 'Palo Alto' })
  await listing(service().db, { city: 'Menlo Park' })
  await permit(service().db, { city: 'Palo Alto', valuation_usd: 100 })
})

const get = async (path: string) => {
  const answer = await ask(service(), path, { key: await fresh() })
  return answer
}
/** A new key every hundred requests, so that no request returns 429. */
let used = 0
const fresh = async () => {
  if (++used % 100 === 0) key = await service().proKey()
  return key
}

test('unknown parameters are ignored', async () => {
  const { status, body } = await get('/v1/market-signals?colour=red&debug=1&sort=price&colour=blue')
  expect([status, body.count]).toEqual([200, 2])
})

test('every answer names the parameters that its operation does not have', async () => {
  const silent = operationList.filter(
    ({ output, strict, fileTypes }) => !strict && !fileTypes && !('ignored' in (output as TObject).properties),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
  expect((await get('/v1/usage?colour=red')).body.ignored).toEqual(['colour'])
  const items = [{ adress: '1 Oak St' }, { address: '2 Oak St', adress: 'x', constructor: 1 }, null] as object[]
  const { body } = await ask(service(), '/v1/lookup/batch', { method: 'POST', key: await fresh(), body: { items } })
  expect([body.ignored, body.suggestions, body.count]).toEqual([
    ['items.adress', 'items.constructor'],
    ['items.adress: did you mean items.address?'],
    3,
  ])
})

test('the log has only lines of the log, also while the form of an answer is compiled', async () => {
  const said = vi.spyOn(console, 'warn')
  await get('/v1/watches')
  expect(said).not.toHaveBeenCalled()
})

test('what the plan does not have is 403, whatever the input', async () => {
  const denied = operationList.filter(needsOwnKey)
  expect(denied.length).toBeGreaterThan(25)
  for (const [at, { name, path, method }] of denied.entries()) {
    const asked = { key: 'demo', ip: `10.9.9.${at}`, method, ...(hasBody(method) ? { body: {} } : {}) }
    const { status, body } = await ask(service(), `${path.replace(/\{\w+\}/g, 'x')}?limit=0`, asked)
    expect([name, status, body.code]).toEqual([name, 403, 'forbidden'])
  }
})

test('format is another name of f on every list', async () => {
  const lists = operationList.filter((operation) => hasFormats(operation) && operation.method === 'GET')
  expect(lists.filter(({ input }) => !('format' in input.properties)).map(({ name }) => name)).toEqual([])
  const type = async (query: string) =>
    (await ask(service(), `/v1/markets?${query}`, { key: await fresh() })).headers['content-type']
  expect(await type('format=csv')).toBe(await type('f=csv'))
  for (const { path } of lists.filter((operation) => !needsOwnKey(operation) && !operation.path.includes('{'))) {
    const query = path === '/v1/use-leads' ? 'use=transit&' : ''
    const { status } = await ask(service(), `${path}?${query}limit=1&format=csv`, { key: await fresh() })
    expect([path, status]).toEqual([path, 200])
  }
  const { status, body } = await get('/v1/coverage?f=json&format=csv')
  expect([status, body.error]).toEqual([400, expect.stringContaining('f and format are two names of one value')])
})

test('an empty value counts as absent', async () => {
  const queries = ['city=', 'limit=', 'offset=', 'market=', 'address=', 'city=&limit=&offset=']
  for (const query of queries) {
    const { status, body } = await get(`/v1/market-signals?${query}`)
    expect([query, status, body.count]).toEqual([query, 200, 2])
  }
  expect((await get('/v1/permits?minValuation=&issuedFrom=&issuedTo=&appliedTo=&q=&cursor=')).body.count).toBe(1)
  expect((await get('/v1/sales?soldFrom=&soldTo=&cursor=')).status).toBe(200)
  expect((await get('/v1/sb9-inventory?excludeBlockers=&status=&minUnits=')).status).toBe(200)
})

test('a known parameter given twice is 400, and the message names it', async () => {
  for (const name of ['limit', 'offset', 'market', 'address']) {
    const { status, body } = await get(`/v1/market-signals?${name}=1&${name}=2`)
    expect([status, body.code]).toEqual([400, 'bad_request'])
    expect(body.error).toContain(name)
  }
})

test('a value of the wrong type is 400, and the message names the parameter and what is accepted', async () => {
  const rejected: [string, RegExp][] = [
    ['/v1/permits?limit=ten', /limit must be a whole number of at least 1, for example 25; it is "ten"/],
    ['/v1/permits?limit=1.5', /limit/],
    ['/v1/permits?limit=NaN', /limit/],
    ['/v1/permits?limit=0x10', /limit/],
    ['/v1/permits?limit=%201', /limit/],
    ['/v1/permits?minValuation=cheap', /minValuation must be a number of at least 0/],
    ['/v1/permits?minValuation=-1', /minValuation/],
    ['/v1/permits?minValuation=1e999', /minValuation/],
    ['/v1/permits?issuedFrom=2026-02-30', /issuedFrom must be a date, YYYY-MM-DD/],
    ['/v1/permits?issuedTo=yesterday', /issuedTo/],
    ['/v1/permits?issuedFrom=0000-01-01', /issuedFrom/],
    ['/v1/permits?cursor=mine', /cursor/],
    ['/v1/market-signals?status=foo', /status must be one or more of .*, for example for_sale; it is "foo"/],
    ['/v1/market-signals?market=mars', /market must be one of sf-peninsula, nantucket/],
    ['/v1/sb9-inventory?status=maybe', /status must be one or more of eligible, likely, unknown_zone, blocked, any/],
    ['/v1/sb9-inventory?minUnits=0', /minUnits/],
    ['/v1/adu-leads?minScore=101', /minScore must be a number from 0 to 100/],
    ['/v1/redevelopment-leads?class=ruin', /class must be one of teardown_candidate, expansion, vacant_lot/],
    ['/v1/properties/x?include=secrets', /include must be one or more of .*explanation.*; it is "secrets"/],
    ['/v1/permits?permitClass=adu,castle', /permitClass must be one or more of new_house, adu.*; it is "adu,castle"/],
    ['/v1/permits?sort=-price', /sort must be up to 3 of .*for example sort=-valuation; it is "-price"/],
    ['/v1/properties/x?include=comps,comps', /include/],
  ]
  for (const [path, message] of rejected) {
    const { status, body } = await get(path)
    expect([path, status, body.code]).toEqual([path, 400, 'bad_request'])
    expect(body.error).toMatch(message)
  }
})

test('every input that is a number or a text has an example, which the error message shows', async () => {
  const without = operationList.flatMap(({ name, input, example }) =>
    Object.entries(input.properties as Record<string, FieldSchema>).flatMap(([field, schema]) => {
      const { type, enum: values, format, examples } = schema
      const isFree = type === 'number' || type === 'integer' || (type === 'string' && !values && !format)
      // A cursor comes from the previous page; no other one is accepted.
      if (!isFree || examples || field === 'cursor' || field in (example.input as object)) return []
      return [`${name}.${field}`]
    }),
  )
  expect(without).toEqual([])
  for (const path of [
    '/v1/properties/x/proforma?ratePct=low',
    '/v1/lookup?lat=north',
    '/v1/properties/x/proforma?months=0',
  ])
    expect((await get(path)).body.error).toMatch(/must be a number from .*, for example \d/)
})

test('the example in an error message is accepted where the rejected value was sent', () => {
  const errorOf = (run: () => unknown): string => {
    try {
      run()
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  const exampleIn = (message: string) => /for example (.*); it is/.exec(message)?.[1]
  const tooMany = Array(61).fill('?').join()
  const checked: string[] = []
  for (const operation of operationList) {
    const read = inputReader(operation)
    const { query: inQuery, body: inBody, path } = inputFields(operation)
    const given = operation.example.input as Record<string, unknown>
    const properties = operation.input.properties as Record<string, FieldSchema>
    const pick = (names: readonly string[]) => Object.entries(given).filter(([name]) => names.includes(name))
    const params = Object.fromEntries(pick(path).map(([name, value]) => [name, String(value)]))
    const query = Object.fromEntries(pick(inQuery).map(([name, value]) => [name, String(value)]))
    const body = Object.fromEntries(pick(inBody))
    const send = (more: { query?: object; body?: object }) =>
      errorOf(() => read({ params, query: { ...query, ...more.query }, body: { ...body, ...more.body } }))
    for (const name of inQuery.filter((each) => properties[each]!.type === 'array')) {
      const example = exampleIn(send({ query: { [name]: tooMany } }))
      if (example === undefined) continue
      checked.push(name)
      expect([operation.name, name, send({ query: { [name]: example } })]).toEqual([operation.name, name, ''])
    }
    const inner = (properties.criteria?.properties ?? {}) as Record<string, FieldSchema>
    const lists = Object.entries({ ...properties, ...inner }).filter(([, { type }]) => type === 'array')
    for (const [name] of operation.method === 'POST' ? lists : []) {
      const bodyOf = (value: unknown) => (name in inner ? { criteria: { [name]: value } } : { [name]: value })
      const example = exampleIn(send({ body: bodyOf(5) }))
      if (example === undefined) continue
      checked.push(`body ${name}`)
      expect([operation.name, name, send({ body: bodyOf(JSON.parse(example)) })]).toEqual([operation.name, name, ''])
    }
  }
  expect(checked).toEqual(
    expect.arrayContaining(['status', 'bbox', 'sort', 'fields', 'zoning', 'body bbox', 'body sort', 'body zoning']),
  )
})

test('every text input has a maximum length, so that no URL or body can cause unbounded work', () => {
  const unbounded = operationList.flatMap(({ name, input }) =>
    Object.entries(input.properties as Record<string, FieldSchema>)
      .filter(([, { type, enum: values, format, maxLength }]) => type === 'string' && !values && !format && !maxLength)
      .map(([field]) => `${name}.${field}`),
  )
  expect(unbounded).toEqual([])
})

test('a forged cursor is 400, whatever it contains', async () => {
  const made = [
    ['2026-02-31', 'a', 'b'],
    ['0000-01-01', 'a', 'b'],
    ['2026-01-01', 'a\0', 'b'],
    ['2026-01-01', 7, 'b'],
    ['2026-01-01'],
    {},
    null,
    'x',
  ]
  for (const place of made) {
    const cursor = Buffer.from(JSON.stringify(place)).toString('base64url')
    expect((await get(`/v1/permits?cursor=${cursor}`)).status, JSON.stringify(place)).toBe(400)
  }
})

test('a boolean accepts only true or false', async () => {
  for (const value of ['true', 'false']) expect((await get(`/v1/adu-leads?excludeBlockers=${value}`)).status).toBe(200)
  for (const value of ['1', '0', 'yes', 'TRUE', 'null']) {
    const { status, body } = await get(`/v1/adu-leads?excludeBlockers=${value}`)
    expect([value, status]).toEqual([value, 400])
    expect(body.error).toMatch(/excludeBlockers must be true or false/)
  }
})

test('the market defaults to the Peninsula, which has an alias', async () => {
  const counts = await Promise.all(
    ['', '?market=peninsula', '?market=sf-peninsula', '?market=nantucket'].map(
      async (query) => (await get(`/v1/market-signals${query}`)).body.count,
    ),
  )
  expect(counts).toEqual([2, 2, 2, 0])
})

test('a city matches by its full name or slug, case-insensitively', async () => {
  for (const city of ['Palo Alto', 'palo alto', 'PALO-ALTO', 'palo-alto'])
    expect((await get(`/v1/market-signals?city=${encodeURIComponent(city)}`)).body.count, city).toBe(1)
  for (const city of ['Palo', 'Alto', '!!!', ' '])
    expect((await get(`/v1/market-signals?city=${encodeURIComponent(city)}`)).body.count, city).toBe(0)
})

test('NUL, unusual Unicode, quotes and wildcards are plain text or 400, never 500', async () => {
  const odd = [
    '\0',
    "'; drop table permit; --",
    '%',
    '_',
    '\\',
    '\u202e',
    '\ufeff',
    '🏠',
    'ǅ',
    'İ',
    '\ud800',
    '{{7*7}}',
    '*'.repeat(199),
  ]
  for (const text of odd)
    for (const path of [
      '/v1/permits?q=',
      '/v1/permits?city=',
      '/v1/market-signals?city=',
      '/v1/market-signals?address=',
    ]) {
      const value = text === '\ud800' ? '%ed%a0%80' : encodeURIComponent(text)
      const { status } = await get(path + value)
      expect([200, 400], `${path}${value} ${status}`).toContain(status)
      expect(text === '\0' ? status : 400, path).toBe(400)
    }
  for (const id of ['%00', '%f0%9f%8f%a0', '%ff', '..%2f..%2fetc', 'x'.repeat(65), 'x'.repeat(250)]) {
    const { status, body } = await get(`/v1/properties/${id}`)
    expect([400, 404], `${id} ${status}`).toContain(status)
    expect(body.success).toBe(false)
  }
})

test('a lone surrogate in a body is accepted as text', async () => {
  const raw = '{"email":"a@example.com","source":"\\ud800"}'
  expect((await ask(service(), '/v1/subscribe', { raw })).status).toBe(200)
})

test('a path may end in a slash', async () => {
  expect((await get('/v1/market-signals/')).status).toBe(200)
})

test('city and zip take commas and repetition', async () => {
  const key = await service().proKey()
  for (const query of ['city=Palo%20Alto&city=Menlo%20Park', 'zip=94025&zip=94301'])
    for (const list of ['market-signals', 'permits', 'sales', 'adu-leads']) {
      const repeated = await ask(service(), `/v1/${list}?${query}`, { key })
      const commas = await ask(service(), `/v1/${list}?${query.replace(/&\w+=/, ',')}`, { key })
      expect([list, repeated.status, repeated.body.applied]).toEqual([list, 200, commas.body.applied])
    }
})

test('error texts name what was meant', async () => {
  const key = await service().proKey()
  const said = async (path: string, asking: object = {}) => {
    const { body } = await ask(service(), path, { key, ...asking })
    return [body.error, ...(body.suggestions ?? [])].join(' ')
  }
  expect(await said('/v1/permits?page=2&per_page=5&issuedAfter=2026-01-01')).toMatch(
    /page: did you mean offset\?.*per_page: did you mean limit\?.*issuedAfter: did you mean issuedFrom\?/,
  )
  expect(await said('/v1/search', { body: { kind: 'permits', filters: {} } })).toMatch(/filters: did you mean criteria/)
  expect(await said('/v1/market-signals?bbox=1,2,3')).toMatch(/west, south, east, north/)
  expect(await said('/v1/market-signals?status=Active')).toMatch(/Did you mean active\?/)
  expect(await said('/v1/permits?permitClass=ADU')).toMatch(/Did you mean adu\?/)
  expect(await said('/v1/permit')).toMatch(/You may mean \/api\/v1\/permits\./)
  expect(await said('/v1/keys', { body: { email: null } })).not.toMatch(/Leave it out/)
  expect(await said('/v1/permits', { headers: { authorization: 'Bearer other' } })).toMatch(/two different API keys/)
})

test('every list answers f=csv and Accept: text/csv with its columns and rows', async () => {
  const key = await service().proKey()
  const lists = operationList.filter(
    ({ method, path, output }) => method === 'GET' && !path.includes('{') && rowsOf(output),
  )
  expect(lists.length).toBeGreaterThan(18)
  for (const { path, output } of lists) {
    const required = path === '/v1/use-leads' ? 'use=transit&' : ''
    const json = await ask(service(), `${path}?${required}`, { key })
    const row = rowsOf(output)!
    const [first] = Object.keys(row.properties ?? row.anyOf![0]!.properties!)
    for (const csv of [
      await ask(service(), `${path}?${required}f=csv`, { key }),
      await ask(service(), `${path}?${required}`, { key, headers: { accept: 'text/csv' } }),
    ]) {
      expect([path, csv.status, csv.headers['content-type']]).toEqual([path, 200, 'text/csv; charset=utf-8'])
      expect([path, csv.text.split(/[,\r\n]/)[0]?.replace(/^\ufeff/, '')]).toEqual([path, first])
      if (json.body.count === 0) expect(csv.text.trim().split('\n')).toHaveLength(1)
      else expect(csv.text.trim().split('\n').length).toBeGreaterThan(json.body.count)
    }
  }
})
