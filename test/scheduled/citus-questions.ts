// Requests that are sent to one server and to a cluster: every kind of answer that reads market data.

export interface Question {
  path: string
  /** POST with this body: an object as JSON, text as CSV. */
  body?: object | string
}

interface Known {
  /** One home of each market. */
  homes: readonly { id: string; address: string; city: string }[]
  permit: string
  builder?: string | undefined
}

const places = ['sf-peninsula', 'nantucket', 'all']

const lists = (market: string): Question[] => [
  ...[
    'market-signals?limit=50',
    'market-signals?sort=-price&maxPrice=2500000',
    'market-signals?minTeardownScore=40&sort=-teardownScore',
    'sales?limit=50',
    'sales?sort=-price&limit=20',
    'permits?limit=50',
    'permits?q=roof&limit=20',
    'permits?sort=-valuation&limit=20',
    'permits?q=kitchen&minValuation=50000&sort=-valuation',
    'permits?issued=false',
    'permits?minUnitsAdded=1',
    'adu-leads?minScore=1',
    'redevelopment-leads?minScore=1',
    'sb9-inventory?status=any',
  ].map((path) => ({ path: `/${path}&market=${market}` })),
  ...(['listings', 'parcels', 'permits'] as const).flatMap((kind) => [
    { path: '/search', body: { kind, criteria: { market }, limit: 20 } },
    { path: '/search', body: { kind, criteria: { market }, explain: ['funnel'], limit: 5 } },
  ]),
  { path: '/search', body: { kind: 'listings', criteria: { market, maxPrice: 900_000 }, explain: ['nearMisses'] } },
]

const ofMarket = (market: string): Question[] =>
  [
    'market-series?limit=50',
    'market-series?interval=year&limit=50',
    'builders?limit=50',
    'builders?sort=valuation&limit=10',
    'permit-timelines?groupBy=city&groupBy=permitClass',
    'assumptions?',
  ].map((path) => ({ path: `/${path}&market=${market}` }))

export const questions = ({ homes, permit, builder }: Known): Question[] => [
  ...places.flatMap(lists),
  ...places.slice(0, 2).flatMap(ofMarket),
  ...['/coverage?limit=100', '/accuracy?limit=100', '/markets', '/fields'].map((path) => ({ path })),
  ...homes.flatMap(({ id, address, city }) => [
    { path: `/properties/${id}?include=explanation,comps,history,permits,timeline,shape` },
    { path: `/properties/${id}/proforma?costPerSqft=450` },
    { path: `/lookup?address=${encodeURIComponent(`${address}, ${city}`)}&include=listing,scores` },
    { path: `/lookup?address=${encodeURIComponent(address)}` },
    { path: `/lookup?id=${id}` },
  ]),
  { path: '/lookup?address=5%20Pine%20St%2C%20Palo%20Alto' },
  { path: '/lookup?address=5%20Unheard%20Of%20St%2C%20Nantucket' },
  { path: '/lookup?lat=37.44&lng=-122.14' },
  {
    path: '/lookup/batch',
    body: {
      items: [
        ...homes.map(({ address, city }) => ({ address: `${address}, ${city}` })),
        ...homes.map(({ address }) => ({ address: address.replace(/\d+/, '9$&') })),
        { address: '5 Unheard Of St, Palo Alto' },
        { address: '12 Main' },
        { lat: 37.44, lng: -122.14 },
        { id: homes[0]!.id },
      ],
      include: ['listing', 'scores'],
    },
  },
  {
    path: '/lookup/batch',
    body: `address,city\n${homes.map(({ address, city }) => `${address},${city}`).join('\n')}\n1 Nowhere Ln,Palo Alto\n`,
  },
  {
    path: '/watches',
    body: { name: 'all', kind: 'listings', criteria: { market: 'all' }, on: ['entered'], dryRun: true },
  },
  { path: `/permits/${permit}` },
  ...(builder === undefined ? [] : [{ path: `/builders/${builder}` }, { path: `/builders/${builder}/permits` }]),
]
