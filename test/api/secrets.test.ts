import { expect, test } from 'vitest'
import { redactedUrl, redactSecrets } from '../../src/api/logging.ts'
import { inTransaction, sql } from '../../src/store/engine/database.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { ask } from '../setup/ask.ts'
import { type Service, useService } from '../setup/service.ts'

const service = useService({ logLevel: 'trace' })

test('none of 300 issued keys is in the database or in the logs', { timeout: 300_000 }, async () => {
  const keys = new Set<string>()
  // 60 keys issued through the API, each with its email in the queue, and 240 by the operator.
  for (let i = 0; i < 60; i++) {
    const { body } = await ask(service(), '/v1/keys', { body: { email: `k${i}@example.com` }, ip: `10.1.${i}.1` })
    keys.add(body.key)
  }
  await inTransaction(service().db, async (tx) => {
    for (let i = 0; i < 240; i++) keys.add((await insertKey(tx, { plan: 'pro', email: 'o@example.com' })).key)
  })
  expect(keys.size).toBe(300)

  // Sends keys in every valid and invalid way, because each could reach a log line.
  for (const key of keys) {
    await ask(service(), `/v1/usage?apiKey=${key}`)
    await ask(service(), `/v1/usage?APIKEY=${key}&api_key=${key}`, { key })
  }
  for (const key of [...keys].slice(0, 60)) await misuse(key)

  const dump = await dumpOf(service())
  const logs = service().logs.join('\n')
  expect(dump.length).toBeGreaterThan(100_000)
  expect(logs.length).toBeGreaterThan(100_000)
  const leaked = (text: string) => [...keys].filter((key) => text.includes(key) || text.includes(key.slice(-20)))
  expect(leaked(dump)).toEqual([])
  expect(leaked(logs)).toEqual([])
  expect(leaked(decodeURIComponent(logs.replace(/%(?![0-9a-f]{2})/gi, '')))).toEqual([])
})

const encoded = (key: string) => [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')

/** Sends the key in places that do not accept one and checks that no response repeats it. */
const misuse = async (key: string) => {
  const answers = await Promise.all([
    ask(service(), `/v1/properties/${key}`, { key }),
    ask(service(), `/v1/${key}`, { key }),
    ask(service(), `/v1/permits?limit=${key}`, { key }),
    ask(service(), `/v1/permits?q=${encoded(key)}&limit=x`, { key }),
    ask(service(), `/v1/properties/${encoded(key)}`, { key }),
    ask(service(), `/v1/usage?%61piKey=${key}`),
    ask(service(), `/${key}`),
    ask(service(), `/v1/permits/x/${key}?apikey=${encoded(key)}`, { key }),
    ask(service(), `/v1/permits/${key}/${key}`, { key }),
    ask(service(), `/v1/permits/%zz${encoded(key)}/${key}`, { key }),
    ask(service(), '/v1/keys', { body: { email: key } }),
    ask(service(), '/v1/keys', { raw: `{"email":"${key}`, ip: '10.2.0.1' }),
    ask(service(), '/v1/subscribe', { body: { email: 'a@example.com', market: key }, ip: '10.2.0.2' }),
  ])
  for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toContain(key)
}

/** Every row of every table as text, including the queue’s tables. */
const dumpOf = async ({ db }: Service): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const parts = []
  for (const { name } of rows) {
    const held = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(db)
    parts.push(name, ...held.rows.map(({ row }) => row))
    // bytea columns print as hexadecimal, so their bytes are added once more as text.
    for (const { row } of held.rows)
      for (const [, hex] of row.matchAll(/\\\\x([0-9a-f]{16,})/g))
        parts.push(Buffer.from(hex!, 'hex').toString('latin1'))
  }
  return parts.join('\n')
}

test('a URL is logged without the key, for every spelling and encoding of the parameter', () => {
  const key = `ll_free_${'a'.repeat(36)}`
  const urls = [
    `/x?apiKey=${key}`,
    `/x?APIKEY=${key}&q=1`,
    `/x?q=1&api_key=${key}`,
    `/x?%61piKey=${encoded(key)}`,
    `/x?%2561piKey=${key}`,
    `/x?q=${encoded(key)}`,
    `/x/${key}?q=1`,
    `/x/${encoded(key)}`,
    `/x?apiKey=short`,
    // Two keys in one path, an invalid encoding before the key, and more rounds of encoding than a proxy makes.
    `/v1/permits/${key}/${key}`,
    `/x/%zz%6cl_free_${'a'.repeat(36)}`,
    `/x?q=%zz${encoded(key)}`,
    `/x/${key.slice(0, 30)}/${key.slice(30)}${'a'.repeat(24)}`,
    `/x/${encoded(key).replaceAll('%', `%${'25'.repeat(30)}`)}`,
  ]
  for (const url of urls) {
    const shown = redactedUrl(url)
    expect(shown, url).toContain('[redacted]')
    expect(shown.replaceAll('%61', 'a'), url).not.toMatch(/a{20}|(?:%(?:25)*61){20}|short/)
  }
  expect(redactedUrl('/x?q=llama&city=palo%20alto')).toBe('/x?q=llama&city=palo%20alto')
})

test('a key in a message or log line is redacted, also when it is encoded', () => {
  const key = `ll_pro_${'b'.repeat(36)}`
  for (const text of [`nothing at /${key}/${key} here`, `"/x/%zz${encoded(key)}"`, `/${key}/${encoded(key)}`])
    expect(redactSecrets(text), text).not.toMatch(/b{20}|(?:%62){20}/)
  expect(redactSecrets('"100%","/x?q=%20a"')).toBe('"100%","/x?q=%20a"')
  expect(redactSecrets(`{"a":"x ${encoded(key)}","b":1}`)).toBe('{"a":"x [redacted]","b":1}')
})

test('signing secrets are redacted from every log line', () => {
  expect(redactSecrets('secret whsec_AbC+/= end')).toBe('secret whsec_[redacted] end')
})
