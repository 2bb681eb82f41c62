// Measures the permit classes on real exports against labels made by hand before the classifier was run on them. The exports
// cannot be redistributed, so only row numbers and classes are kept here, and the measurement is skipped without the exports.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSource } from '../../src/ingest/config.ts'
import { measureClasses, readLabels, shareOf } from '../../src/ingest/measure-classes.ts'
import { createHttp } from '../../src/sources/http.ts'
import { config, feedFolder, today } from './feed.ts'

const root = join(import.meta.dirname, '../..')
const folder = [process.env.LOTLINE_SHARED_DATA, join(root, '../shared/data'), join(root, '../../shared/data')]
  .filter((path) => path !== undefined)
  .map((path) => resolve(path))
  .find((path) => existsSync(join(path, 'permits')))

const exports = [
  ['los-altos-permits', 'los-altos-1995-2020'],
  ['san-francisco-permits', 'datasf-new-units-2013-2021'],
  ['san-jose-permits', 'san-jose-2021'],
] as const

describe.skipIf(!folder)('permit classes on real exports', () => {
  test.each(exports)(
    '%s: whole-house demolitions and new houses have 95%% precision and recall',
    async (name, labels) => {
      const source = await readSource(join(import.meta.dirname, 'real', `${name}.json`))
      const http = createHttp()
      const text = readFileSync(join(import.meta.dirname, 'permit-labels', `${labels}.csv`), 'utf8')
      const measured = await measureClasses(source.config, readLabels(text), { http, folder: folder!, now: today })
      await http.close()
      for (const { permitClass, labeled, precision, recall, errors } of measured) {
        if (permitClass !== 'whole_house_demolition' && permitClass !== 'new_house') continue
        const wrong = JSON.stringify(errors)
        // Fewer than 30 labels cannot show 95%; the errors are then limited to one.
        if (labeled < 30) expect(errors.length, wrong).toBeLessThanOrEqual(1)
        else expect(Math.min(precision.share ?? 0, recall.share ?? 0), wrong).toBeGreaterThanOrEqual(0.95)
      }
    },
  )
})

test('precision, recall and errors are those of the labeled rows', async () => {
  const [demolition, house, roof] = ['Demolish single family dwelling', 'New single family dwelling', 'Reroof']
  const rows = [demolition, house, roof, house, roof].map((text, at) => `${at},Building,${text}`)
  const feed = await feedFolder({ 'feed.csv': `id,type,text\n${rows.join('\n')}\n` })
  const fields = { permitId: 'id', projectType: 'type', description: 'text' }
  const permits = config('permits', { sameNames: false, city: 'Palo Alto', fields })
  const labels = readLabels('row,class\n1,whole_house_demolition\n2,new_house\n3,new_house\n4,addition\n')
  const http = createHttp()
  const measured = await measureClasses(permits, labels, { http, folder: feed, now: today })
  await http.close()
  const of = (wanted: string) => {
    const { labeled, precision, recall, errors } = measured.find(({ permitClass }) => permitClass === wanted)!
    return [labeled, precision.share, precision.of, recall.share, recall.of, errors.map(({ row }) => row)]
  }
  expect(of('whole_house_demolition')).toEqual([1, 1, 1, 1, 1, []])
  expect(of('new_house')).toEqual([2, 0.5, 2, 0.5, 2, [3, 4]])
  expect(of('addition')).toEqual([1, undefined, 0, 0, 1, [4]])
})

test('the interval of a share is the Wilson interval', () => {
  // Values from the R function prop.test without continuity correction.
  expect(shareOf(95, 100)).toMatchObject({ share: 0.95, of: 100 })
  expect(shareOf(95, 100).low).toBeCloseTo(0.8882, 3)
  expect(shareOf(95, 100).high).toBeCloseTo(0.9785, 3)
  expect(shareOf(10, 10).low).toBeCloseTo(0.7225, 3)
  expect(shareOf(0, 0)).toEqual({ share: undefined, of: 0, low: 0, high: 1 })
})

test('a wrong line of labels is named', () => {
  expect(() => readLabels('row,class\n3,house\n')).toThrow(/Line 2 .*"3,house".*17,new_house/)
})
