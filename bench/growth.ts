// The same questions of 1, 4 and 16 times the permits. Pages must cost the same however many there are; nothing may grow
// faster than n log n.
import { permitPage } from '../src/store/permits.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median, timed } from './figure.ts'
import { withPermits } from './million-permits.ts'
import { mixedQuestions, ours } from './search.ts'

const sizes = [62_500, 250_000, 1_000_000]

export const measure = async (context: Context): Promise<Figure[]> => {
  const pages: number[][] = []
  const searches: number[][] = []
  for (const size of context.quick ? sizes.map((each) => each / 10) : sizes)
    await withPermits(context, size, async (database) => {
      const newest = () => permitPage(database.db, {}, { limit: 26, offset: 0 })
      const questions = await mixedQuestions(database)
      for (const question of questions) await ours(database, question)
      const page: number[] = []
      const search: number[] = []
      for (let run = 0; run < context.runs; run++) {
        page.push(median(await each(20, newest)))
        const times: number[] = []
        for (const question of questions) times.push(await timed(() => ours(database, question)))
        search.push(median(times))
      }
      pages.push(page)
      searches.push(search)
    })
  // 16 log 16m / log m for m = 62,500: what n log n allows.
  const nLogN = (16 * Math.log(sizes[2]!)) / Math.log(sizes[0]!)
  const told = (runs: number[][]) => runs.map((each) => `${median(each).toFixed(1)}`).join(', ')
  return [
    figureOf({
      name: 'growth: newest permits, 16 times the rows',
      unit: 'ms',
      ours: pages[2]!,
      rival: pages[0]!,
      target: atMost(1.5),
      note: `at 1, 4, 16 times 62,500: ${told(pages)} ms; flat is 1`,
    }),
    figureOf({
      name: 'growth: median search, 16 times the rows',
      unit: 'ms',
      ours: searches[2]!,
      rival: searches[0]!,
      target: atMost(nLogN),
      note: `at 1, 4, 16 times 62,500: ${told(searches)} ms; n log n is ${nLogN.toFixed(1)}`,
    }),
  ]
}

const each = async (times: number, work: () => Promise<unknown>): Promise<number[]> => {
  const taken: number[] = []
  for (let i = 0; i < times; i++) taken.push(await timed(work))
  return taken
}
