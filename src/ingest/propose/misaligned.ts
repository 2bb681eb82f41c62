// Files whose values are not in the columns that name them: a header row that is shifted or missing, rows with values that have moved.
import { datasets } from '../../domain/facts.ts'
import { SourceError } from '../../sources/source.ts'
import { nameRank, namesOf } from '../column-names.ts'
import { targetFields } from '../map.ts'
import { isNull, readNumber, unreadable } from '../values.ts'
import { columnsOf, type Row } from './columns.ts'
import { readColumn } from './read-column.ts'
import { tableOf } from './table.ts'

/** The first line of an export may be a title, or data. */
export const checkHeader = (names: readonly string[], url: string): void => {
  const months = names.filter((name) => /^\d{4}-\d{2}(-\d{2})?$|^\d{1,2}\/\d{1,2}\/\d{4}$/.test(name))
  if (months.length > 5)
    throw new SourceError(
      'wide',
      `${url} has a column for each of ${months.length} months (${months[0]} …). One row per month is needed: turn the columns into rows first.`,
    )
  if (names.filter((name) => /^(count|mean|std|min|max|median|\d+%)$/i.test(name)).length > 3)
    throw new SourceError('statistics', `${url} has statistics (mean, std …), not a row for each home, sale or permit.`)
  const unnamed = names.filter((name) => name === '' || /^(unnamed|column|field)\W*\d+$/i.test(name)).length
  if (unnamed > names.length / 2 && names.length - unnamed < 3)
    throw new SourceError(
      'no_header',
      `The first line of ${url} names only ${names.length - unnamed} of ${names.length} columns. Delete the lines above the line of column names.`,
    )
  const values = names.filter((name) => /^[-$]?\d[\d,]*(\.\d+)?%?$|^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}$/.test(name))
  if (values.length > 1 && values.length > names.length / 5)
    throw new SourceError(
      'no_header',
      `The first line of ${url} is data, not column names (${values.slice(0, 3).join(', ')}). Add a line of column names.`,
    )
}

/** Fields whose values show whether a column is named right. */
const checkedFields = datasets.flatMap((holds) =>
  Object.entries(targetFields[holds])
    .filter(([field, type]) => /date|number|integer/.test(type) || /^(zip|address)$/.test(field))
    .map(([field]) => ({ holds, field })),
)

/**
 * Columns whose names fit the values of a nearby column instead, all by the same shift, in a run of columns that would all fit. A
 * column that cannot be read beside a usable one is no shift: the name of the usable one would have to fit its own neighbor too.
 */
export const headerShift = (rows: readonly Row[]): string | undefined => {
  const columns = columnsOf(rows.slice(0, 500))
  const expected = columns.map(({ name }) =>
    checkedFields.find(({ holds, field }) => nameRank(name, namesOf(holds, field)) >= 0),
  )
  const fits = (at: number, shift: number) => {
    const [{ name }, other, { holds, field }] = [columns[at]!, columns[at + shift], expected[at]!]
    return other !== undefined && 'rule' in readColumn(holds, field, { ...other, name }, { isMonthFirst: true })
  }
  const known = columns.flatMap(({ values }, at) => (expected[at] && values.length > 0 ? [at] : []))
  const wrong = known.filter((at) => !fits(at, 0))
  for (const shift of wrong.length < 3 ? [] : [1, -1, 2, -2]) {
    const fitting = known.filter((at) => columns[at + shift]?.values.length && fits(at, shift))
    // The difference is the same for all columns of a run. Names that say nothing about their values do not end it.
    const runs = Map.groupBy(fitting, (at, index) => known.indexOf(at) - index)
    const better = [...runs.values()]
      .filter((run) => run.some((at) => run.includes(at + shift)))
      .map((run) => run.filter((at) => wrong.includes(at)))
      .flatMap((run) => (run.length < 3 ? [] : run))
    if (better.length > known.length / 4) return better.map((at) => columns[at]!.name).join(', ')
  }
  return undefined
}

const amountName = /days|price|amount|value|cost|fee|rent|area|sq|acre|year|built|beds?\b|baths?\b|number|total|count/i
/**
 * Two columns of which one holds numbers in just the rows in which the other holds words: the values of those rows have moved. Two
 * columns of numbers may each have a word for homes without one: "Sold" days, and "Not sold" prices.
 */
export const movedColumns = (rows: readonly Row[]): string | undefined => {
  const mixed = tableOf(rows).filled.flatMap(({ name, all }) => {
    const isNumber = all.map((value) => {
      const read = isNull(value) ? undefined : readNumber(value)
      return read === undefined ? undefined : read !== unreadable
    })
    const share = isNumber.filter(Boolean).length / isNumber.filter((each) => each !== undefined).length
    return share > 0.05 && share < 0.95
      ? [{ name, isNumber, isAmount: amountName.test(name), mostlyNumbers: share >= 0.5 }]
      : []
  })
  for (const [at, one] of mixed.entries())
    for (const two of mixed.slice(at + 1)) {
      if (one.isAmount && two.isAmount) continue
      const differs = one.isNumber.flatMap((own, row) =>
        own === undefined || two.isNumber[row] === undefined ? [] : [own !== two.isNumber[row]],
      )
      const isMoved = differs.filter(Boolean).length > 0.95 * differs.length
      if (differs.length > rows.length / 2 && differs.length >= 20 && isMoved)
        return `the columns ${one.name} and ${two.name} swap numbers and text. Fix these rows, for example row ${1 + one.isNumber.indexOf(!one.mostlyNumbers)}`
    }
  return undefined
}
