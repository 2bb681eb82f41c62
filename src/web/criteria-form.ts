// The criteria of a page: read from its URL, shown as form fields, and as chips that remove them. All from the table of criteria; only
// pages understand "$3M" and "6,000".
import { amountText } from '../criteria/amount.ts'
import { type CriteriaInput, type CriteriaList, type Criterion, criteria } from '../criteria/table.ts'
import { criteriaIn, type ListCriteria } from '../criteria/vocabulary.ts'
import { accepted, type FieldSchema, fits, valueFromText } from '../domain/field-check.ts'
import { usdShort } from './formats.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import { dollarsFrom, ignoredText, type Query } from './query.ts'

/** Pages read areas themselves: from the map, from a drawing or from an address. */
const readByPages: readonly string[] = ['bbox', 'lat', 'lng', 'radiusMi', 'within']

/**
 * The criteria in the URL of a page. An invalid value never fails the page: it is ignored, with a message in `problems`. `pageFields` are
 * the names that the page reads itself.
 */
export const readCriteria = <List extends CriteriaList>(
  list: List,
  query: Query,
  problems: HtmlValue[],
  pageFields: readonly string[] = [],
): ListCriteria<List> => {
  const values: Record<string, unknown> = {}
  for (const [name, row] of criteriaIn(list)) {
    if (pageFields.includes(name) || readByPages.includes(name)) continue
    const value = readValue(list, row, query[name], problems)
    if (value !== undefined) values[name] = value
  }
  dropInvertedRanges(values, problems)
  // Each value fits the schema of its row.
  return values as ListCriteria<List>
}

const readValue = (list: CriteriaList, row: Criterion, given: unknown, problems: HtmlValue[]): unknown => {
  const schema: FieldSchema = row.schemaIn[list] ?? row.schema
  const texts = [given ?? []].flat().map((each) => String(each).trim())
  const text = texts.filter((each) => each !== '').join(schema.type === 'array' ? ',' : ', ')
  if (text === '') return undefined
  const isOne = texts.length === 1 || schema.type === 'array'
  const value = isOne ? valueFromText(schema, typedText(row, schema, text)) : undefined
  if (value !== undefined && fits(schema, value)) return value
  problems.push(ignoredText(row.label, `must be ${acceptedText(row, schema)}`, text))
  return undefined
}

const acceptedText = ({ unit }: Criterion, schema: FieldSchema): string =>
  unit === 'dollars' ? 'dollars, for example 1,500,000 or $1.5M' : accepted(schema, 'query')

/** Numbers as people type them: "$3M", "6,000". */
const typedText = ({ unit }: Criterion, { type }: FieldSchema, text: string): string => {
  if (type !== 'number' && type !== 'integer') return text
  return unit === 'dollars' ? String(dollarsFrom(text) ?? text) : text.replace(/[,\s%]/g, '')
}

/** The search answers 400 to a minimum above its maximum; a page keeps the minimum. */
const dropInvertedRanges = (values: Record<string, unknown>, problems: HtmlValue[]) => {
  const bounds = Object.entries<Criterion>(criteria).flatMap(([name, { bound, label }]) =>
    bound && values[name] !== undefined ? [{ name, label, ...bound }] : [],
  )
  for (const least of bounds)
    for (const most of bounds) {
      const isRange =
        least.field === most.field &&
        ((least.type === 'atLeast' && most.type === 'atMost') || (least.type === 'from' && most.type === 'to'))
      if (!isRange || !(values[least.name]! > values[most.name]!)) continue
      const label = `${most.label[0]!.toLowerCase()}${most.label.slice(1)}`
      problems.push(
        `${least.label} is ${least.type === 'from' ? 'after' : 'higher than'} ${label}, so ${label} was ignored.`,
      )
      delete values[most.name]
    }
}

/** The words of values on pages, by the name of the criterion. */
export type ChoiceWords = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The form fields of a list with this place in the form, in the order of the table. */
export const formFields = (
  list: CriteriaList,
  form: Criterion['form'],
  values: CriteriaInput,
  words: ChoiceWords = {},
  pageFields: readonly string[] = [],
): Html[] =>
  criteriaIn(list)
    .filter(([name, row]) => row.form === form && !pageFields.includes(name))
    .map(([name]) => formField(list, name, values, words))

export const formField = (list: CriteriaList, name: string, values: CriteriaInput, words: ChoiceWords = {}): Html => {
  const { label, unit, placeholder = '', ...row } = rowOf(name)
  const schema: FieldSchema = row.schemaIn[list] ?? row.schema
  const given = Object.entries(values).find(([each]) => each === name)?.[1]
  const choices = schema.enum ?? schema.items?.enum
  if (schema.type === 'boolean')
    return html`<label class="check"><input type="checkbox" name="${name}" value="true"${given === true ? html` checked` : ''}> ${label}</label>`
  if (choices)
    return html`<label>${label}<select name="${name}"><option value="">${placeholder || 'Any'}</option>${choices.map((value) => html`<option value="${value}"${[given].flat().includes(value) ? html` selected` : ''}>${words[name]?.[value] ?? value}</option>`)}</select></label>`
  if (schema.format === 'date')
    return html`<label>${label}<input name="${name}" type="date" value="${textOfValue(given)}"></label>`
  const unitText = unit === 'square feet' ? ', sq ft' : unit === 'percent' ? ', %' : ''
  const isNumber = schema.type !== 'string' && unit !== 'dollars' && unit !== 'percent'
  return html`<label>${label}${unitText}<input name="${name}"${isNumber ? html` inputmode="numeric"` : ''} value="${textOfValue(given)}"${schema.maxLength ? html` maxlength="${schema.maxLength}"` : ''} placeholder="${placeholder}"></label>`
}

export const isCriterion = (name: string): boolean => Object.hasOwn(criteria, name)

const rowOf = (name: string): Criterion => {
  const rows: Readonly<Record<string, Criterion>> = criteria
  return rows[name]!
}

const textOfValue = (value: unknown): string | number | undefined =>
  value === undefined ? undefined : typeof value === 'number' ? value : [value].flat().join(',')

/** "Max price $3M", "Min lot 6,000 sq ft", "Street address “123 Oak”". */
export const chipText = (name: string, value: unknown): string => {
  const { label, unit, ...row } = rowOf(name)
  if (value === true) return label
  if (typeof value === 'number') return `${label} ${unit === 'dollars' ? usdShort(value) : amountText(unit, value)}`
  const schema: FieldSchema = row.schema
  const isText = schema.type === 'string' && schema.format === undefined
  const text = [value].flat().join(', ')
  return `${label} ${isText ? `“${text}”` : text.replace(/,(?=\S)/g, ', ')}`
}

export const criteriaParams = (values: CriteriaInput): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'number' ? value : [value].flat().join(',')]],
    ),
  )
