// What one request costs the main thread, in processor time: the worst body, file, polygon, pattern and text of every surface. A rejected
// request may cost 20 ms in all, less what a bare node:http server needs to receive the same bytes; an accepted one may never hold the
// event loop for more than 50 ms at a time.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median } from './figure.ts'
import { keysOf, type Service, startBare } from './service.ts'

const maxRejectedMs = 20
const maxHeldMs = 50

/** In the service's process, where NODE_OPTIONS imports this file: one signal begins a measurement, the next one ends it. */
const probe = (file: string) => {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let measuring: { longest: number; total: number } | undefined
  process.on('SIGUSR2', () => {
    if (measuring) {
      void writeFile(file, JSON.stringify(measuring))
      measuring = undefined
      return
    }
    const own = { longest: 0, total: 0 }
    measuring = own
    let before = cpuMs()
    // One turn of the event loop: nobody else is served during it.
    const turn = () => {
      const now = cpuMs()
      const held = now - before
      before = now
      own.longest = Math.max(own.longest, held)
      // An idle turn takes a few microseconds.
      if (held > 0.1) own.total += held
      if (measuring === own) setImmediate(turn)
    }
    setImmediate(turn)
  })
}
if (process.env.BODIES_PROBE && isMainThread) probe(process.env.BODIES_PROBE)

interface Sent {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

const json = (path: string, key: string, body: unknown): Sent => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': key },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const mib = 2 ** 20

/** A ring whose edges all overlap: every pair has to be compared. */
const spikes = (positions: number, n: number) => {
  const ring = Array.from({ length: positions - 1 }, (_, at) => {
    const angle = (2 * Math.PI * at) / (positions - 1)
    const radius = at % 2 ? 0.3 + (n % 1000) / 1e5 : 0.001
    return [-122.27 + radius * Math.cos(angle), 37.5 + radius * Math.sin(angle)]
  })
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
}

const explained = (polygon: unknown) => ({
  kind: 'parcels',
  criteria: { within: polygon },
  explain: ['funnel', 'nearMisses'],
})

const csvOf = (row: string, rows: number) => `address\n${`${row}\n`.repeat(rows)}`
const columns = `address,${Array.from({ length: 99 }, (_, at) => `c${at}`).join(',')}`
const addresses = Array.from({ length: 10_000 }, (_, at) => `${100 + at} Oak Avenue Unit ${at % 9}, Palo Alto CA`)

/** A form of these fields. `file`: they are files. */
const formOf = (fields: readonly (readonly [name: string, text: string])[], file = '') =>
  `${fields.map(([name, text]) => `--XX\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`).join('')}--XX--`
const asFile = '; filename="x"'
const parts = (count: number) =>
  formOf(
    Array.from({ length: count }, (_, at) => [`f${at}`, 'x'] as const),
    asFile,
  )

const upload = (cookie: string, body: string | Buffer, boundary = 'XX'): Sent => ({
  path: '/account/exports/score',
  method: 'POST',
  headers: { cookie, 'content-type': `multipart/form-data; boundary=${boundary}` },
  body,
})

const mcp = (body: unknown, n = 0): Sent => ({
  path: '/mcp',
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-forwarded-for': `203.0.113.${n % 250}`,
  },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const call = (name: string, given: unknown, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
})

interface Callers {
  pro: string
  free: string
  /** Cookies of a session, and the hidden field of its forms. */
  session: { pro: string; free: string; token: string; keyId: string }
}

/** What is sent, by name; `n` makes each answer a new one. */
const cases: Readonly<Record<string, (callers: Callers, n: number) => Sent>> = {
  'upload: 50,000 parts, free key': ({ session }) => upload(session.free, parts(50_000)),
  'upload: 50,000 parts, Pro key': ({ session }) => upload(session.pro, parts(50_000)),
  'upload: 5 MiB of almost the delimiter': ({ session }) =>
    upload(
      session.pro,
      Buffer.concat([Buffer.from(`--${'-'.repeat(70)}\r\n`), Buffer.alloc(5 * mib, '\r\n-')]),
      '-'.repeat(70),
    ),
  'upload: no form token, 5 MiB file': ({ session }) =>
    upload(session.pro, formOf([['list', csvOf('é', 1.7e6)]], asFile)),
  'upload: 10,000 addresses': ({ session: { pro, token, keyId } }, n) =>
    upload(pro, formOf(Object.entries({ token, key: keyId, list: `address\n${n}\n${addresses.slice(1).join('\n')}` }))),
  'form: 64 KiB of fields': ({ session }) => ({
    path: '/account/watches/create',
    method: 'POST',
    headers: { cookie: session.free, 'content-type': 'application/x-www-form-urlencoded' },
    body: Array.from({ length: 13_000 }, (_, at) => at.toString(36))
      .join('&')
      .slice(0, 65_000),
  }),
  'csv: 700,000 rows': ({ pro }) => csv(pro, csvOf('1 A', 700_000)),
  'csv: 700,000 rows, free key': ({ free }) => csv(free, csvOf('1 A', 700_000)),
  'csv: 10,000 rows of 500 commas': ({ pro }) => csv(pro, csvOf(','.repeat(500), 10_000)),
  'csv: one row of 5 million commas': ({ pro }) => csv(pro, csvOf(','.repeat(5e6), 1)),
  'csv: one cell of 2.5 million quotes': ({ pro }) => csv(pro, csvOf(`"${'""'.repeat(2.4e6)}"`, 1)),
  'csv: bad last row of 1 million cells': ({ pro }) =>
    csv(pro, `${columns}\n${`${'abc,'.repeat(99)}d\n`.repeat(9_999)}${','.repeat(200)}`),
  'csv: 1 million cells': ({ pro }) => csv(pro, `${columns}\n${`${',abc'.repeat(99)}\n`.repeat(10_000)}`),
  'csv: 1,000 addresses': ({ pro }) => csv(pro, `address\n${addresses.slice(0, 1_000).join('\n')}`),
  'json: 64 KiB of empty lists': ({ free }) => json('/api/v1/lookup/batch', free, `[${'[],'.repeat(21_000)}[]]`),
  'json: 21,000 empty items': ({ free }) => json('/api/v1/lookup/batch', free, `{"items":[${'{},'.repeat(21_000)}{}]}`),
  'json: unknown names': ({ free }) =>
    json(
      '/api/v1/lookup/batch',
      free,
      Object.fromEntries(Array.from({ length: 7_000 }, (_, at) => [at.toString(36), 1])),
    ),
  'json: 256 KiB of __proto__': ({ free }) =>
    json('/api/v1/search', free, `{"a":[${'{"b":1},'.repeat(30_000)}{"__proto__":1}]}`),
  'json: 100 addresses of 300 letters': ({ pro }, n) =>
    json('/api/v1/lookup/batch', pro, {
      items: Array.from({ length: 100 }, (_, at) => ({
        address: `${n}${at} ${'oak st apt '.repeat(26)}`.slice(0, 300),
      })),
    }),
  'polygon: 100,000 positions': ({ free }) =>
    json(
      '/api/v1/search',
      free,
      `{"kind":"parcels","criteria":{"within":{"type":"Polygon","coordinates":[[${'[],'.repeat(80_000)}[]]]}}}`,
    ),
  'polygon: 500 positions, demo key': (_, n) => json('/api/v1/search', 'demo', explained(spikes(500, n))),
  'polygon: 2,000 positions': ({ pro }, n) => json('/api/v1/search', pro, explained(spikes(2_000, n))),
  'polygon: 2,000 positions, last edge crosses': ({ pro }, n) => {
    const { type, coordinates } = spikes(1_999, n)
    return json(
      '/api/v1/search',
      pro,
      explained({ type, coordinates: [[...coordinates[0]!, [-121, 38], coordinates[0]![0]]] }),
    )
  },
  'watch: 2,000 positions': ({ pro }, n) =>
    json('/api/v1/watches', pro, { kind: 'parcels', name: `${n}`, criteria: { within: spikes(2_000, n) } }),
  'watch: 256 KiB polygon, free key': ({ free }, n) =>
    json('/api/v1/watches', free, { kind: 'parcels', name: `${n}`, criteria: { within: spikes(6_000, n) } }),
  'own assumptions: order of all homes': ({ pro }, n) =>
    get(`/api/v1/market-signals?market=all&sort=-returnPct&ratePct=${7 + n / 100}`, pro),
  'mcp: list of tools': (_, n) => mcp({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, n),
  'mcp: 64 KiB of calls in one': (_, n) =>
    mcp(
      Array.from({ length: 600 }, (_, at) => call('search_permits', { q: `a${n}` }, at)),
      n,
    ),
  'mcp: 60 KiB of arguments': (_, n) => mcp(call('search_permits', { q: 'a'.repeat(60_000) }), n),
  'mcp: a tool': (_, n) => mcp(call('search_permits', { q: `kitchen ${n}` }), n),
  'text: 12 KiB in a query': ({ pro }, n) => get(`/api/v1/permits?q=${n}${'a%20'.repeat(3_000)}`, pro),
  'text: longest q': ({ pro }, n) =>
    get(`/api/v1/permits?q=${`${n} kitchen adu remodel `.repeat(20).slice(0, 190)}`, pro),
  'text: 3,000 unknown parameters': ({ pro }, n) =>
    get(`/api/v1/permits?q=${n}&${Array.from({ length: 3_000 }, (_, at) => at.toString(36)).join('&')}`, pro),
  'text: longest address': ({ pro }, n) =>
    get(`/api/v1/lookup?address=${encodeURIComponent(`${n} ${'oak st apt '.repeat(26)}`.slice(0, 300))}`, pro),
  'text: find on a page': (_, n) => page(`/find?q=${encodeURIComponent(`${n} ${'oak st apt '.repeat(1_000)}`)}`, n),
  'text: search of the documentation': (_, n) => page(`/docs/search?q=${'a%20b%20'.repeat(1_500)}`, n),
  'page: explore': (_, n) => page(`/explore?market=all&status=sold&minPrice=${n}`, n),
  'page: permits': (_, n) => page(`/permits?q=.&minValuation=${n}`, n),
  'page: 404': (_, n) => page(`/${'a/'.repeat(5_000)}${n}`, n),
  'read: signals': ({ pro }, n) => get(`/api/v1/market-signals?minPrice=${n}&limit=100`, pro),
  'tile: permits': (_, n) => page(`/tiles/permits/8/41/99?minValuation=${n}`, n),
}

const get = (path: string, key: string): Sent => ({ path, headers: { 'x-api-key': key } })
const page = (path: string, n: number): Sent => ({ path, headers: { 'x-forwarded-for': `203.0.113.${n % 250}` } })
const csv = (key: string, body: string): Sent => ({
  path: '/api/v1/lookup/batch',
  method: 'POST',
  headers: { 'content-type': 'text/csv', 'x-api-key': key },
  body,
})

export const measure = async (context: Context): Promise<Figure[]> => {
  const file = join(context.dir, 'bodies.json')
  const probed = { BODIES_PROBE: file, NODE_OPTIONS: `--import=${import.meta.filename}` }
  const service = await context.startService({ TRUSTED_PROXIES: '127.0.0.1', ...probed }, 'api')
  const bare = await startBare(context.dir, new Headers(), '', probed)
  try {
    const runs = context.sized(5, 2, 1)
    const named = Object.keys(cases).filter((name) => name.includes(process.env.BODIES_ONLY ?? ''))
    const names = named.slice(0, context.sized(named.length, named.length, 6))
    const pro = await context.proKeys(names.length)
    const free = await keysOf(context.environment, 'free', names.length)
    const session = await sessionsOf(service.url, pro[0]!, free[0]!)
    const figures: Figure[] = []
    let n = 0
    const costs = async (server: Pick<Service, 'url' | 'process'>, send: () => Sent) => {
      const measured: Cost[] = []
      // The first ones compile the code.
      for (let run = context.sized(-3, -3, 0); run < runs; run++) {
        const cost = await costOf(server, send(), file)
        if (run >= 0) measured.push(cost)
      }
      return measured
    }
    for (const [at, name] of names.entries()) {
      const callers = { pro: pro[at]!, free: free[at]!, session }
      const send = () => cases[name]!(callers, ++n)
      const measured = await costs(service, send)
      const isRejected = measured[0]!.status >= 400 || measured[0]!.status === 0
      // Only what has a body is received in pieces.
      const bareMs = isRejected && send().body ? median((await costs(bare, send)).map(({ total }) => total)) : 0
      const { status } = measured[0]!
      figures.push(
        figureOf(
          `bodies: ${name}`,
          'ms',
          measured.map(({ longest, total }) => (isRejected ? Math.max(0, total - bareMs) : longest)),
          {
            target: atMost(isRejected ? maxRejectedMs : maxHeldMs, 'ours'),
            note: `${status}; in all ${median(measured.map(({ total }) => total)).toFixed(1)} ms${bareMs ? ` (receiving ${bareMs.toFixed(1)} ms)` : ''}, at most ${median(measured.map(({ longest }) => longest)).toFixed(1)} ms at a time`,
          },
        ),
      )
      context.say(`  ${figures.at(-1)!.met ? ' ' : '!'} ${name}: ${figures.at(-1)!.note}`)
    }
    return figures
  } finally {
    bare.process.kill()
    await service.stop()
  }
}

interface Cost {
  status: number
  longest: number
  total: number
}

/** Sends one request between the two signals of the probe, which writes what it cost to `file`. */
const costOf = async ({ url, process }: Pick<Service, 'url' | 'process'>, sent: Sent, file: string): Promise<Cost> => {
  process.kill('SIGUSR2')
  const status = await fetch(`${url}${sent.path}`, {
    method: sent.method ?? 'GET',
    headers: sent.headers ?? {},
    ...(sent.body === undefined ? {} : { body: sent.body as BodyInit }),
    redirect: 'manual',
  })
    .then(async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    })
    .catch(() => 0)
  await writeFile(file, '')
  process.kill('SIGUSR2')
  let found = ''
  while (found === '') {
    await wait(20)
    found = await readFile(file, 'utf8')
  }
  return { status, ...(JSON.parse(found) as { longest: number; total: number }) }
}

/** Signs in as a browser does. */
const sessionsOf = async (url: string, pro: string, free: string): Promise<Callers['session']> => {
  const fieldOf = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
  const signIn = async (key: string) => {
    const form = await fetch(`${url}/account/sign-in`)
    const cookie = form.headers.getSetCookie()[0]!.split(';')[0]!
    const answer = await fetch(`${url}/account/sign-in/key`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ token: fieldOf(await form.text(), 'token'), key }),
      redirect: 'manual',
    })
    return answer.headers
      .getSetCookie()
      .find((each) => each.includes('session='))!
      .split(';')[0]!
  }
  const cookies = { pro: await signIn(pro), free: await signIn(free) }
  const exports = await (await fetch(`${url}/account/exports`, { headers: { cookie: cookies.pro } })).text()
  return { ...cookies, token: fieldOf(exports, 'token'), keyId: fieldOf(exports, 'key') }
}
