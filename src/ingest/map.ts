// Maps a feed row to our fields by the rules of the source's configuration. The rules are compiled to functions once
// because they run for every field of every row.
import { keysOf, tableOf } from '../common/typed.ts'
import { localDayOf } from '../domain/day.ts'
import { datasets, type Holding } from '../domain/facts.ts'
import { findCity, marketById } from '../domain/packs/markets.ts'
import type { FieldRule, SingleRule, SourceConfig } from '../domain/packs/source-config.ts'
import { defaultFields } from '../sources/kinds.ts'
import { readOutline } from '../sources/outline.ts'
import { isDayOnly } from '../sources/source.ts'
import { type FieldType, feedFields } from './column-names.ts'
import { condition } from './conditions.ts'
import { type DateOrders, dateOrders } from './date-order.ts'
import { fieldReader } from './field-path.ts'
import { arithmetic, type Convert, type Fields, type RuleObject, summed, textSteps } from './rule-steps.ts'
import {
  isNull,
  type ReadValue,
  readBoolean,
  readList,
  readNumber,
  readPoint,
  readText,
  unitFactors,
  unreadable,
} from './values.ts'

/** The fields a configuration may map, by data set. */
export const targetFields: Readonly<Record<Holding, Readonly<Record<string, FieldType>>>> = {
  ...tableOf(datasets, (holds) => tableOf(keysOf(feedFields[holds]), (field) => feedFields[holds][field]![0])),
  layer: { value: 'tristate', recordId: 'text', name: 'text', tier: 'integer', lat: 'number', lng: 'number' },
}

/** The feed's own markers for a missing value, in addition to the common ones. */
export const nullsOf = ({ where: { nulls } }: SourceConfig): ReadonlySet<string> | undefined =>
  nulls && new Set(nulls.map((word) => word.trim().toLowerCase()))

/**
 * Throws if the configuration maps a field that does not exist. Of a row, `values` are the fields that could be read, `unread` those
 * whose value could not be parsed.
 */
export const mapper = (config: SourceConfig, dates = dateOrders()) => {
  const targets = targetFields[config.holds]
  const rules = new Map<string, FieldRule>()
  if (config.sameNames) for (const name of Object.keys(targets)) rules.set(name, name)
  for (const [name, rule] of Object.entries(rulesOf(config))) {
    if (!Object.hasOwn(targets, name))
      throw new Error(
        `${config.id}: ${config.holds} have no field "${name}". Fields: ${Object.keys(targets).join(', ')}.`,
      )
    rules.set(name, rule)
  }
  const nulls = nullsOf(config)
  const steps = [...rules].map(([name, rule]) => {
    const target = { name, nulls, dates, localTime: config.kind === 'reso' ? localTimeOf(config) : undefined }
    return { name, read: reader(rule, targets[name]!, target) }
  })
  // ArcGIS and GeoJSON rows contain a point computed from their geometry.
  const pointField = config.point ?? (shapedKinds.has(config.kind) ? 'geometry' : undefined)
  const pointAt = pointField === undefined ? undefined : fieldReader(pointField)
  const outlineAt = config.holds === 'parcels' && pointField ? fieldReader(`${pointField}.outline`) : undefined
  return (fields: Fields) => {
    const values: Record<string, unknown> = {}
    const unread: { field: string; given: string }[] = []
    for (let at = 0; at < steps.length; at += 1) {
      const { name, read } = steps[at]!
      const value = read(fields)
      if (value === undefined) continue
      if (value === unreadable) unread.push({ field: name, given: given(rules.get(name)!, fields) })
      else values[name] = value
    }
    if (pointAt && values.lat === undefined) {
      const pointValue = pointAt(fields)
      const point = isNull(pointValue, nulls) ? undefined : readPoint(pointValue)
      if (point === unreadable) unread.push({ field: 'point', given: readText(pointValue, 60) ?? '' })
      else Object.assign(values, point)
    }
    if (outlineAt && values.outline === undefined) values.outline = outlineAt(fields)
    return { values, unread }
  }
}

/** A `…Timestamp` of RESO is in UTC, in which an evening belongs to the next day. Midnight stands for a day without a time. */
const localTimeOf =
  (config: SourceConfig): Convert =>
  (value, fields) => {
    if (typeof value !== 'string' || isDayOnly(value) || !/\d(?:Z|[-+]\d\d:\d\d)$/.test(value)) return value
    const market = config.market ?? findCity(config.city ?? String(fields.City ?? ''))?.market
    const zone = market && marketById(market)?.timeZone
    const moment = new Date(value)
    return zone === undefined || Number.isNaN(moment.getTime()) ? value : localDayOf(moment, zone)
  }

const shapedKinds: ReadonlySet<string> = new Set(['arcgis', 'geojson', 'openaddresses'])

/** The default rules of the source kind, overridden by the configuration's own. */
export const rulesOf = (config: SourceConfig): Record<string, FieldRule> => ({
  ...defaultFields(config.kind, config.holds),
  ...config.fields,
  ...(config.sets?.value === undefined ? {} : { value: config.sets.value }),
})

/** The feed columns the configuration refers to, to be checked against the header. */
export const referencedColumns = (config: SourceConfig): string[] => [
  ...new Set([
    ...Object.values({ ...config.fields, value: config.sets?.value ?? [] }).flatMap((rule) => requiredIn(rule)),
    ...(config.point ? [config.point] : []),
    ...(config.require ?? []).map(({ field }) => field),
  ]),
]
/** In a list of rules only the first must exist: the others are fallbacks. A rule may also say that its field is optional. */
const requiredIn = (rule: FieldRule): string[] => {
  if (Array.isArray(rule)) return rule.slice(0, 1).flatMap(requiredIn)
  return typeof rule !== 'string' && rule.optional ? [] : namesIn(rule)
}
export const namesIn = (rule: FieldRule): string[] => {
  if (typeof rule === 'string') return [rule]
  if (Array.isArray(rule)) return rule.flatMap(namesIn)
  const operands = [rule.add, rule.subtract, rule.subtractFrom, rule.multiply]
  return [
    ...(rule.field ? [rule.field] : []),
    ...(rule.join ?? []),
    ...(rule.sum ?? []).map((part) => (typeof part === 'string' ? part : part.field)),
    ...operands.filter((operand) => typeof operand === 'string'),
    ...(rule.when ? [rule.when.field] : []),
  ]
}

interface Target {
  name: string
  nulls: ReadonlySet<string> | undefined
  dates: DateOrders
  localTime: Convert | undefined
}

const reader = (rule: FieldRule, type: FieldType, target: Target): ((fields: Fields) => ReadValue<unknown>) => {
  if (!Array.isArray(rule)) return oneReader(rule, type, target)
  const readers = rule.map((each) => oneReader(each, type, target))
  return (fields) => {
    let unread: ReadValue<unknown>
    for (const read of readers) {
      const value = read(fields)
      if (value !== undefined && value !== unreadable) return value
      unread ??= value
    }
    return unread
  }
}

const oneReader = (rule: SingleRule, type: FieldType, target: Target): ((fields: Fields) => ReadValue<unknown>) => {
  const { nulls } = target
  const spec: RuleObject = typeof rule === 'string' ? { field: rule } : rule
  const pick = picker(spec, nulls)
  const convert = arithmetic(spec, converter(spec, type, target))
  const applies = spec.when && condition(spec.when, nulls)
  const cut = textSteps(spec)
  const table = typeof spec.lookup === 'object' ? lowered(spec.lookup) : undefined
  const words = spec.words && lowered(spec.words)
  return (fields) => {
    if (applies?.(fields) !== undefined) return undefined
    let value = pick(fields)
    if (isNull(value, nulls)) return undefined
    if (cut) value = cut(String(value))
    if (spec.before !== undefined && typeof value === 'string') value = value.split(spec.before, 1)[0]!.trim()
    if (words) value = words.get(String(value).trim().toLowerCase()) ?? words.get('*') ?? value
    if (table) value = table.get(String(value).trim().toLowerCase())
    return isNull(value, nulls) ? undefined : convert(value, fields)
  }
}

const lowered = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).map(([word, ours]) => [word.trim().toLowerCase(), ours]))

const picker = (spec: RuleObject, nulls: ReadonlySet<string> | undefined): ((fields: Fields) => unknown) => {
  if (spec.constant !== undefined) return () => spec.constant
  if (spec.sum) return summed(spec.sum, nulls)
  if (spec.join) {
    const parts = spec.join.map(fieldReader)
    return (fields) =>
      parts
        .map((part) => part(fields))
        .filter((part) => !isNull(part, nulls))
        // A spreadsheet library writes house numbers as "123.0".
        .map((part) =>
          String(part)
            .trim()
            .replace(/^(\d+)\.0$/, '$1'),
        )
        .join(spec.separator ?? ' ')
  }
  return spec.field === undefined ? () => undefined : fieldReader(spec.field)
}

const converter = (spec: RuleObject, type: FieldType, { name, dates, localTime }: Target): Convert => {
  const factor = spec.unit === undefined ? 1 : unitFactors[spec.unit]
  switch (type) {
    case 'number':
      return (value) => scaled(readNumber(value), factor)
    case 'integer':
      return (value) => rounded(readNumber(value))
    case 'date': {
      const read = dates.reader(spec.field ?? name, spec.date)
      if (!localTime || !spec.field?.endsWith('Timestamp')) return read
      return (value, fields) => read(localTime(value, fields))
    }
    case 'boolean':
      return readBoolean
    case 'tristate':
      return (value) => {
        const read = readBoolean(value)
        return typeof read === 'boolean' ? (read ? 'yes' : 'no') : read === undefined ? 'unknown' : read
      }
    case 'list':
      return readList
    case 'outline':
      return (value) => readOutline(value) ?? unreadable
    case 'long':
      return (value) => readText(value, 8000)
    case 'text':
      return spec.case === 'title' ? (value) => titled(readText(value)) : (value) => readText(value)
  }
}

/** Rounded to hundredths, because 0.33 acres times 43,560 is 14374.800000000001. */
const scaled = (value: ReadValue<number>, factor: number): ReadValue<number> =>
  typeof value === 'number' && factor !== 1 ? Math.round(value * factor * 100) / 100 : value
const rounded = (value: ReadValue<number>): ReadValue<number> => (typeof value === 'number' ? Math.round(value) : value)

const titled = (text: string | undefined): string | undefined =>
  text
    ?.toLowerCase()
    .replace(/(^|[\s\-/'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

const given = (rule: FieldRule, fields: Fields): string => {
  if (Array.isArray(rule)) return rule.map((each) => given(each, fields)).find(Boolean) ?? ''
  return readText(picker(typeof rule === 'string' ? { field: rule } : rule, undefined)(fields), 60) ?? ''
}
