// A real HTTP server with the contract's envelopes, for behavior that the service cannot produce on demand:
// hanging, rejecting, failing, or serving rows that an attacker wrote.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  hang?: boolean
}

export interface Seen {
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
}

export interface StandIn {
  baseUrl: string
  seen: Seen[]
  /** Sets the response to later requests. */
  answer: (reply: (seen: Seen) => Reply) => void
  close: () => Promise<void>
}

export const standInService = async (reply: (seen: Seen) => Reply): Promise<StandIn> => {
  const seen: Seen[] = []
  let current = reply
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://stand-in')
    const entry = { path: url.pathname.replace(/^\/api/, ''), query: url.searchParams, headers: request.headers }
    seen.push(entry)
    const { status = 200, headers = {}, body, hang } = current(entry)
    if (hang) return
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `r${seen.length}`, ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    seen,
    answer: (next) => {
      current = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const asOf = '2026-11-14T06:00:00Z'

export const list = (
  data: unknown[],
  pagination: Record<string, unknown> = {},
  rest: Record<string, unknown> = {},
) => ({
  success: true,
  count: data.length,
  data,
  pagination: { limit: 10, offset: 0, total: data.length, returned: data.length, nextOffset: null, ...pagination },
  historyWindow: null,
  asOf,
  ...rest,
})

export const one = (data: unknown) => ({ success: true, data, asOf })

export const errorBody = (code: string, error = 'No.') => ({ success: false, error, code })

export const permit = (over: Record<string, unknown> = {}) => ({
  permitId: 'B26-0001',
  city: 'San Mateo',
  address: '12 Elm St',
  projectType: 'Residential',
  description: 'New two-story house',
  valuation: 1_250_000,
  contractor: 'Acme Builders',
  architect: null,
  issuedDate: '2026-11-10',
  status: 'issued',
  permitUrl: 'http://localhost:3000/permits/san-mateo/B26-0001',
  source: { source: 'sample', title: 'Sample permits', licence: 'CC0', sample: true },
  ...over,
})

export const signal = (over: Record<string, unknown> = {}) => ({
  id: 'p1',
  address: '12 Elm St',
  city: 'San Mateo',
  price: 1_900_000,
  status: 'active',
  teardownScore: 81,
  flippabilityScore: 40,
  developerROI: 12.3,
  proformaROI: 20.1,
  proforma: { unmodellableReason: null, roiPct: 20.1 },
  metadata: { sqft: 1200, lotSize: 7000, daysOnMarket: 9 },
  ...over,
})

export const sale = (over: Record<string, unknown> = {}) => ({
  saleId: 'sample-sales:S-1',
  propertyId: 'p1',
  address: '12 Elm St',
  city: 'San Mateo',
  price: 3_150_000,
  soldDate: '2026-10-29',
  pricePerSqft: 1_575,
  listPrice: 2_995_000,
  sqft: 2_000,
  lotSize: 7_500,
  beds: 3,
  baths: 2,
  yearBuilt: 1951,
  source: { source: 'sample-sales', title: 'Sample sales', licence: 'CC0', sample: true },
  ...over,
})

export const coverageRow = (over: Record<string, unknown> = {}) => ({
  market: 'sf-peninsula',
  city: 'San Mateo',
  citySlug: 'san-mateo',
  dataset: 'permits',
  rows: 321,
  newestRecord: '2026-11-13',
  lastRunAt: asOf,
  refused: 0,
  stale: false,
  sources: [],
  ...over,
})

export const detail = (over: Record<string, unknown> = {}) => ({
  id: 'p1',
  address: '12 Elm St',
  city: 'San Mateo',
  price: 1_900_000,
  status: 'active',
  intelligence: { teardownScore: 81, flippabilityScore: 40, marketHeatIndex: 66, biddingWarPredictor: 35 },
  comparables: { recentSalesCount: 7, avgPricePerSqft: 1410, windowMonths: 6, radiusMiles: 1 },
  explanation: {
    teardown: {
      score: 81,
      parts: [{ name: 'age', points: 14.2, because: 'Built in 1931' }],
      used: ['yearBuilt'],
      missing: [],
      confidence: 'high',
    },
  },
  proforma: { unmodellableReason: null, capital: 4_000_000, resaleNet: 4_800_000, roiPct: 20 },
  comps: [
    {
      address: '14 Elm St',
      soldOn: '2026-08-01',
      priceUsd: 1_850_000,
      distanceKm: 1,
      adjustedUsd: 1_900_000,
      weight: 0.4,
    },
  ],
  ...over,
})

/** Responds to every path like a service with little data. */
export const ordinary = ({ path, query }: Seen): Reply => {
  const city = query.get('city')
  if (path === '/v1/permits') return { body: list([permit()], { truncated: false, nextCursor: null }) }
  if (path === '/v1/coverage')
    return { body: list([coverageRow()].filter((row) => !city || row.city.toLowerCase() === city.toLowerCase())) }
  if (path === '/v1/market-signals') return { body: list([signal()]) }
  if (/^\/v1\/properties\/p1$/.test(path)) return { body: one(detail()) }
  if (/^\/v1\/properties\/p1\/proforma$/.test(path))
    return {
      body: one({ id: 'p1', address: '12 Elm St', city: 'San Mateo', proforma: detail().proforma, developerROI: 12.3 }),
    }
  if (path.startsWith('/v1/properties/')) return { status: 404, body: errorBody('not_found') }
  return { body: list([]) }
}
