// How a column of dates is read: the form of its values, and whether the day or the month comes first.
import { dateOrders } from '../date-order.ts'
import { unreadable } from '../values.ts'
import { anyState, type Column, quoted, share } from './columns.ts'
import type { Read } from './read-column.ts'

export const readDates = (name: string, given: readonly unknown[], isMonthFirst: boolean): Read => {
  const orders = dateOrders()
  const read = orders.reader(name, 'auto')
  const days = given.map(read)
  const values = given.filter((_, at) => days[at] !== undefined)
  const readable = given.filter((_, at) => typeof days[at] === 'string')
  const readShare = values.length === 0 ? 0 : readable.length / values.length
  const [problem] = orders.problems()
  if (problem) return { reason: problem }
  if (orders.dayFirst().includes(name)) return { rule: { field: name, date: 'dmy' }, sure: true, note: 'day first' }
  if (readShare < 0.8) {
    if (share(values, /^\d{9,10}$/) > 0.9)
      return { rule: { field: name, date: 'epoch_s' }, sure: true, note: 'seconds since 1970' }
    if (share(values, /^[2-5]\d{4}(\.\d+)?$/) > 0.9)
      return { rule: { field: name, date: 'excel' }, sure: true, note: 'spreadsheet day numbers (45000 is 2023-03-15)' }
    const lost = given.filter((_, at) => days[at] === unreadable)
    return { reason: `${Math.round(100 * readShare)}% of the values are dates; not ${quoted(lost)}` }
  }
  if (!readable.some((value) => typeof value === 'string' && /^\s*\d{1,2}[-/.]\d{1,2}[-/.]\d/.test(value)))
    return { rule: name, sure: readShare > 0.95 }
  if (values.some((value) => secondAbove12.test(String(value))))
    return { rule: { field: name, date: 'mdy' }, sure: true, note: 'month first' }
  return isMonthFirst
    ? { rule: { field: name, date: 'mdy' }, sure: false, note: 'month first, by other columns of the file' }
    : { reason: 'the sample does not show whether the day or the month comes first; set "date" to "mdy" or "dmy"' }
}

/** Some columns can only be dates with the month first, or name US states, and none can only be dates with the day first. */
export const datesAreMonthFirst = (columns: readonly Column[]): boolean =>
  columns.some(showsMonthFirst) && !columns.some(showsDayFirst)

const showsMonthFirst = ({ name, values, distinct }: Column): boolean =>
  distinct < 100 && /state/i.test(name)
    ? share(values, usState) === 1
    : share(values, /^\s*(0?\d|1[0-2])\/\d{1,2}\/\d\d/) === 1 &&
      values.some((value) => secondAbove12.test(String(value)))
const showsDayFirst = ({ values }: Column): boolean =>
  share(values, /^\s*\d{1,2}\/(0?\d|1[0-2])\/\d\d/) === 1 &&
  values.some((value) => /^\s*(1[3-9]|[23]\d)\//.test(String(value)))
const usState = new RegExp(`^${anyState}$`, 'i')
const secondAbove12 = /^\s*\d{1,2}[-/.](1[3-9]|[23]\d)[-/.]/
