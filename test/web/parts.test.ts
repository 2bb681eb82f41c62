// Parts of pages at their boundaries, without a server: parameters, tiles, photos, figures, land.
import { afterAll, expect, inject, test } from 'vitest'
import { usePacks } from '../../src/domain/packs/use-packs.ts'
import * as formats from '../../src/web/formats.ts'
import { textOf } from '../../src/web/html.ts'
import { landOf, outlineOf } from '../../src/web/land.ts'
import { readExplore } from '../../src/web/pages/explore-filter.ts'
import { isPhotoHost, listingSection } from '../../src/web/photos.ts'
import * as query from '../../src/web/query.ts'
import { maxZoom, tileAddress, tileBounds } from '../../src/web/tiles/grid.ts'

afterAll(() => usePacks(inject('packs')))

test('parameters are read within their bounds, and what was ignored is said', () => {
  const text = (given: unknown, most?: number) => query.textIn({ q: given }, 'q', most)
  expect([text(' a '), text(''), text(['a']), text('a\0'), text('abc', 3), text('abcd', 3)]).toEqual([
    ...['a', undefined, undefined, undefined, 'abc', undefined],
  ])
  const number = (given: unknown) => query.numberIn({ n: given }, 'n', 1, 1_000)
  expect(['1', '$1,000', '0', '1001', 'x', '', '1.5'].map(number)).toEqual([
    ...[1, 1_000, undefined, undefined, undefined, undefined, 1.5],
  ])
  expect(['1', '1.5'].map((n) => query.integerIn({ n }, 'n', 1, 9))).toEqual([1, undefined])
  const dollars = ['3000000', '$3,000,000', '$3M', '750k', '1.25 mil', 'x']
  expect(dollars.map(query.dollarsFrom)).toEqual([3_000_000, 3_000_000, 3_000_000, 750_000, 1_250_000, undefined])
  expect(query.someOf({ s: ['b', 'x'] }, 's', ['a', 'b'])).toEqual(['b'])
  expect(query.someOf({ s: 'a' }, 's', ['a', 'b'])).toEqual(['a'])
  const problems: never[] = []
  const read = query.readerOf({ a: 'x', b: '', c: '5', d: `y\0${'z'.repeat(60)}` }, problems)
  expect([read.number('a', 'A', 1, 9), read.number('b', 'B', 1, 9), read.number('c', 'C', 1, 9)]).toEqual([
    ...[undefined, undefined, 5],
  ])
  expect(read.choice('d', 'D', ['y'])).toBeUndefined()
  expect(problems).toEqual([
    'A must be a number from 1 to 9; “x” was ignored.',
    `D must be one of y; “y␀${'z'.repeat(38)}…” was ignored.`,
  ])
  expect([query.shortened('x'.repeat(40)), query.shortened('x'.repeat(41))]).toEqual([
    'x'.repeat(40),
    `${'x'.repeat(40)}…`,
  ])
  expect(query.pathWithQuery('/a', { b: 1, c: undefined, d: ['e', 'f'] })).toBe('/a?b=1&d=e&d=f')
  expect(query.pathWithQuery('/a', { c: undefined })).toBe('/a')
})

test.each([
  ['area', '1,2;3,4;5,6', true],
  ['area', '1,2;3,4', false],
  ['area', Array(100).fill('1,2').join(';'), true],
  ['area', Array(101).fill('1,2').join(';'), false],
  ['area', '1,2;3,4;5,91', false],
  ['area', '1,2;3,4;5', false],
  ['bbox', '-180,-90,180,90', true],
  ['bbox', '1,2,1,2', true],
  ['bbox', '1,2,3', false],
  ['bbox', '1,2,3,4,5', false],
  ['bbox', '3,2,1,4', false],
  ['bbox', '1,4,3,2', false],
  ['bbox', '-181,2,3,4', false],
  ['bbox', '1,2,3,91', false],
  ['bbox', '1,x,3,4', false],
])('%s=%s of Explore is read: %s', (name, value, isRead) => {
  const problems: never[] = []
  const { area } = readExplore({ [name]: value }, problems)
  expect([area?.params[name], problems]).toEqual(
    isRead ? [value, []] : [undefined, [expect.stringMatching(new RegExp(`^${name} must .* was ignored\\.$`))]],
  )
})

test('a tile exists within its zoom; its bounds are those of Web Mercator, with a margin', () => {
  const exists = (z: number | string, x: number, y: number) =>
    tileAddress(String(z), String(x), String(y)) !== undefined
  expect([
    exists(0, 0, 0),
    exists(0, 1, 0),
    exists(0, 0, 1),
    exists(2, 3, 3),
    exists(2, 4, 3),
    exists(2, 3, 4),
  ]).toEqual([...[true, false, false, true, false, false]])
  expect([exists(maxZoom, 0, 0), exists(maxZoom + 1, 0, 0), exists('x', 0, 0)]).toEqual([true, false, false])
  const world = tileBounds({ z: 0, x: 0, y: 0 })
  expect([world.west, world.east]).toEqual([-180, 180])
  expect(world.north).toBeCloseTo(85.0511, 4)
  expect(world.south).toBeCloseTo(-85.0511, 4)
  const quarter = tileBounds({ z: 1, x: 1, y: 0 }, 0.5)
  expect([quarter.west, quarter.east]).toEqual([-90, 270])
  expect(quarter.south).toBeCloseTo(-66.5133, 4)
})

test('photos are shown of the named hosts only, twelve at most, and the others are links', () => {
  expect(isPhotoHost('https://a.test/1', ['a.test'])).toBe(true)
  expect(isPhotoHost('https://x.a.test/1', ['a.test'])).toBe(false)
  expect(isPhotoHost('https://x.a.test/1', ['*.a.test'])).toBe(true)
  expect(isPhotoHost('https://a.test/1', ['*.a.test'])).toBe(false)
  const photos = (count: number) => Array.from({ length: count }, (_, at) => `https://a.test/${at + 1}`)
  const section = (data: object, hosts = ['a.test']) =>
    textOf(listingSection({ address: '1 Oak St', ...data } as never, hosts))
  expect(section({})).toBe('')
  expect(section({ photos: photos(1) })).toContain('alt="Photo 1 of 1: 1 Oak St"')
  expect(section({ photos: photos(1) })).toContain('<p>1 photo</p>')
  const many = section({ photos: photos(14) })
  expect(many.match(/<img/g)).toHaveLength(12)
  expect(many.match(/loading="eager"/g)).toHaveLength(3)
  expect(many).toContain('<p>14 photos: <a')
  expect(many.match(/<p>.*<\/p>/)![0].match(/<a /g)).toHaveLength(12)
  expect(section({ photos: photos(2) }, [])).not.toContain('<img')
  const listed = (count: number) => section({ photos: photos(count), listingUrl: 'https://l.test' })
  expect(
    [listed(2), listed(13), section({ listingUrl: 'https://l.test' })].map(
      (text) => text.match(/>([^<]*)<\/a><\/p>/)?.[1],
    ),
  ).toEqual([...['Listing page', 'Photos on the listing page (13)', 'Listing page']])
})

test('unknown figures are a dash and negative ones have a minus sign', () => {
  const { count, day, dateAndTime, percent, plural, signedUsd, sqft, unknownMark, usd, usdExact, usdShort } = formats
  for (const show of [count, usd, usdExact, usdShort, sqft, percent, signedUsd])
    for (const none of [null, undefined]) expect(show(none)).toBe(unknownMark)
  expect([usd(-5), usd(1234.4), usdExact(5), usdExact(5.5), percent(-4.25), percent(4, 0), sqft(1234)]).toEqual([
    ...['−$5', '$1,234', '$5', '$5.50', '−4.3%', '4%', '1,234 sq ft'],
  ])
  expect([signedUsd(1_000), signedUsd(0), signedUsd(-1_000)].map((text) => text.startsWith('+'))).toEqual([
    true,
    false,
    false,
  ])
  expect([day('2026-03-09'), day('x'), day(null), dateAndTime('2026-12-31T23:59:01Z'), dateAndTime(null)]).toEqual([
    ...['Mar 9, 2026', unknownMark, unknownMark, 'Dec 31, 2026, 23:59 UTC', unknownMark],
  ])
  expect([plural(1, 'home'), plural(0, 'home'), plural(1_200, 'home')]).toEqual(['1 home', '0 homes', '1,200 homes'])
})

test('without an outline in the pack, land is drawn around the parcels, and far around the market if none can be read', async () => {
  usePacks(inject('packs').map((pack) => ({ ...pack, dir: '/nowhere' })))
  const box = inject('packs').find(({ market }) => market.id === 'nantucket')!.market.box
  const land = await landOf({ services: {}, clock: () => new Date() } as never, 'nantucket')
  const [height, width] = [box.north - box.south, box.east - box.west]
  const [s, n, w, e] = [box.south - height, box.north + height, box.west - width, box.east + width]
  expect(land?.rings).toEqual([
    [
      [w, s],
      [e, s],
      [e, n],
      [w, n],
      [w, s],
    ],
  ])
  const unit = { west: 0, south: 0, east: 64, north: 64 }
  const [ring, ...more] = outlineOf([{ lng: 10.5, lat: 20.5 }], unit)
  expect(more).toEqual([])
  expect(ring![0]).toEqual(ring!.at(-1))
  const [xs, ys] = [0, 1].map((at) => ring!.map((point) => point[at]!))
  expect([Math.min(...xs!), Math.max(...xs!), Math.min(...ys!), Math.max(...ys!)]).toEqual([9, 12, 19, 22])
  // Squares of half a degree by a quarter.
  const small = { west: -122, south: 37, east: -90, north: 53 }
  const [turned] = outlineOf([{ lng: -116.75, lat: 42.1 }], small)
  const ends = [0, 1].flatMap((at) => [Math.min, Math.max].map((end) => end(...turned!.map((point) => point[at]!))))
  expect(ends).toEqual([-117.5, -116, 41.75, 42.5])
  // A lake within the squares is left out, and two places far apart are two rings.
  const around = Array.from({ length: 49 }, (_, at) => [at % 7, Math.floor(at / 7)] as const)
  const shore = around.filter(([x, y]) => x === 0 || x === 6 || y === 0 || y === 6)
  expect(
    outlineOf(
      shore.map(([x, y]) => ({ lng: x + 0.5, lat: y + 0.5 })),
      unit,
    ),
  ).toHaveLength(1)
  expect(
    outlineOf(
      [
        { lng: 10.5, lat: 20.5 },
        { lng: 40.5, lat: 20.5 },
      ],
      unit,
    ),
  ).toHaveLength(2)
})
