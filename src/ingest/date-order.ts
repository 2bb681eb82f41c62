// Whether the day or the month comes first in dates such as 04/05/2026, decided for each column by its own values: a first
// number above 12 is a day.
import type { dateForms } from '../domain/packs/source-config.ts'
import { type ReadValue, readDate } from './values.ts'

type DateForm = (typeof dateForms)[number]

export type DateOrders = ReturnType<typeof dateOrders>

interface Column {
  name: string
  form: DateForm
  readAs: 'dmy' | 'mdy'
  dmy: number
  mdy: number
}

/** Below this number and share, dates in the other order are typing errors. */
const fewestOfMinority = 5
const minorityShare = 0.05

/** `dayFirst` are the columns in which earlier values put the day first. */
export const dateOrders = (dayFirst: readonly string[] = []) => {
  const columns: Column[] = []
  const isDayFirst = ({ dmy, mdy, readAs }: Column) => (dmy === mdy ? readAs === 'dmy' : dmy > mdy)
  const automatic = () => columns.filter(({ form }) => form === 'auto')
  return {
    /** Reads the dates of a column. */
    reader: (name: string, form: DateForm = 'auto'): ((value: unknown) => ReadValue<string>) => {
      if (!['auto', 'dmy', 'mdy'].includes(form)) return (value) => readDate(value, form)
      const readAs = form === 'dmy' || (form === 'auto' && dayFirst.includes(name)) ? 'dmy' : 'mdy'
      const known = columns.find((column) => column.name === name && column.form === form)
      const column: Column = known ?? { name, form, readAs, dmy: 0, mdy: 0 }
      if (!known) columns.push(column)
      return (value) => {
        const parts = typeof value === 'string' ? twoNumbers.exec(value) : null
        if (parts) {
          const [one, two] = [Number(parts[1]), Number(parts[2])]
          if (one > 12 && one <= 31 && two <= 12) column.dmy += 1
          else if (two > 12 && two <= 31 && one <= 12) column.mdy += 1
        }
        return readDate(value, readAs)
      }
    },
    /** Columns without a `date` setting whose values show that the day comes first. */
    dayFirst: () => [
      ...new Set(
        automatic()
          .filter(isDayFirst)
          .map(({ name }) => name),
      ),
    ],
    /** A column was read in the other order than its values show, so the feed must be read again with `dayFirst()`. */
    misread: () => automatic().some((column) => isDayFirst(column) !== (column.readAs === 'dmy')),
    /** Columns whose dates contradict each other or the `date` setting. */
    problems: () =>
      columns.flatMap((column): string[] => {
        const { name, form, dmy, mdy } = column
        const figures = `${dmy} dates of "${name}" can only have the day first, ${mdy} only the month`
        const minority = Math.min(dmy, mdy)
        if (minority >= fewestOfMinority && minority > minorityShare * (dmy + mdy))
          return [`${figures}: the column mixes both orders`]
        const contradicts = form !== 'auto' && dmy + mdy > 0 && dmy !== mdy && isDayFirst(column) !== (form === 'dmy')
        return contradicts ? [`${figures}, but the mapping says "date": "${form}"`] : []
      }),
  }
}

const twoNumbers = /^\s*(\d{1,2})[-/.](\d{1,2})[-/.]\d/
