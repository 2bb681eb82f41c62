// Compares the classes of a source's permits with labels made by hand: precision and recall per class, each with the
// number of permits behind it and a 95% interval.
import { type PermitClass, permitClasses } from '../domain/facts.ts'
import type { SourceConfig } from '../domain/packs/source-config.ts'
import { shareInterval } from '../intelligence/statistics/calibration.ts'
import type { ReadContext } from '../sources/source.ts'
import { checker } from './check.ts'
import { openReading } from './run.ts'

export type Share = ReturnType<typeof shareOf>
export type ClassMeasure = Awaited<ReturnType<typeof measureClasses>>[number]

/** `labels` gives the class by row number in the feed, from 1. */
export const measureClasses = async (
  config: SourceConfig,
  labels: ReadonlyMap<number, PermitClass>,
  context: ReadContext,
) => {
  const { check } = checker(config, context.now)
  const rows: { row: number; labeled: PermitClass; classified: PermitClass; words: readonly string[] }[] = []
  for await (const page of openReading(config, context).pages)
    for (const row of page) {
      const labeled = labels.get(row.number)
      const { staged } = labeled ? check(row) : {}
      if (labeled && staged)
        rows.push({
          row: row.number,
          labeled,
          classified: staged.permitClass as PermitClass,
          words: staged.classWords as readonly string[],
        })
    }
  return permitClasses.map((permitClass) => {
    const positive = rows.filter(({ labeled }) => labeled === permitClass)
    const classified = rows.filter((row) => row.classified === permitClass)
    const right = positive.filter((row) => row.classified === permitClass).length
    return {
      permitClass,
      labeled: positive.length,
      precision: shareOf(right, classified.length),
      recall: shareOf(right, positive.length),
      errors: rows.filter(
        (row) => row.labeled !== row.classified && (row.labeled === permitClass || row.classified === permitClass),
      ),
    }
  })
}

/** Reads lines of "row,class" after a header. */
export const readLabels = (text: string): Map<number, PermitClass> =>
  new Map(
    text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line, at) => {
        const [row, name] = line.split(',').map((part) => part.trim())
        const known = permitClasses.find((each) => each === name)
        if (!known || !(Number(row) >= 1))
          throw new Error(
            `Line ${at + 2} of the labels is "${line}"; expected a row number and a class, for example 17,new_house`,
          )
        return [Number(row), known] as const
      }),
  )

/** Wilson score interval, which stays within 0 and 1 and is usable for small samples and for shares near 1. */
export const shareOf = (hits: number, of: number) => {
  if (of === 0) return { share: undefined, of, low: 0, high: 1 }
  return { share: hits / of, of, ...shareInterval(hits / of, of, 1.96) }
}
