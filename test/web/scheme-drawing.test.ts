import { expect, test } from 'vitest'
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
