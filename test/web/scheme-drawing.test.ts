import { expect, test } from 'vitest'
import { milesPerDegree } from '../../src/domain/distance.ts'
import type { Scheme } from '../../src/domain/findings/schemes.ts'
import { schemeDrawings } from '../../src/web/charts/scheme-drawing.ts'
import { textOf } from '../../src/web/html.ts'
import type { PropertyDetail } from '../../src/wire/property.ts'

const home = (facts: object): PropertyDetail =>
  ({
    facts: { lotSqft: 7_500, livingSqft: 1_500, lotWidthFt: 60, lotDepthFt: 125, ...facts },
    adu: { economics: { unit: { kind: 'detached', sqft: 800 } } },
  }) as unknown as PropertyDetail

const unit = (role: string, count: number, sqft: number) => ({ role, count, sqft, use: 'sell' })
const scheme = (kind: string, units: object[], more: object = {}) => ({ kind, units, ...more }) as unknown as Scheme

const boxes = (data: PropertyDetail, of: Scheme, drawn: string) => {
  const found = [
    ...textOf(schemeDrawings(data, undefined)!(of)).matchAll(new RegExp(`class="${drawn}" d="M([^Z]+)Z"`, 'g')),
  ]
  return found.map(([, path]) => {
    const points = path!.split('L').map((point) => point.split(',').map(Number) as [number, number])
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => -y)]
    return { left: Math.min(...xs), right: Math.max(...xs), front: Math.min(...ys), rear: Math.max(...ys) }
  })
}
const area = ({ left, right, front, rear }: ReturnType<typeof boxes>[number]) => (right - left) * (rear - front)

test('a use is drawn to scale inside the lot: what stays, what is built, new lots', () => {
  const added = scheme('add_unit', [unit('house', 1, 1_500), unit('unit', 1, 800)])
  const [stays] = boxes(home({}), added, 'stays')
  const [built] = boxes(home({}), added, 'built')
  expect(area(stays!)).toBeCloseTo(1_500, -1)
  expect(area(built!)).toBeCloseTo(800, -1)
  expect(built!.front).toBeGreaterThan(stays!.rear)
  for (const { left, right, front, rear } of [stays!, built!])
    expect([left >= 0, right <= 60, front >= 0, rear <= 125]).toEqual([true, true, true, true])
  const converted = { ...home({}), adu: { economics: { unit: { kind: 'conversion', sqft: 400 } } } } as PropertyDetail
  expect(boxes(converted, added, 'built')).toEqual([])
  const vacant = home({ livingSqft: undefined, buildings: [] })
  expect(boxes(vacant, scheme('keep', []), 'stays')).toEqual([])

  const split = scheme('split', [unit('home', 2, 1_600)], { variant: 'house_goes' })
  expect(boxes(home({}), split, 'built')).toHaveLength(2)
  expect(boxes(home({}), split, 'drive')).toHaveLength(1)
  const [frontLot, rearLot] = boxes(home({}), split, 'new-lot')
  expect([frontLot!.rear, rearLot!.front]).toEqual([62.5, 62.5])
  const wide = boxes(home({ lotWidthFt: 125, lotDepthFt: 60 }), split, 'new-lot')
  expect(wide.map(({ left, right }) => [left, right])).toEqual([
    [0, 62.5],
    [62.5, 125],
  ])
  const kept = scheme('split', [unit('house', 1, 1_500), unit('lot', 1, 3_000)], { variant: 'house_stays' })
  expect(boxes(home({}), kept, 'new-lot').map(({ front, rear }) => rear - front)).toEqual([75, 50])
  expect(boxes(home({}), kept, 'built')).toEqual([])
  // New lots need no front yard. A house that stays or is new on its own lot has one.
  expect(boxes(home({}), split, 'built')[0]!.front).toBe(8)
  expect(boxes(home({}), kept, 'stays')[0]!.front).toBe(20)
  expect(boxes(home({}), scheme('new_house', [unit('house', 1, 2_400)]), 'built')[0]!.front).toBe(20)
})

test('on a shallow lot what would stand behind the house stands beside it', () => {
  const both = scheme('new_house_and_unit', [unit('house', 1, 2_400), unit('unit', 1, 800)])
  const [house, added] = boxes(home({ lotWidthFt: 110, lotDepthFt: 55 }), both, 'built')
  expect(house!.right).toBeLessThan(added!.left)
  expect(schemeDrawings(home({ lotWidthFt: undefined }), undefined)).toBeUndefined()
})

/** Everything a drawing shows: kind, left to right, front to rear, in feet. */
const shown = (
  facts: object,
  of: Scheme,
  more: { around?: object; shape?: object; detached?: number[]; adu?: object } = {},
) => {
  const data = { ...home(facts), ...(more.shape ? { shape: more.shape } : {}), ...(more.adu ? { adu: more.adu } : {}) }
  const drawn = textOf(schemeDrawings(data as PropertyDetail, more.around as never)!(of, undefined, more.detached))
  const lines = [...drawn.matchAll(/class="([a-z-]+)" d="M([^"Z]+)Z?"/g)].map(([, kind, path]) => {
    const points = path!.split('L').map((point) => point.split(',').map(Number) as [number, number])
    const span = (values: number[]) => `${Math.min(...values)}..${Math.max(...values)}`
    return `${kind} ${span(points.map(([x]) => x))} ${span(points.map(([, y]) => 0 - y))}`
  })
  return [/viewBox="([^"]+)"/.exec(drawn)![1]!, ...lines]
}

test('the whole drawing of each use', () => {
  const deep = {}
  const wide = { lotWidthFt: 125, lotDepthFt: 60 }
  const house = unit('house', 1, 2_400)
  const set = {
    bestSet: {
      units: [
        { kind: 'detached', sqft: 700 },
        { kind: 'detached', sqft: 500 },
        { kind: 'conversion', sqft: 400 },
      ],
    },
    economics: { unit: { kind: 'detached', sqft: 800 } },
  }
  const drawings = {
    keep: shown(deep, scheme('keep', [])),
    'keep, two stories and a garage': shown({ stories: 2, garageSqft: 400 }, scheme('keep', [])),
    'keep, measured building': shown({ buildings: [{ sqft: 1_150 }] }, scheme('renovate', [])),
    'keep, front yard of the district': shown(deep, scheme('keep', []), {
      around: { lots: [], streets: [], setbacks: { front: 31 } },
    }),
    'add a unit': shown(deep, scheme('add_unit', [])),
    'add a unit beside the house': shown(wide, scheme('add_unit', [])),
    'add a set': shown(deep, scheme('add_unit', [], { variant: 'set' }), { adu: set }),
    'add the units of the row': shown(deep, scheme('add_unit', []), { detached: [600, 300] }),
    'local dwellings': shown(
      deep,
      scheme('local_dwellings', [unit('house', 1, 1_500), unit('unit', 1, 650), unit('lot', 1, 100)]),
    ),
    transit: shown(deep, scheme('transit', [unit('home', 12, 900)], { builtSqft: 9_000 })),
    'new house': shown(deep, scheme('new_house', [house])),
    'new house and unit': shown(deep, scheme('new_house_and_unit', [house, unit('unit', 1, 800)])),
    'new house and unit, shallow': shown(
      { lotWidthFt: 110, lotDepthFt: 55 },
      scheme('new_house_and_unit', [house, unit('unit', 1, 800)]),
    ),
    'two homes': shown(deep, scheme('duplex', [unit('home', 2, 1_600)])),
    'split, both new, deep': shown(deep, scheme('split', [unit('home', 2, 1_600)], { variant: 'house_goes' })),
    'split, both new, wide': shown(wide, scheme('split', [unit('home', 2, 1_600)], { variant: 'house_goes' })),
    'split, house stays': shown(
      deep,
      scheme('split', [unit('house', 1, 1_500), unit('lot', 1, 3_000)], { variant: 'house_stays' }),
    ),
    'split, house stays, two lots': shown(
      deep,
      scheme('split', [unit('house', 1, 1_500), unit('lot', 2, 1_500)], { variant: 'house_stays' }),
    ),
    'split, a larger lot than there is': shown(
      deep,
      scheme('split', [unit('house', 1, 1_500), unit('lot', 1, 7_400)], { variant: 'house_stays' }),
    ),
    'lots sold': shown(deep, scheme('split', [unit('lot', 3, 2_500)])),
    'small lots': shown(deep, scheme('small_lots', [unit('home', 4, 1_200)])),
    'nothing fits': shown({ lotWidthFt: 8, lotDepthFt: 20, lotSqft: 160 }, scheme('new_house', [house])),
  }
  expect(drawings).toMatchInlineSnapshot(`
    {
      "add a set": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "stays 6.3..53.7 20..51.6",
        "built 13.6..38.3 92.7..121",
        "built 38.3..56 92.7..121",
      ],
      "add a unit": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "stays 6.3..53.7 20..51.6",
        "built 21.4..56 97.9..121",
      ],
      "add a unit beside the house": [
        "-4 -64 133 78",
        "street 0..125 -9..-9",
        "lot 0..125 0..60",
        "stays 19.5..66.9 20..51.6",
        "built 86.4..121 32.9..56",
      ],
      "add the units of the row": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "stays 6.3..53.7 20..51.6",
        "built 19.3..43.8 96.5..121",
        "built 43.8..56 96.5..121",
      ],
      "keep": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "stays 6.3..53.7 20..51.6",
      ],
      "keep, front yard of the district": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "stays 6.3..53.7 31..62.6",
      ],
      "keep, measured building": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "stays 9.2..50.8 20..47.7",
      ],
      "keep, two stories and a garage": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "stays 9.2..50.8 20..47.7",
      ],
      "local dwellings": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "new-lot 0..59.2 0..125",
        "new-lot 59.2..60 0..125",
        "stays 5.9..53.3 20..51.6",
        "built 24..55.2 100.2..121",
      ],
      "lots sold": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "new-lot 12..60 0..41.7",
        "new-lot 12..60 41.7..83.3",
        "new-lot 0..60 83.3..125",
        "drive 0..12 0..83.3",
      ],
      "new house": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "built 8.8..51.2 20..48.3",
      ],
      "new house and unit": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "built 8.8..51.2 20..48.3",
        "built 21.4..56 97.9..121",
      ],
      "new house and unit, shallow": [
        "-4 -59 118 73",
        "street 0..110 -9..-9",
        "lot 0..110 0..55",
        "built 14.5..56.9 20..48.3",
        "built 71.4..106 27.9..51",
      ],
      "nothing fits": [
        "-4 -24 16 38",
        "street 0..8 -9..-9",
        "lot 0..8 0..20",
      ],
      "small lots": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "new-lot 12..60 0..31.3",
        "new-lot 12..60 31.3..62.5",
        "new-lot 12..60 62.5..93.8",
        "new-lot 0..60 93.8..125",
        "drive 0..12 0..93.8",
        "built 23.8..48.2 8..24.3",
        "built 23.8..48.2 39.3..55.6",
        "built 23.8..48.2 70.5..86.8",
        "built 17.8..42.2 101.8..118.1",
      ],
      "split, a larger lot than there is": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "new-lot 12..60 0..12.5",
        "new-lot 0..60 12.5..125",
        "drive 0..12 0..12.5",
      ],
      "split, both new, deep": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "new-lot 12..60 0..62.5",
        "new-lot 0..60 62.5..125",
        "drive 0..12 0..62.5",
        "built 21.9..50.1 8..26.9",
        "built 15.9..44.1 70.5..89.4",
      ],
      "split, both new, wide": [
        "-4 -64 133 78",
        "street 0..125 -9..-9",
        "lot 0..125 0..60",
        "new-lot 0..62.5 0..60",
        "new-lot 62.5..125 0..60",
        "built 13.9..48.6 8..31.1",
        "built 76.4..111.1 8..31.1",
      ],
      "split, house stays": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "new-lot 12..60 0..75",
        "new-lot 0..60 75..125",
        "drive 0..12 0..75",
        "stays 16..56 20..57.5",
      ],
      "split, house stays, two lots": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "new-lot 12..60 0..75",
        "new-lot 12..60 75..100",
        "new-lot 0..60 100..125",
        "drive 0..12 0..100",
        "stays 16..56 20..57.5",
      ],
      "transit": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "built 4..56 20..77.7",
      ],
      "two homes": [
        "-4 -129 68 143",
        "street 0..60 -9..-9",
        "lot 0..60 0..125",
        "built 5.5..30 20..52.7",
        "built 30..54.5 20..52.7",
      ],
    }
  `)
})

test('a lot with an outline is drawn with its street below, whichever way it faces', () => {
  const feet = milesPerDegree * 5_280
  const lat = 37.4
  const place = ([x, y]: readonly number[], turn: number) => {
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    const [east, north] = [x! * cos - y! * sin, x! * sin + y! * cos]
    return [-122 + east / (feet * Math.cos((lat * Math.PI) / 180)), lat + north / feet]
  }
  const corners = [
    [0, 0],
    [50, 0],
    [56, 110],
    [0, 100],
  ]
  const drawn = (turn: number, order: readonly (readonly number[])[]) =>
    shown({}, scheme('split', [unit('home', 2, 1_600)], { variant: 'house_goes' }), {
      shape: { type: 'MultiPolygon', coordinates: [[[...order, order[0]!].map((point) => place(point, turn))]] },
      around: {
        lots: [],
        streets: [
          {
            name: 'Elm St',
            path: [
              [-300, -20],
              [300, -20],
            ].map((point) => place(point, turn)),
          },
        ],
      },
    }).map((line) => line.replace(/-?\d+\.\d+|\d+/g, (each) => String(Math.round(Number(each)))))
  expect(drawn(0, corners)).toMatchInlineSnapshot(`
    [
      "-4 -114 64 128",
      "street 0..50 -9..-9",
      "lot 0..56 0..110",
      "new-lot 11..53 0..55",
      "new-lot 0..56 50..110",
      "drive 0..12 0..51",
      "built 18..45 8..28",
      "built 13..42 59..81",
    ]
  `)
  const same = (lines: string[]) => lines.slice(2).map((line) => line.replaceAll('-0', '0'))
  for (const turn of [0.4, 1.6, 3, -1]) expect(same(drawn(turn, corners))).toEqual(same(drawn(0, corners)))
  // Counted from the other front corner, in both cases the left one.
  const reversed = same(drawn(0, corners)).map((line) =>
    line.replace(/ (\d+)\.\.(\d+)/, (_, from, to) => ` ${from - 50}..${to - 50}`),
  )
  for (const turn of [0, 2]) expect(same(drawn(turn, corners.toReversed()))).toEqual(reversed)
})
