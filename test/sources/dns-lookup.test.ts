import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { guardedLookup } from '../../src/events/address-guard.ts'
import { openDnsLookup } from '../../src/sources/dns-lookup.ts'
import { type NameServer, openNameServer } from './name-server.ts'

let names: NameServer
afterEach(() => names?.close())

const open = async (...given: Parameters<typeof openNameServer>) => {
  names = await openNameServer(...given)
  return (timeoutMs?: number, allowPrivate = false) =>
    openDnsLookup({ allowPrivate, servers: [names.server], timeoutMs })
}

test('IPv4 and IPv6 addresses are returned', async () => {
  const lookUp = (await open({ 'both.test': { A: ['192.0.2.1'], AAAA: ['2001:db8:0:0:0:0:0:1'] } }))()
  expect(await lookUp('both.test')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
})

test('an unknown name and one without an address have a different code than a timeout', async () => {
  const opening = await open({ 'empty.test': {}, 'silent.test': 'silent' })
  const patient = opening(30_000)
  await expect(patient('gone.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(patient('empty.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(opening(300)('silent.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
})

test('hundreds of names whose servers never respond block neither file reads nor other names', async () => {
  const lookUp = (await open({ 'good.test': { A: ['192.0.2.1'] } }, 'silent'))(3_000)
  const silent = () => Array.from({ length: 240 }, (_, i) => lookUp(`silent-${i}.test`).catch(({ code }) => code))
  let ended = 0
  const first = silent()
  for (const each of first) void each.then(() => ended++)
  await readFile(import.meta.filename)
  expect(await lookUp('good.test')).toEqual([{ address: '192.0.2.1', family: 4 }])
  expect(ended).toBe(0)
  expect(new Set(await Promise.all(first))).toEqual(new Set(['EAI_AGAIN']))
  // The names are now known to be slow and share a quarter of the slots, so that new names get the rest.
  ended = 0
  for (const each of silent()) void each.then(() => ended++)
  // With these there are more than 256. Queries of 164 names at once would overflow the buffer of the name server.
  for (let i = 0; i < 20; i++) lookUp(`other-${i}.test`).catch(() => {})
  expect(await lookUp('good.test')).toHaveLength(1)
  expect(ended).toBe(0)
})

test('a hundred concurrent lookups of one name send one query', async () => {
  const lookUp = (await open({ 'good.test': { A: ['192.0.2.1'] } }))()
  await Promise.all(Array.from({ length: 100 }, () => lookUp('good.test')))
  expect(names.asked).toEqual(['good.test', 'good.test'])
})

test('the hosts file is used only when private addresses are allowed', async () => {
  const opening = await open({})
  await expect(opening()('localhost')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  const found = await opening(undefined, true)('localhost')
  expect(found.length).toBeGreaterThan(0)
})

test('resolved addresses are checked when the connection is made', async () => {
  const lookUp = (await open({ 'inside.test': { A: ['10.0.0.7'] }, 'mixed.test': { A: ['8.8.8.8', '127.0.0.1'] } }))()
  const lookup = guardedLookup(false, (host, done) => {
    lookUp(host).then(
      (addresses) => done(null, addresses),
      (error) => done(error, []),
    )
  })
  const errorOf = (host: string) => new Promise((done) => lookup(host, { all: true }, (error) => done(error?.message)))
  // The message does not name the address, which would tell a caller about the internal network.
  for (const host of ['inside.test', 'mixed.test'])
    expect(await errorOf(host)).toBe('the host name resolves to an address that is not public')
})
