// The figures of bench/webhooks.ts, which runs as a program of its own.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Context } from './context.ts'
import { atLeast, atMost, type Figure, figureOf } from './figure.ts'

interface Limited {
  value: number
  limit: number
}

export const measure = async (context: Context): Promise<Figure[]> => {
  const program = join(import.meta.dirname, 'webhooks.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...(context.quick ? ['200', '10'] : [])])
  const figures = JSON.parse(stdout) as Record<'p99Ms' | 'deliveriesPerSecond' | 'hangingRssGrowthMb', Limited>
  const { p99Ms, deliveriesPerSecond, hangingRssGrowthMb } = figures
  const note = 'while 500 other endpoints never respond; one run'
  return [
    figureOf({
      name: 'webhooks: p99 from commit to receipt',
      unit: 'ms',
      ours: [p99Ms.value],
      target: atMost(p99Ms.limit, 'ours'),
      note,
    }),
    // A generator that is not late offers exactly the limit, so what arrives lies a hair under it.
    figureOf({
      name: 'webhooks: deliveries',
      unit: '/s',
      ours: [deliveriesPerSecond.value],
      target: atLeast(deliveriesPerSecond.limit * 0.99, 'ours'),
      note,
    }),
    figureOf({
      name: 'webhooks: memory for endpoints that hang',
      unit: 'MB',
      ours: [hangingRssGrowthMb.value],
      target: atMost(hangingRssGrowthMb.limit, 'ours'),
    }),
  ]
}
