import { expect, test } from 'vitest'
import { milesPerDegree } from '../../src/domain/distance.ts'
import type { LotSurroundings } from '../../src/operations/lot-surroundings.ts'
import { lineChart } from '../../src/web/charts/line-chart.ts'
import { lotMap } from '../../src/web/charts/lot-map.ts'
import { marketMap } from '../../src/web/charts/market-map.ts'
import { errorStatusesOf, outputRows, typeWords } from '../../src/web/contract-fields.ts'
import { textOf } from '../../src/web/html.ts'
import { isFiltered, permitForm, permitInput, searchedMarket } from '../../src/web/pages/permits-filter.ts'
import { explanationSection } from '../../src/web/pages/property.ts'
import { timelineSection } from '../../src/web/pages/property-history.ts'
import { rulesSection } from '../../src/web/pages/property-rules.ts'
import type { PropertyDetail } from '../../src/wire/property.ts'

const lat = 37.4
const lngOf = (miles: number) => miles / (milesPerDegree * Math.cos((lat * Math.PI) / 180))

test('a line runs from the first to the last day and between the ends of the scale', () => {
  const options = { label: 'Price', from: 100, to: 200 }
  const points = [
    { on: '2026-01-01', value: 100, band: { low: 100, high: 150 } },
    { on: '2026-01-11', value: 150 },
    { on: '2026-01-21', value: 200, band: { low: 175, high: 200 } },
  ]
  const drawn = textOf(lineChart(points, options))
  expect(drawn).toContain('class="line" d="M0.0 100.0L500.0 50.0L1000.0 0.0"')
  expect(drawn).toContain('class="band" d="M0.0 50.0L1000.0 0.0L1000.0 25.0L0.0 100.0Z"')
  expect(drawn).toContain('aria-label="Price: 100 in Jan 2026, 200 in Jan 2026"')
  expect(drawn).toContain('<span>200</span><span>150</span><span>100</span>')
  const plain = textOf(lineChart(points.slice(0, 2), options))
  expect(plain).toContain('class="area" d="M0.0 100.0L1000.0 50.0V100H0Z"')
  expect(textOf(lineChart(points.slice(0, 1), options))).toBe('')
  expect(textOf(lineChart([], options))).toBe('')
})

test('a lot is drawn in feet with its sides, its street and the lots around it', () => {
  const degree = milesPerDegree * 5_280
  const [x, y] = [(feet: number) => -122 + lngOf(feet / 5_280), (feet: number) => lat + feet / degree]
  const rectangle = (west: number, south: number, east: number, north: number) => [
    [
      [
        [x(west), y(south)],
        [x(east), y(south)],
        [x(east), y(north)],
        [x(west), y(north)],
        [x(west), y(south)],
      ],
    ],
  ]
  const home = { id: 'a', address: '1 Elm St', shape: { type: 'MultiPolygon', coordinates: rectangle(0, 0, 60, 120) } }
  const around = {
    lots: [
      { propertyId: 'a', address: '1 Elm St', polygons: rectangle(0, 0, 60, 120) },
      { propertyId: 'b', address: '', polygons: rectangle(60, 0, 120, 120) },
    ],
    // Most of the street is outside the drawing; its name is in the middle of the part inside.
    streets: [
      {
        name: 'Elm St',
        path: [
          [x(-130), y(-20)],
          [x(430), y(-20)],
        ],
      },
      {
        name: 'Far St',
        path: [
          [x(-130), y(900)],
          [x(190), y(900)],
        ],
      },
      // The middle of each of these is too near an edge for a name.
      ...[
        [185, 0, 185, 100],
        [-125, 0, -125, 100],
        [0, -125, 60, -125],
        [0, 245, 60, 245],
      ].map(([fromX, fromY, toX, toY], at) => ({
        name: `Edge St ${at}`,
        path: [
          [x(fromX!), y(fromY!)],
          [x(toX!), y(toY!)],
        ],
      })),
      {
        name: null,
        path: [
          [x(0), y(-40)],
          [x(60), y(-40)],
        ],
      },
    ],
  }
  const drawn = textOf(lotMap(home as unknown as PropertyDetail, around as unknown as LotSurroundings))
  expect(drawn).toContain('viewBox="0 0 320 380"')
  expect(drawn).toContain('class="lot" d="M130.0,250.0L190.0,250.0L190.0,130.0L130.0,130.0L130.0,250.0Z"')
  expect([...drawn.matchAll(/class="neighbor"/g)]).toHaveLength(1)
  expect(drawn).toContain('aria-label="Neighboring lot"')
  const lengths = [
    ...drawn.matchAll(/class="length" transform="translate\(([\d. ]+)\) rotate\(([-\d.]+)\)" dy="4">(\d+)/g),
  ]
  expect(lengths.map(([, at, , feet]) => `${at}: ${feet}`).sort()).toEqual([
    '121.0 190.0: 120',
    '160.0 121.0: 60',
    '160.0 259.0: 60',
    '199.0 190.0: 120',
  ])
  const names = [...drawn.matchAll(/class="street-name" transform="([^"]+)" dy="4">([^<]+)/g)]
  expect(names.map(([, at, name]) => [at, name])).toEqual([['translate(160.0 270.0) rotate(0.0)', 'Elm St']])
  expect(textOf(lotMap({ id: 'a', address: '1 Elm St' } as PropertyDetail, around as unknown as LotSurroundings))).toBe(
    '',
  )
})

test('the whole drawing of a lot that is turned, with its yards and streets that bend', () => {
  const degree = milesPerDegree * 5_280
  const at = ([x, y]: readonly [number, number]) => {
    const [east, north] = [x * Math.cos(0.5) - y * Math.sin(0.5), x * Math.sin(0.5) + y * Math.cos(0.5)]
    return [-122 + lngOf(east / 5_280), lat + north / degree]
  }
  const ring = (...points: [number, number][]) => [[[...points, points[0]!].map(at)]]
  const shape = { type: 'MultiPolygon', coordinates: ring([0, 0], [60, 0], [60, 120], [0, 120]) }
  const around = {
    lots: [{ propertyId: 'b', address: '3 Elm St', polygons: ring([60, 0], [120, 0], [120, 120], [60, 120]) }],
    streets: [
      { name: 'Elm St', path: [at([400, -20]), at([20, -20]), at([-20, -20]), at([-400, -60])] },
      { name: 'Elm St', path: [at([-30, -50]), at([0, -50])] },
      { name: 'Oak Ln', path: [at([-90, 200]), at([-90, -100])] },
      { name: 'Ash Ct', path: [at([30, 150]), at([170, 260])] },
      // Its middle is too near the edge of the drawing for a name.
      { name: 'Far Rd', path: [at([-200, 0]), at([-200, 5])] },
    ],
    setbacks: { front: 20, side: 6, rear: 25 },
  }
  const home = { id: 'a', address: '1 Elm St', shape } as unknown as PropertyDetail
  const drawn = (setbacks?: object) =>
    textOf(lotMap(home, { ...around, setbacks } as unknown as LotSurroundings)).replace(/></g, '>\n<')
  expect(drawn(around.setbacks)).toMatchInlineSnapshot(`
    "<figure class="lot-map">
    <svg viewBox="0 0 370 394" role="group" aria-label="The lot of 1 Elm St and its neighbors">
    <path class="street" d="M548.2,89.9L214.7,272.0L179.6,291.2L-134.7,508.5"/>
    <path class="street" d="M185.2,322.3L211.5,308.0"/>
    <path class="street" d="M12.7,131.7L156.5,395.0"/>
    <path class="street" d="M141.9,118.1L212.1,-45.6"/>
    <path class="street" d="M12.0,360.0L9.6,355.6"/>
    <a href="/properties/b" aria-label="3 Elm St" tabindex="-1">
    <path class="neighbor" d="M240.2,235.3L292.8,206.5L235.3,101.2L182.7,130.0L240.2,235.3Z">
    <title>3 Elm St</title>
    </path>
    </a>
    <path class="lot" d="M187.5,264.1L240.2,235.3L182.7,130.0L130.0,158.8L187.5,264.1Z"/>
    <path class="yards" d="M183.2,243.6L225.3,220.6L189.4,154.8L147.3,177.8Z"/>
    <text class="length" transform="translate(218.2 257.6) rotate(-28.6)" dy="4">60</text>
    <text class="length" transform="translate(219.3 178.3) rotate(61.4)" dy="4">120</text>
    <text class="length" transform="translate(152.0 136.5) rotate(-28.6)" dy="4">60</text>
    <text class="length" transform="translate(150.9 215.7) rotate(61.4)" dy="4">120</text>
    <text class="street-name" transform="translate(105.2 342.6) rotate(-34.7)" dy="4">Elm St</text>
    <text class="street-name" transform="translate(84.3 262.9) rotate(61.4)" dy="4">Oak Ln</text>
    <text class="street-name" transform="translate(167.2 59.0) rotate(-66.8)" dy="4">Ash Ct</text>
    </svg>
    <figcaption>Dashed: the area inside the required yards. Lengths in feet, measured on the outline. <a href="/explore?bbox=-122.00065,37.39964,-121.99937,37.40072&amp;view=map">Open the map</a>
    </figcaption>
    </figure>"
  `)
  expect(drawn()).not.toContain('yards')
  const two = { ...home, shape: { ...shape, coordinates: [...shape.coordinates, ...ring([70, 0], [80, 0], [80, 9])] } }
  const apart = textOf(lotMap(two as unknown as PropertyDetail, around as unknown as LotSurroundings))
  expect(apart).not.toMatch(/class="(?:length|yards)"/)
})

test('rules that are not met come first, met ones are closed, and duties stand apart', () => {
  const rule = (title: string, outcome: string, force = 'absolute') => ({
    ...{ code: title, title, outcome, force, because: `${title} because`, citation: '' },
  })
  const trace = [
    rule('Met one', 'pass'),
    rule('Conditional', 'warn'),
    rule('Unchecked', 'unknown'),
    rule('Failed', 'fail'),
    rule('Met two', 'pass'),
    rule('A duty', 'warn', 'obligation'),
  ]
  const split = { sb9Status: 'blocked', maxUnits: 0, lotSplit: { lots: [] }, trace, blockReasons: [], warnings: [] }
  const page = (sb9: object) => textOf(rulesSection({ explanation: { sb9 } } as unknown as PropertyDetail))
  const titles = [...page(split).matchAll(/<b>([^<]+)<\/b>/g)].map(([, title]) => title)
  expect(titles).toEqual(['Failed', 'Unchecked', 'Conditional', 'Met one', 'Met two', 'A duty'])
  expect(page(split)).toContain('2 rules met')
  expect(page(split)).not.toContain('Up to')
  expect(page(split)).not.toContain('Possible split')
  const possible = { ...split, maxUnits: 4, lotSplit: { lots: [{ sqft: 3_000 }, { sqft: 2_500 }] }, trace: [] }
  const warned = page({
    ...possible,
    warnings: ['Ask the city'],
    blockReasons: [{ code: 'too_small', reason: 'Too small', citation: '' }],
  })
  expect(warned).toContain('Up to <b>4</b> homes')
  expect(warned).toContain('Possible split: lots of 3,000 sq ft and 2,500 sq ft.')
  expect(warned).toContain('Ask the city')
  expect(warned).toContain('<b>Too small</b>')
  expect(textOf(rulesSection({} as PropertyDetail))).toBe('')
})

test('the chart of a home ends with the value of today, on an axis a tenth around its values', () => {
  const entry = (date: string, value?: number) => ({ date, kind: 'value', text: 'x', ...(value ? { value } : {}) })
  const section = (timeline: object[], today?: object) =>
    textOf(timelineSection({ timeline, intelligence: { valueEstimate: today } } as never))
  const today = { value: 1_100_000, asOf: '2026-03-01' }
  const drawn = section([entry('2026-02-01', 900_000), entry('2026-01-15'), entry('2026-01-01', 1_000_000)], today)
  expect(drawn).toContain('Value estimates from $900K to $1.1M')
  expect(drawn).toContain('<span>$1.21M</span>')
  expect(drawn).toContain('<span>$810K</span>')
  expect(drawn).toContain('Timeline (3)')
  expect(drawn).toContain('The value estimate today is $1,100,000.')
  expect(section([entry('2026-02-01', 900_000)])).not.toContain('<svg')
  expect(section([entry('2026-02-01', 900_000)], today)).toContain('<svg')
  expect(section([])).toBe('')
})

test.each([
  [{}, 'sf-peninsula'],
  [{ market: 'nantucket' }, 'nantucket'],
  [{ city: 'nantucket' }, 'nantucket'],
  [{ city: 'palo-alto' }, 'sf-peninsula'],
  [{ near: '1 Oak St' }, 'all'],
  [{ lat: 37.4, lng: -122 }, 'all'],
  [{ near: '1 Oak St', lat: 37.4 }, 'all'],
])('permits of %j are searched in %s', (filter, market) => expect(searchedMarket(filter as never)).toBe(market))

test('the form of permits opens its filters of a place, and the nearest come first only beside a point', async () => {
  const form = (filter: object) => textOf(permitForm({ criteria: {}, ...filter }))
  const plain = form({})
  expect(plain).toContain('<details class="more-filters"><summary>')
  expect(plain).toContain('<option value="" selected>San Francisco Peninsula</option><option value="nantucket">')
  expect(plain).not.toMatch(/type="hidden"/)
  for (const filter of [{ near: '1 Oak St' }, { radiusMi: 2 }, { criteria: { finaledFrom: '2026-01-01' } }])
    expect(form(filter), JSON.stringify(filter)).toContain('<details class="more-filters" open>')
  expect(form({ criteria: { permitClass: ['adu'] } })).toContain('<details class="more-filters"><summary>')
  const placed = form({ market: 'nantucket', sort: 'valuation', lat: 41, lng: -70 })
  expect(placed).toContain('<option value="nantucket" selected>')
  expect(placed).toContain('<option value="valuation" selected>')
  expect(placed).toContain('name="lat" value="41"')
  expect(placed).toContain('name="lng" value="-70"')
  const filters = [{}, { criteria: { status: 'issued' } }, { city: 'x' }, { near: 'x' }, { lat: 1 }, { market: 'all' }]
  expect(filters.map((filter) => isFiltered({ criteria: {}, ...filter } as never))).toEqual([
    ...[false, true, true, true, true, false],
  ])
  const input = async (filter: object) => {
    const problems: never[] = []
    const read = await permitInput({} as never, { criteria: {}, ...filter }, problems)
    return [read, problems]
  }
  const here = { lat: 41, lng: -70 }
  expect(await input({ ...here, sort: 'distanceMi' })).toEqual([
    { ...here, market: 'all', radiusMi: 0.5, sort: ['distanceMi'] },
    [],
  ])
  expect(await input({ ...here, radiusMi: 2 })).toEqual([{ ...here, market: 'all', radiusMi: 2 }, []])
  expect(await input({ sort: 'distanceMi' })).toEqual([
    { market: 'sf-peninsula' },
    ['Nearest first needs an address in Near.'],
  ])
  expect(await input({ sort: 'valuation', lat: 41 })).toEqual([{ market: 'all', sort: ['valuation'] }, []])
})

test('homes are dots on the land of their market, darker the higher their score', () => {
  // At 60 degrees, a degree of longitude is half as wide.
  const drawn = textOf(
    marketMap({
      ...{ title: 'Homes', width: 200, box: { west: -124, east: -120, south: 59, north: 61 } },
      land: [
        [
          [-124, 59],
          [-120, 59],
          [-122, 61],
        ],
      ],
      dots: [undefined, 39, 40, 69, 70].map((score, at) => ({
        ...{ lat: 60.5, lng: -122 + at / 50, href: `/${at}`, title: 'x', score },
      })) as never,
      labels: [{ lat: 59.5, lng: -123, name: 'Kent' }],
    }),
  )
  expect(drawn).toContain('viewBox="0 0 200 200"')
  expect(drawn).toContain('d="M0.0 200.0L200.0 200.0L100.0 0.0Z"')
  expect(
    [...drawn.matchAll(/class="dot (\w+)" cx="([\d.]+)" cy="50\.0"/g)].map(([, name, x]) => `${name} ${x}`),
  ).toEqual([...['faint 100.0', 'faint 101.0', 'mid 102.0', 'mid 103.0', 'strong 104.0']])
  expect(drawn).toContain('<text x="50.0" y="150.0">Kent</text>')
})

test('each score says what it was computed from; what is missing is named only where something is', () => {
  const finding = (more: object) => ({
    score: 49.6,
    parts: [{ name: 'age', points: 5, because: 'built 1951' }],
    ...more,
  })
  const page = textOf(
    explanationSection({
      explanation: {
        teardown: finding({ missing: ['conditionScore'], confidence: 'medium' }),
        condition: finding({ missing: [], confidence: 'high', learnedFrom: '90 sales' }),
        historicCharm: finding({ parts: [] }),
        marketHeat: finding({ score: undefined }),
      },
    } as unknown as PropertyDetail),
  )
  const notes = [...page.matchAll(/<p class="note">([^<]*)<\/p><\/details>/g)].map(([, note]) => note)
  expect(notes).toMatchInlineSnapshot(`
    [
      "Medium confidence. Missing data: condition.",
      "High confidence. Learned from: 90 sales.",
      "",
    ]
  `)
  expect([...page.matchAll(/<details class="finding (\w+)"( open)?/g)].map(([, name, open]) => [name, open])).toEqual([
    ['teardown', ' open'],
    ['condition', undefined],
    ['heat', undefined],
  ])
  expect(page.match(/<b class="num">50<\/b>/g)).toHaveLength(2)
  expect(textOf(explanationSection({} as PropertyDetail))).toBe('')
})

test.each([
  [{ type: 'integer', minimum: 0, maximum: 9_999 }, 'integer, 0 to 9,999'],
  [{ type: 'number', minimum: 1 }, 'number, 1 or more'],
  [{ type: 'number', maximum: 5 }, 'number, up to 5'],
  [{ type: 'number' }, 'number'],
  [{}, 'any'],
  [{ anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }, 'date or null'],
  [{ type: 'string', maxLength: 20 }, 'text, up to 20 characters'],
  [{ type: 'string', enum: ['a', 'b'] }, 'one of a, b'],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] }, 'one of a, b or null'],
  [{ const: true }, 'true'],
  [{ type: 'boolean' }, 'boolean'],
  [{ type: 'array', items: { type: 'object' } }, 'list of objects'],
  [{ type: 'array', items: { type: 'string' } }, 'list of text'],
])('the reference says what a value is: %j', (schema, words) => {
  expect(typeWords(schema)).toBe(words)
})

test('the reference lists every field of an answer with its path, and every status', () => {
  const rows = outputRows({
    properties: {
      id: { type: 'string' },
      sales: { type: 'array', items: { properties: { price: { type: 'number', description: 'Dollars' } } } },
    },
    required: ['id'],
  })
  expect(rows.map(({ path, depth, optional }) => [path, depth, optional])).toEqual([
    ['id', 0, false],
    ['sales[]', 0, true],
    ['sales[].price', 1, true],
  ])
  expect(rows[2]!.description).toBe('Dollars')
  const statuses = (access: string, errors?: number[]) => errorStatusesOf({ access, errors } as never)
  expect(statuses('open', [404])).toEqual([400, 404, 429, 500, 503])
  expect(statuses('key')).toEqual([400, 401, 429, 500, 503])
  expect(statuses('pro')).toEqual([400, 401, 403, 429, 500, 503])
})
