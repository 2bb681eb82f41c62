// Ten anonymous addresses that ask slow questions on every surface with eight open requests each, from its own process. Reads the
// address of the service and the seconds from the command line and prints how many answers had each status.
import { setTimeout as wait } from 'node:timers/promises'

const [url, seconds] = process.argv.slice(2) as [string, string]
const addresses = 10
const openPerAddress = 8
const until = performance.now() + Number(seconds) * 1000

interface Question {
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** A ring of positions around the sample's cities. */
const ring = (positions: number, n: number) =>
  Array.from({ length: positions + 1 }, (_, index) => {
    const at = index % positions
    const angle = (2 * Math.PI * at) / positions
    const radius = 0.3 + (n % 1000) / 1e5 + (at % 2) * 0.002
    return [-122.27 + radius * Math.cos(angle), 37.5 + radius * Math.sin(angle)]
  })

/** Each question differs from the ones before it, so that no answer is cached. */
const surfaces: ((n: number) => Question)[] = [
  (n) => ({
    path: '/api/v1/search',
    headers: { 'x-api-key': 'demo' },
    body: {
      kind: 'parcels',
      criteria: { within: { type: 'Polygon', coordinates: [ring(499, n)] }, minLotSize: n },
      explain: ['funnel', 'nearMisses'],
    },
  }),
  (n) => ({ path: `/permits?q=.&minValuation=${n}` }),
  (n) => ({ path: `/tiles/permits/8/41/99?minValuation=${n}` }),
  (n) => ({ path: `/explore?market=all&status=sold&minPrice=${n}` }),
  (n) => ({ path: `/permits.csv?q=a&minValuation=${n}` }),
  (n) => ({
    path: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: n,
      method: 'tools/call',
      params: { name: 'search_permits', arguments: { q: 'a', minValuation: n } },
    },
  }),
  (n) => ({ path: `/leads?minLotSize=${n}` }),
  (n) => ({ path: `/api/v1/permits?q=.&f=csv&minValuation=${n}`, headers: { 'x-api-key': 'demo' } }),
]

let asked = 0
const statuses: Record<string, number> = {}
await Promise.all(
  Array.from({ length: addresses * openPerAddress }, async (_, worker) => {
    const from = { 'x-forwarded-for': `198.51.100.${worker % addresses}` }
    for (let turn = worker; performance.now() < until; turn++) {
      const { path, headers, body } = surfaces[turn % surfaces.length]!(++asked)
      const status = await fetch(`${url}${path}`, {
        headers: { ...from, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(10_000),
      })
        .then(async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        })
        .catch(() => 0)
      statuses[status] = (statuses[status] ?? 0) + 1
      // At its limit, an address goes on with the other surfaces.
      if (status !== 200) await wait(250)
    }
  }),
)
process.stdout.write(JSON.stringify(statuses))
