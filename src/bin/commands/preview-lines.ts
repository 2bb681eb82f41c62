// The report of `ingest --check` for people.
import type { Preview } from '../../ingest/preview.ts'
import { applicable, textTable } from '../text-table.ts'

export const previewLines = (preview: Preview): string[] => {
  const { sourceId, holds, read, readAll, wouldLoad, duplicates, addresses, rejected, leftOut, filled } = preview
  const rejectedRows = rejected.reduce((sum, { rows }) => sum + rows, 0) + duplicates
  return applicable(
    `${sourceId}: of ${read} rows read${readAll ? '' : ' (the feed has more)'}, ${wouldLoad} ${holds} would be loaded, ${rejectedRows} rejected. Nothing was written.`,
    rejected.flatMap(({ code, rows, examples, cities }) => [
      `  rejected ${rows} (${code})${citiesText(cities)}`,
      ...examples.map(({ row, reason }) => `    row ${row}: ${reason}`),
    ]),
    duplicates > 0 && `  rejected ${duplicates} (duplicate): another row has the same id; one of them is kept`,
    addresses > 0 && `  merged ${addresses}: further addresses of a permit in another row`,
    preview.notIssued ? `  ${notIssuedText(preview.notIssued)}` : undefined,
    preview.dateProblems.map((problem) => `  dates: ${problem}`),
    leftOutLines(leftOut),
    preview.neverFilled.length > 0 &&
      `  never filled, although mapped: ${preview.neverFilled.map((field) => withCandidates(field, preview.candidates[field])).join(', ')}. Check the names of the feed's fields.`,
    `  cities: ${countsText(preview.cities)}`,
    Object.keys(preview.classes).length > 0 && `  classes: ${countsText(preview.classes)}`,
    Object.entries(preview.classRules).map(([rule, rows]) => `  rule ${rule}: ${rows} rows`),
    wouldLoad > 0 && ['', fieldTable(filled, wouldLoad, preview.examples[0] ?? {})],
  )
}

const withCandidates = (field: string, columns: readonly string[] | undefined): string =>
  columns ? `${field} (the feed has ${columns.join(', ')})` : field

/** They are loaded, but lists of permits contain issued ones by default. */
export const notIssuedText = (permits: number): string =>
  `${permits} without an issue date: loaded and counted as not issued; lists show issued permits by default`

/** Each field with the share of rows that have it, and its value in the first row. */
const fieldTable = (filled: Preview['filled'], rows: number, example: Record<string, unknown>): string =>
  textTable(Object.entries(filled), [
    { title: 'Field', value: ([name]) => name },
    {
      title: 'Filled',
      value: ([, count]) => `${Math.round((100 * count) / rows)}%`,
      number: true,
      color: ([, count]) => (count < rows / 2 ? 'yellow' : undefined),
    },
    { title: 'Example', value: ([name]) => shortText(example[name]) },
  ])

const shortText = (value: unknown): string => {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

export const leftOutLines = (reasons: Readonly<Record<string, number>>): string[] =>
  Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([reason, rows]) => `  left out ${rows}: ${reason}`)

const most = 12
export const countsText = (of: Readonly<Record<string, number>>): string => {
  const all = Object.entries(of).sort(([, a], [, b]) => b - a)
  const more = all.length > most ? `, and ${all.length - most} more` : ''
  return `${all
    .slice(0, most)
    .map(([name, rows]) => `${name} ${rows}`)
    .join(', ')}${more}`
}
const citiesText = (cities: Readonly<Record<string, number>>): string => {
  const known = Object.keys(cities).filter((name) => name !== 'unknown city')
  return known.length > 0 ? `: ${countsText(cities)}` : ''
}
