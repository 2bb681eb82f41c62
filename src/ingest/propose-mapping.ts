// Proposes how the columns of a feed map to Lotline's fields, from their names and a sample of their values. A unit or a
// date order that the sample does not show leaves the field unmapped: a wrong value is worse than a missing one.
import { factColumn } from '../domain/fact-table.ts'
import { type Dataset, datasets, permitClasses, propertyTypes } from '../domain/facts.ts'
import type { FieldRule } from '../domain/packs/source-config.ts'
import { stateCodes, stateNames } from '../domain/states.ts'
import { addressParts, isQualified, nameKey, nameRank, nameReadings, namesOf, workKind } from './column-names.ts'
import { dateOrders } from './date-order.ts'
import { contradictions, isStreetAddress, misfit, outlineDiffers } from './field-evidence.ts'
import { fieldReader } from './field-path.ts'
import { namesIn, targetFields } from './map.ts'
import { isEmptyNumber, isEmptyWord, isNull, readBoolean, readNumber, readPoint, unreadable } from './values.ts'
import { listingStatus, propertyType } from './vocabulary.ts'

type Row = Readonly<Record<string, unknown>>

export interface ProposedField {
  field: string
  rule: FieldRule
  /** Values of the feed. */
  examples: string[]
  confidence: 'high' | 'medium'
  note?: string
}

export interface ProposedMapping {
  holds: Dataset
  /** The columns that show what the rows are. */
  because?: string
  fields: ProposedField[]
  /** Column of the feed that holds a point. */
  point?: string
  /** Fields whose column was found but not mapped, with the reason. */
  unclear: { field: string; column: string; reason: string }[]
  /** Required fields without a column. */
  missing: string[]
  /** Words that the feed writes for an empty value: `where.nulls`. */
  nulls?: string[]
  unusedColumns: string[]
  /** Rents with a column per number of bedrooms: each column is a source of its own. */
  rentColumns?: { column: string; bedrooms: number }[]
}

export const proposeMapping = (rows: readonly Row[], given?: Dataset, now = new Date()): ProposedMapping => {
  const columns = columnsOf(rows)
  const propose = (holds: Dataset) => proposeFor(holds, columns, rows, now)
  if (given) return propose(given)
  const proposed = datasets.map(propose).map((each) => ({ ...each, ...evidence(each) }))
  const namesParties = columns.some(({ name }) => /^(buyer|seller|grantor|grantee)s?(\W|_)*(name|\d|$)/i.test(name))
  // The data set whose own fields are found, although a required one may be missing: an address alone makes no parcels of
  // permits without a number.
  const score = ({ holds, missing, fields, unclear }: ProposedMapping) => {
    const own = (found: readonly { field: string }[]) =>
      new Set(found.filter(({ field }) => ownFields[holds].includes(field)).map(({ field }) => field)).size
    const hasOutlines = holds === 'parcels' && fields.some(({ rule }) => rule === 'geometry.depthFt')
    const isSold = holds === 'listings' && shareSold(columns, fields) > 0.9
    const isWork = fields.some(({ field }) => /^(permitId|issuedOn|appliedOn|valuation|contractor)$/.test(field))
    const isProven = proofs[holds].some((one) => one.every((field) => fields.some((each) => each.field === field)))
    return (
      own(fields) +
      0.75 * own(unclear) -
      1.5 * missing.length +
      (hasOutlines ? 1 : 0) +
      (isProven ? 1.5 : 0) -
      (holds === 'permits' && !isWork ? 2 : 0) -
      (holds === 'parcels' && fields.every(({ field }) => isPlace.test(field)) ? 1.5 : 0) -
      (isSold ? 5 : 0) +
      (holds === 'sales' && namesParties ? 1.5 : 0) +
      (holds === 'listings' &&
      columns.some(isListingSiteColumn) &&
      [...fields, ...unclear].some(({ field }) => field === 'priceUsd')
        ? 2.5
        : 0)
    )
  }
  return proposed.sort((a, b) => score(b) - score(a))[0]!
}

/** Fields that permits, sales and other records of an address have too. */
const isPlace = /^(address|city|zip|county|lat|lng|sourceUrl|modifiedAt)$/
/** A column of websites and brokers. */
const isListingSiteColumn = ({ name, values }: Column): boolean =>
  /url|(?<!hyper)link|agent|broker|realtor|listing|zestimate|cap ?rate|days.?on|list(ed|ing)?.?price|asking/i.test(
    name,
  ) || values.filter((value) => /\bfor[ -]sale\b/i.test(String(value))).length > 0.4 * Math.max(1, values.length)

/** Columns of county rolls, which also have columns for tax agents and links. */
const countyColumn = /situs|owner|taxpayer|legal|apprais|exempt/i

const shareSold = (columns: readonly Column[], fields: readonly ProposedField[]): number => {
  const rule = fields.find(({ field }) => field === 'status')?.rule
  const words = columns.find(({ name }) => name === rule)?.values ?? []
  return words.filter((word) => listingStatus(String(word)) === 'sold').length / words.length
}

/** Fields that together say what a row is. */
const proofs: Readonly<Record<Dataset, readonly (readonly string[])[]>> = {
  permits: [
    ['permitId', 'issuedOn'],
    ['permitId', 'appliedOn'],
    ['permitId', 'projectType', 'description'],
  ],
  listings: [['listingId', 'status', 'priceUsd']],
  sales: [['soldOn', 'priceUsd']],
  // Sales have parcel numbers and lots too.
  parcels: [],
  rents: [['bedrooms', 'amountUsd']],
}

/**
 * Columns whose names fit the values of a nearby column instead, all by the same shift, in a run of columns that would all fit. A
 * column that cannot be read beside a usable one is no shift: the name of the usable one would have to fit its own neighbor too.
 */
export const headerShift = (rows: readonly Row[]): string | undefined => {
  const columns = columnsOf(rows.slice(0, 500))
  const typed = datasets.flatMap((holds) =>
    Object.entries(targetFields[holds]).map(([field, type]) => ({ holds, field, type })),
  )
  const checked = typed.filter(({ field, type }) => /date|number|integer/.test(type) || /^(zip|address)$/.test(field))
  const expected = columns.map(({ name }) =>
    checked.find(({ holds, field }) => nameRank(name, namesOf(holds, field)) >= 0),
  )
  const fits = (at: number, shift: number) => {
    const [own, other] = [columns[at]!, columns[at + shift]]
    const { field, type, holds } = expected[at]!
    return other !== undefined && 'rule' in readAs(field, type, { ...other, name: own.name }, holds, true)
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
  const mixed = columnsOf(rows).flatMap(({ name, all }) => {
    const read = all.map((value) => (isNull(value) ? undefined : readNumber(value)))
    const isNumber = read.map((value) => (value === undefined ? undefined : value !== unreadable))
    const share = isNumber.filter(Boolean).length / read.filter((value) => value !== undefined).length
    return share > 0.05 && share < 0.95
      ? [{ name, isNumber, isAmount: amountName.test(name), mostlyNumbers: share >= 0.5 }]
      : []
  })
  for (const [at, one] of mixed.entries())
    for (const two of mixed.slice(at + 1)) {
      const both = one.isNumber.flatMap((own, row) =>
        own === undefined || two.isNumber[row] === undefined ? [] : [own !== two.isNumber[row]],
      )
      if (one.isAmount && two.isAmount) continue
      if (both.length > rows.length / 2 && both.length >= 20 && both.filter(Boolean).length > 0.95 * both.length)
        return `the columns ${one.name} and ${two.name} swap numbers and text. Fix these rows, for example row ${1 + one.isNumber.indexOf(!one.mostlyNumbers)}`
    }
  return undefined
}

const evidence = ({ holds, fields }: ProposedMapping): { because?: string } => {
  const found = fields.filter(
    ({ field, rule }) =>
      namesIn(rule).length > 0 && (ownFields[holds].includes(field) || proofs[holds][0]?.includes(field)),
  )
  const columns = found.slice(0, 4).map(({ field, rule }) => `${namesIn(rule).join(', ')} (${field})`)
  return found.length === 0 ? {} : { because: columns.join(', ') }
}

const ownFields: Readonly<Record<Dataset, readonly string[]>> = {
  permits: ['permitId', 'projectType', 'description', 'issuedOn', 'appliedOn', 'valuation', 'contractor'],
  listings: ['listingId', 'status', 'priceUsd', 'listedOn'],
  sales: ['soldOn', 'priceUsd', 'saleId'],
  parcels: ['apn', 'zoning'],
  rents: ['amountUsd', 'bedrooms', 'statistic'],
}
const required: Readonly<Record<Dataset, readonly (readonly string[])[]>> = {
  permits: [['permitId'], ['projectType', 'description']],
  listings: [['listingId'], ['status'], ['address', 'apn']],
  sales: [['soldOn'], ['priceUsd'], ['saleId', 'address', 'apn']],
  parcels: [['apn', 'address']],
  rents: [['zip', 'county'], ['bedrooms'], ['amountUsd'], ['asOf']],
}

const anyState = `(?:${stateCodes.join('|')})`

interface Column {
  name: string
  /** Values that are not empty. */
  values: readonly unknown[]
  distinct: number
  /** The values of all rows. */
  all: readonly unknown[]
  /** Other readings of the name, the surest first. */
  readings: readonly string[]
}

/** Objects in saved JSON have columns of their own; points are read whole. */
const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  (Object.keys(value).length > 5 || readPoint(value) === unreadable)

const columnsOf = (rows: readonly Row[]): Column[] => {
  const namesOfRow = (row: Row, table = ''): string[] =>
    Object.entries(row).flatMap(([name, value]) =>
      isRecord(value) && name !== 'geometry'
        ? [`${table}${name}`, ...namesOfRow(value, `${table}${name}.`)]
        : `${table}${name}`,
    )
  const names = new Set(rows.flatMap((row) => namesOfRow(row)))
  const hasArea = rows.some(({ geometry }) => (geometry as Row | null | undefined)?.areaSqft !== undefined)
  const shaped = hasArea ? ['geometry.areaSqft', 'geometry.widthFt', 'geometry.depthFt'] : []
  const readingsOf = nameReadings([...names])
  return [...[...names].filter((name) => name !== 'geometry'), ...shaped].map((name) => {
    const all = rows.map(fieldReader(name))
    const values = all.filter((value) => !isNull(value))
    return { name, values, all, distinct: new Set(values.map(String)).size, readings: readingsOf(name) }
  })
}
/** Names that fit as they are, or without what is in parentheses, rank before all other readings. */
const rankOf = ({ name, readings }: Column, patterns: readonly string[]): number => {
  for (const [at, each] of [name, ...readings].entries()) {
    const rank = nameRank(each, patterns)
    if (rank >= 0) return rank + (at > 1 ? 100 : 0)
  }
  return -1
}

const proposeFor = (holds: Dataset, columns: readonly Column[], rows: readonly Row[], now: Date): ProposedMapping => {
  const fields: ProposedField[] = []
  const unclear: ProposedMapping['unclear'] = []
  const used = new Set<string>()
  const filled = withoutOwners(columns.filter(({ values }) => values.length > 0))
  const isAmerican = columns.some(showsMonthFirst) && !columns.some(showsDayFirst)
  const texts = filled.filter((column) => rankOf(column, namesOf(holds, 'description')) >= 0)
  const most = Math.max(0, ...texts.map(({ distinct }) => distinct))
  // Apartment buildings cost and measure as much as their homes together.
  const ofBuildings = filled.some(
    (column) => rankOf(column, namesOf('parcels', 'units')) >= 0 && middleNumber(column.values) > 4,
  )
  const add = (field: string, columnsUsed: readonly Column[], found: Omit<ProposedField, 'field' | 'examples'>) => {
    if (!(field in targetFields[holds])) return
    for (const { name } of columnsUsed) used.add(name)
    const parts = typeof found.rule === 'object' && 'join' in found.rule ? columnsUsed : columnsUsed.slice(0, 1)
    const written = (row: number) =>
      parts.flatMap(({ all }) => (isNull(all[row]) ? [] : String(all[row]).trim())).join(' ')
    const texts = parts[0]!.all.flatMap((value, row) =>
      isNull(value) || isEmptyWord(value) || isEmptyNumber(value) ? [] : written(row).slice(0, 60),
    )
    const shown = field === 'address' && columnsUsed.length === 1 ? texts.filter(isStreetAddress) : texts
    const examples = [...new Set(shown)].slice(0, 3)
    fields.push({ field, examples, ...found })
  }
  for (const [field, type] of Object.entries(targetFields[holds])) {
    // The operator names the market; a column "market" is a value.
    if (field === 'market') continue
    const patterns = [nameKey(field), ...namesOf(holds, field)]
    const variety = ({ distinct }: Column) => (distinct > most / 2 ? 1 : 0)
    const candidates = filled
      .map((column) => ({ column, rank: rankOf(column, patterns) }))
      .filter(({ rank, column }) => rank >= 0 && (!used.has(column.name) || field === 'saleId'))
      .sort(
        (a, b) =>
          // The text that differs from row to row describes the work.
          (field === 'description' ? variety(b.column) - variety(a.column) : 0) ||
          (field === 'propertyType' ? typedShare(b.column) - typedShare(a.column) : 0) ||
          (neverZero.test(field) ? Number(isMostlyZero(a.column)) - Number(isMostlyZero(b.column)) : 0) ||
          a.rank - b.rank ||
          yearIn(b.column.name) - yearIn(a.column.name) ||
          b.column.values.length - a.column.values.length,
      )
    for (const { column, rank } of candidates) {
      const read = unitsBeside(field, column, filled) ?? readAs(field, type, column, holds, isAmerican, ofBuildings)
      if ('reason' in read) {
        unclear.push({ field, column: column.name, reason: read.reason })
        continue
      }
      const confidence = read.sure && rank <= 1 ? 'high' : 'medium'
      add(field, [column], { confidence, rule: read.rule, ...(read.note ? { note: read.note } : {}) })
      break
    }
  }
  const has = (field: string) => fields.some((each) => each.field === field)
  const leaveOut = (field: string, reason: string) => {
    const at = fields.findIndex((each) => each.field === field)
    if (at === -1) return
    const names = namesIn(fields.splice(at, 1)[0]!.rule)
    for (const name of names) used.delete(name)
    unclear.push({ field, column: names.join(', '), reason })
  }
  // A row needs both coordinates.
  const leaveOutHalfPoint = () => {
    if (has('lat') !== has('lng'))
      for (const field of ['lat', 'lng']) leaveOut(field, 'the other coordinate is missing or not in degrees')
  }
  leaveOutHalfPoint()
  const middleOf = (field: string) => {
    const column = filled.find(({ name }) => fields.some((each) => each.field === field && each.rule === name))
    return middleNumber(column?.values ?? [])
  }
  // "lat" -75.2 and "lng" 40.0 are swapped: in the Americas, longitude is negative.
  if (middleOf('lat') < -50 && middleOf('lng') > 10)
    for (const each of fields.filter(({ field }) => field === 'lat' || field === 'lng')) {
      each.field = each.field === 'lat' ? 'lng' : 'lat'
      each.note = 'latitude and longitude are swapped in the feed'
    }
  if (
    /^prop(erty)?(id|no|num(ber)?)$/.test(nameKey(columnOf(fields.find(({ field }) => field === 'apn')?.rule))) &&
    columns.some(isListingSiteColumn) &&
    !columns.some(({ name }) => countyColumn.test(name))
  )
    leaveOut('apn', 'it may be a number of the website, not of the county')
  const zips = filled.find(({ name }) => name === fields.find(({ field }) => field === 'zip')?.rule)?.values ?? []
  const noteOf = (field: string) => fields.find((each) => each.field === field)?.note
  if (noteOf('livingSqft')?.startsWith('in square meters') && noteOf('lotSqft') === 'in square feet, by its values')
    leaveOut('lotSqft', 'the unit is not clear: the living area is in square meters')
  const named = (pattern: string, fits: (column: Column) => boolean = () => true) => {
    const free = filled.filter((column) => !used.has(column.name) && rankOf(column, [pattern]) >= 0 && fits(column))
    return free.find((column) => rankOf(column, [pattern]) === 0) ?? free[0]
  }
  const parts = addressParts.map((pattern, at) =>
    named(pattern, ({ values }) => (at !== 3 && at !== 4) || !areHouseNumbers(values)),
  )
  // "SITUS_ADDRESS" may be the number of the house beside "SITUS_STREET".
  parts[0] ??= named(`(situs|site|prop(erty)?|street)?addr(ess)?1?`, ({ values }) => areHouseNumbers(values))
  const keyFor = (field: string) => nameKey(columnOf(fields.find((each) => each.field === field)?.rule))
  const columnFor = (field: string) =>
    filled.find(({ name }) => name === columnOf(fields.find((each) => each.field === field)?.rule))
  const address = columnFor('address')
  // Beside "SITE_ADDRESS", or a number and a street, the first line of an address, "CITY" and "ZIP" are the owner's.
  const isOwnersAddress = (number: Column, whole: Column) =>
    /^addr(ess)?(line)?1$/.test(nameKey(whole.name)) ||
    (areHouseNumbers(number.values) && !(agrees(whole, number, (text, no) => text.startsWith(no)) ?? true))
  if (parts[0] && parts[3] && address && isOwnersAddress(parts[0], address))
    leaveOut('address', "it is probably the owner's: the home has a number and a street of its own")
  const isSame = (column: Column, own: Column | undefined) =>
    own !== undefined && (agrees(own, column, (text, other) => text.slice(0, 6) === other.slice(0, 6)) ?? false)
  const isMailing = (column: Column) =>
    /^(st)?addr(ess)?(line)?1?$|^street$/.test(nameKey(column.name)) &&
    'rule' in readAs('address', 'text', column, holds) &&
    !(nameKey(column.name) === 'street' && isSame(column, columnFor('address')))
  // The owners of the homes of one county live in many states, most of them in its own.
  const inStates = filled
    .filter(({ name }) => /^st(ate)?(abbr|cd|code)?$/.test(nameKey(name)))
    .flatMap(({ values }) => values)
  const counts = [...Map.groupBy(inStates, String).values()].map(({ length }) => length)
  const ofManyStates =
    (holds === 'parcels' &&
      has('apn') &&
      [...Map.groupBy(zips, (zip) => String(zip)[0]).values()].filter(({ length }) => length > 0.02 * zips.length)
        .length > 4) ||
    (holds !== 'listings' && counts.length > 4 && Math.max(...counts) > 0.5 * inStates.length)
  const ofOwner =
    holds !== 'permits' && holds !== 'rents' && filled.some((column) => !used.has(column.name) && isMailing(column))
  for (const field of ofManyStates || ofOwner ? ['city', 'zip'] : [])
    if (mailingPart.test(keyFor(field)))
      leaveOut(
        field,
        "it is probably the owner's: its ZIP codes are from many states, or the file has a second address",
      )
  const [zip, town] = [columnFor('zip'), columnFor('city')]
  const inTowns = Map.groupBy(zip && town && has('apn') ? rows.keys() : [], (row) => String(town!.all[row] ?? ''))
  // Homes of one town have a few beginnings of ZIP codes, its owners many.
  for (const [name, own] of inTowns) {
    const areas = [...Map.groupBy(own, (row) => String(zip!.all[row]).slice(0, 3)).values()]
    if (!/^(unincorp|$)/i.test(name) && areas.filter(({ length }) => length > 0.01 * own.length).length > 10)
      leaveOut('zip', `it is probably the owner's: homes in ${name.trim()} would be in more than ten postal areas`)
  }
  const joined = (field: string, parts: readonly (Column | undefined)[], separator?: string) => {
    const found = parts.filter((part) => part !== undefined)
    if (found.length === 0 || has(field)) return
    const join = found.map(({ name }) => name)
    const startsWithZero = (value: unknown) => /^\s*0/.test(String(value))
    const isPadded =
      field === 'address' && found.some(({ values }) => values.filter(startsWithZero).length > values.length / 2)
    const rule =
      found.length === 1
        ? join[0]!
        : { join, ...(separator ? { separator } : {}), ...(isPadded ? { strip: '\\b0+(?=\\w)|\\s0+$' } : {}) }
    add(field, found, { confidence: 'medium', rule })
  }
  const isHouse = ['beds', 'baths', 'yearBuilt', 'stories', 'priceUsd', 'fullbath'].some(has) || named('full\\w*ba\\w*')
  if (
    (holds === 'parcels' && !isHouse && /^(size)?(sqft|squarefeet|squarefootage)$/.test(keyFor('livingSqft'))) ||
    (!has('beds') && !has('baths') && /^prop(erty)?(size|area|sqft)$/.test(keyFor('livingSqft')))
  )
    leaveOut('livingSqft', 'its name does not say whether it is the area of the lot or of the house')
  if (holds === 'listings' && has('priceUsd')) {
    // "soldDate": "for sale".
    const says = ({ name, values }: Column) =>
      !used.has(name) && values.every((value) => String(value).length > 3 && listingStatus(String(value)))
    const status = has('status') ? undefined : filled.find(says)
    if (status) add('status', [status], { confidence: 'medium', rule: status.name, note: 'by its values' })
    // Numbers of rows are no ids.
    const id = named('id', ({ all, distinct, values }) => distinct === all.length && values.every(isLongId))
    if (id && !has('listingId')) add('listingId', [id], { confidence: 'medium', rule: id.name })
  }
  // On websites, the area of a home with bedrooms is that of the house.
  const area = holds === 'listings' && has('beds') && !has('livingSqft') ? named('area|sizes?') : undefined
  const readArea = area && readAs('livingSqft', 'number', area, holds)
  if (readArea && 'rule' in readArea)
    add('livingSqft', [area], { confidence: 'medium', rule: readArea.rule, note: 'in square feet, by its values' })
  const acres = filled.find(({ name }) => /acre/i.test(name))
  if (!acres && nameKey(columnFor('lotSqft')?.name ?? '') === 'area')
    leaveOut('lotSqft', 'the name does not say what area it is or in which unit')
  const typed = filled.find((column) => !used.has(column.name) && isTyped(column))
  if ('propertyType' in targetFields[holds] && !has('propertyType') && typed)
    add('propertyType', [typed], { confidence: 'medium', rule: typed.name, note: 'by its values' })
  const streets =
    has('address') || (parts[0] && parts[3])
      ? undefined
      : filled.find((column) => !used.has(column.name) && isStreets(column))
  if (streets) add('address', [streets], { confidence: 'medium', rule: streets.name, note: 'by its values' })
  const lines = fields.find(({ field }) => field === 'address')
  const isLines = filled.some(
    ({ name, values }) => name === lines?.rule && values.every((value) => /\n/.test(String(value))),
  )
  if (lines && isLines) {
    const field = String(lines.rule)
    if (!has('city')) fields.push({ ...lines, field: 'city', rule: { field, pattern: '\\n\\s*([^,\\d]+?)\\s*,' } })
    lines.rule = { field, before: '\n' }
  } else if (has('address')) splitAddress(fields, filled, has('city'))
  if (parts[0] && parts[3]) joined('address', parts)
  // Blocks are numbered in each borough.
  const blockAndLot = [named('block'), named('lot')]
  if (blockAndLot.every(Boolean)) joined('apn', [named('boro(ugh)?(code)?'), ...blockAndLot], '/')
  if (named('minor')) joined('apn', [named('major'), named('minor')], '-')
  if (holds === 'permits') {
    const type = fields.find(({ field }) => field === 'projectType')
    const kinds = filled.filter(
      (column) =>
        !used.has(column.name) &&
        rankOf(column, [workKind]) >= 0 &&
        column.distinct > 1 &&
        column.distinct <= 200 &&
        !isCoded(column.values) &&
        !(nameRank(column.name, ['type|category']) === 0 && isTyped(column)) &&
        !filled.some(({ name }) => nameKey(name).startsWith(`${nameKey(column.name)}de`)),
    )
    // "Erect" or "Addition" beside a longer text.
    const short = texts.filter(
      (column) =>
        !used.has(column.name) && column.distinct > 1 && column.distinct < Math.min(50, column.values.length / 2),
    )
    if (!type && kinds.length === 0) kinds.push(...short.filter((column) => !isCoded(column.values)).slice(0, 1))
    if (!type && kinds[0]) joined('projectType', kinds.slice(0, 4), ' / ')
    else if (type && typeof type.rule === 'string' && kinds.length > 0) {
      const join = [type.rule, ...kinds.slice(0, 4).map(({ name }) => name)]
      for (const name of join) used.add(name)
      type.rule = { join, separator: ' / ' }
    }
    const value = fields.find(({ field }) => field === 'valuation')
    const other = named('(est(imated)?)(project)?(cost|value)')
    if (value && other && typeof value.rule === 'string') {
      used.add(other.name)
      value.rule = [value.rule, other.name]
    }
  }
  const isPrice = ({ name, values }: Column) =>
    !/list|ask|orig|per ?sq|\bper\b|[$/]|tax|assess|prev|prior|min|max|med|avg/i.test(name) &&
    'rule' in readAmounts('priceUsd', name, values)
  const sold = holds === 'sales' && has('soldOn') && !has('priceUsd') ? named('\\w+price', isPrice) : undefined
  if (sold) add('priceUsd', [sold], { confidence: 'medium', rule: sold.name })
  const [soldYear, soldMonth] = [
    named('(yr|year)(sold|ofsale|sale)?|(sold|sale)(yr|year)1?'),
    named('(mo|month)(sold|ofsale|sale)?|(sold|sale)(mo|month)1?'),
  ]
  if (holds === 'sales' && !has('soldOn') && soldYear && soldMonth)
    add('soldOn', [soldYear, soldMonth], {
      confidence: 'medium',
      rule: { join: [soldYear.name, soldMonth.name], separator: '-' },
      note: 'only the month is known; the first of the month is used',
    })
  for (const { field, reason } of contradictions(holds, fields, rows, now, acres?.all)) leaveOut(field, reason)
  const abroad = abroadBy(filled, middleOf('lat'), middleOf('lng'))
  for (const { field } of abroad ? [...fields] : [])
    if (/Usd$|^valuation$/.test(field)) leaveOut(field, `it may not be in US dollars: ${abroad}`)
  const unsold = holds === 'sales' ? filled.find(isPartlySold) : undefined
  if (unsold) leaveOut('soldOn', `${unsold.name} says that not every row is sold`)
  const soldDays = columns.find(({ name }) => name === columnOf(fields.find(({ field }) => field === 'soldOn')?.rule))
  const soldRows = shareSold(columns, fields) * rows.length
  // A feed of active listings with a few sold ones has the day in those rows only.
  if (
    holds === 'listings' &&
    has('status') &&
    soldRows < 0.05 * rows.length &&
    (soldDays?.values.length ?? 0) > 2 * soldRows
  )
    leaveOut('soldOn', 'hardly any row is sold: it is the day of an earlier sale')
  if (holds === 'listings' && !has('soldOn'))
    leaveOut('soldPriceUsd', 'without the day of the sale it may be the asking price')
  leaveOutHalfPoint()
  if (holds === 'sales' && !has('saleId')) nameSale(fields, filled, add)
  if (holds === 'parcels' && !unclear.some(({ reason }) => reason === outlineDiffers)) addShape(fields, columns)
  if ('baths' in targetFields[holds]) halfBaths(fields, filled, named, add)
  const price =
    holds === 'parcels' ? filled.find((column) => rankOf(column, namesOf('sales', 'priceUsd')) >= 0) : undefined
  if (price && !used.has(price.name))
    unclear.push({ field: 'priceUsd', column: price.name, reason: 'a price without the day of the sale is not used' })
  const rentColumns = holds === 'rents' && !has('amountUsd') ? rentColumnsOf(filled) : []
  if (rentColumns.length > 0) {
    const [{ column, bedrooms }] = rentColumns as [(typeof rentColumns)[number]]
    add(
      'amountUsd',
      filled.filter(({ name }) => name === column),
      { confidence: 'medium', rule: column },
    )
    fields.push({ field: 'bedrooms', rule: { constant: bedrooms }, examples: [], confidence: 'medium' })
    if (/fmr/i.test(column))
      fields.push({ field: 'statistic', rule: { constant: 'fair_market' }, examples: [], confidence: 'medium' })
    for (const each of rentColumns) used.add(each.column)
  }
  const point = has('lat')
    ? undefined
    : filled.find(({ values, name }) => (!used.has(name) || isLines) && isPoint(values))
  if (point) used.add(point.name)
  const nulls = emptyWords(holds, fields, rows)
  return {
    holds,
    fields,
    ...(nulls.length > 0 ? { nulls } : {}),
    ...(point ? { point: point.name } : {}),
    ...(rentColumns.length > 0 ? { rentColumns } : {}),
    unclear: unclear.filter(({ field, column }) => !has(field) && !used.has(column)),
    missing: required[holds].filter((one) => !one.some(has)).map((one) => one.join(' or ')),
    unusedColumns: columns.flatMap(({ name }) => (used.has(name) || name.startsWith('geometry.') ? [] : name)),
  }
}

/**
 * "NA" in a column of numbers or dates is an empty value; so it is as a city of the same feed. A number such as -1 that stands for an
 * empty value is left out by its range, but not from a sum.
 */
const emptyWords = (holds: Dataset, fields: readonly ProposedField[], rows: readonly Row[]): string[] => {
  const wordsOf = (isOwn: (field: ProposedField) => boolean, isEmpty: (value: unknown) => boolean) => {
    const values = fields
      .filter(isOwn)
      .flatMap(({ rule }) => namesIn(rule).flatMap((name) => rows.map((row) => row[name])))
    return new Map(values.filter(isEmpty).map((value) => [String(value).trim().toLowerCase(), String(value).trim()]))
  }
  const isText = ({ field }: ProposedField) => targetFields[holds][field] === 'text'
  const others = wordsOf((field) => !isText(field), isEmptyWord)
  const words = [...wordsOf(isText, isEmptyWord)].filter(([word]) => others.has(word))
  return [...words, ...wordsOf(({ rule }) => typeof rule === 'object' && 'sum' in rule, isEmptyNumber)].map(
    ([, word]) => word,
  )
}

/** Columns, by their names and most of their values, of homes that are not in the United States. */
const signsOfAbroad: readonly (readonly [RegExp, RegExp])[] = [
  [/currency/, /^(?!us|\$)./i],
  [/^prov(ince)?(name|code|abbr)?$/, new RegExp(`^(?!(${[...stateNames.keys()].join('|')})$).`, 'i')],
  [/^(state|st)$/, /^(nsw|vic|qld|tas|act|on|ontario|bc|ab|qc)$/i],
  // Redfin's short links end in .in.
  [
    /url|link|href/,
    /^https?:\/\/(?!redf\.in\/)[^/]*(\.(ca|uk|au|nz|za|ie|in|de|fr|es|it|nl|pt|pk|ae)\/|property24\.com\/)/i,
  ],
  [/post(al)?code|postal|zip/, /^([a-z]\d[a-z]( ?\d[a-z]\d)?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2})$/i],
]
const abroadBy = (columns: readonly Column[], lat: number, lng: number): string | undefined => {
  const found = columns.find(({ name, values }) =>
    signsOfAbroad.some(
      ([names, form]) =>
        names.test(nameKey(name)) &&
        values.filter((value) => form.test(String(value).trim())).length > values.length / 2,
    ),
  )
  if (found) return `${found.name} has ${quoted(found.values.slice(0, 3))}`
  const isOutsideUs = lat !== 0 && lng !== 0 && (lat < 13 || lat > 72 || (lng > -64 && lng < 144) || lng < -180)
  return isOutsideUs ? 'the points are not in the United States' : undefined
}
const unsoldEvent = /^((de|re)?list|price|pending|contingent|not?\b|unsold)/i
/** "event": sales beside price changes. Single letters may be any code; unknown words may be kinds of sales. */
const isPartlySold = ({ name, values }: Column): boolean => {
  if (!/event|status/i.test(name)) return false
  const words = values.map(String).filter((word) => word.length > 1)
  const sold = words.filter((word) => word.length > 3 && listingStatus(word) === 'sold').length
  const unsold = words.filter((word) => unsoldEvent.test(word) || (listingStatus(word) ?? 'sold') !== 'sold').length
  return sold > 0.05 * values.length && unsold > 0.1 * values.length
}

const columnOf = (rule: unknown): string =>
  typeof rule === 'string' ? rule : String((rule as { field?: string } | undefined)?.field)

/** "LAND_VALUE_2024": the newest of several years is used. */
const yearIn = (name: string): number => Number(/(?:19|20)\d\d$/.exec(name)?.[0] ?? 0)

/** Without the columns of owners: those named so, and the unnamed parts of a mailing address that follow one. */
const withoutOwners = (columns: readonly Column[]): Column[] => {
  const isOwner = ({ name }: Column) =>
    /owner|taxpayer|mail|^(co\W*)?own([\W_]|add|city|st|zip|n)|^m(city|state|zip|unit)$|^pstl/i.test(name)
  const kept = columns.filter((column) => !isOwner(column))
  if (
    !kept.some(
      (column) =>
        (propertyAddress.test(nameKey(column.name)) && column.values.some((v) => isStreetAddress(String(v)))) ||
        (rankOf(column, addressParts.slice(0, 1)) >= 0 && areHouseNumbers(column.values)),
    )
  )
    return kept
  let inBlock = false
  return columns.filter((column) => {
    inBlock = isOwner(column) || (inBlock && mailingPart.test(nameKey(column.name)))
    return !inBlock
  })
}
const propertyAddress =
  /^([a-z]{3}prcllocn|(property|prop|site|parcel|premises?|phy\w*|loc)(add|loc|street)|situs|location)/
const mailingPart =
  /^(addr(ess)?(line)?\d?|street|(addr(ess)?)?(city(name)?|state|zip(code)?\d?)|st|country|careof|city(st|state)\w*)$/

type Read = { rule: FieldRule; sure: boolean; note?: string } | { reason: string }

/** How the values of a column are read as a field, or why they cannot be. */
const readAs = (
  field: string,
  type: string,
  column: Column,
  holds: Dataset,
  isAmerican = false,
  ofBuildings = false,
): Read => {
  const { name, values, distinct } = column
  if (scales.has(field)) return { reason: 'the scale of the grades must be mapped by hand; see docs/sources.md' }
  if (field === 'issuedOn' && nameKey(name) === 'date')
    return { reason: 'its name does not say whether it is the day of the application or of the issue' }
  if (type === 'date' || field === 'modifiedAt') return readDates(name, values, isAmerican)
  if (type === 'number' || type === 'integer' || field === 'valuation')
    return readAmounts(field, name, values, ofBuildings && /Usd$|^livingSqft$/.test(field) ? 100 : 1)
  if (type === 'boolean') {
    const readable = values.filter((value) => typeof readBoolean(value) === 'boolean').length / values.length
    return readable > 0.95 ? { rule: name, sure: true } : { reason: 'the values are not yes or no' }
  }
  const texts = values.map((value) => String(value))
  const states = [...new Set(texts.map((text) => /[, ] *([A-Z]{2})(?: +\d{5}\S*)?$/.exec(text.trim())?.[1] ?? ''))]
  if (field === 'city' && states.every((state) => stateCodes.includes(state)))
    return {
      rule: { field: name, strip: `,?\\s+(?:${states.join('|')})\\b.*$`, case: 'title' },
      sure: true,
      note: 'without the state',
    }
  const reason = type === 'list' ? undefined : misfit(field, texts)
  if (reason) return { reason }
  if (field === 'apn' && /^geoid/.test(nameKey(name)) && texts.every((text) => /^\d{5,12}$/.test(text)))
    return { reason: 'it is a census tract or block number' }
  if (field === 'projectType' && ((distinct > 50 && distinct > values.length / 2) || isTyped(column)))
    return { reason: 'the values describe the work or the type of home, not the kind of permit' }
  if (field === 'propertyType') {
    const unknown = texts.filter((text) => propertyType(text) === undefined)
    if (unknown.length > 0.9 * texts.length)
      return { reason: 'its words must be mapped by hand; see "words" in docs/sources.md' }
    return unknown.length === 0
      ? { rule: name, sure: true }
      : { rule: name, sure: false, note: `left empty: ${quoted(unknown)}; map them with "words"` }
  }
  // A city's own classes belong to the kind of work.
  if (field === 'permitClass' && !texts.every((text) => (permitClasses as readonly string[]).includes(text)))
    return { reason: `the values are not classes of Lotline (${permitClasses.join(', ')})` }
  // A parcel has a row for each of its buildings or homes.
  if (keyOf[holds] === field && distinct < (holds === 'parcels' ? 0.2 : 0.5) * values.length)
    return { reason: `only ${distinct} different values in ${values.length} rows` }
  if (field === 'saleId' && distinct < values.length) return { reason: 'several rows have the same value' }
  if (field === 'zip') {
    const share = texts.filter((text) => (/zip/i.test(name) ? fourDigits : fiveDigits).test(text)).length / texts.length
    if (texts.filter((text) => /^[a-z]{2} \d{5}$/i.test(text.trim())).length > 0.8 * texts.length)
      return { rule: { field: name, pattern: '\\d{5}$' }, sure: true, note: 'after the state' }
    return share > 0.8 ? { rule: name, sure: true } : { reason: 'the values are not ZIP codes' }
  }
  const isCapitals = (field === 'city' || field === 'county') && texts.every((text) => text === text.toUpperCase())
  return { rule: isCapitals && holds ? { field: name, case: 'title' } : name, sure: true }
}
const fiveDigits = /^\d{5}(\.0|-?\d{4})?$/
/** Of a ZIP code that was a number, the first 0 is lost. */
const fourDigits = /^\d{4,5}(\.0|-?\d{4})?$/
const isLongId = (value: unknown): boolean => /\d{5}/.test(String(value))
const areHouseNumbers = (values: readonly unknown[]): boolean =>
  values.filter((value) => /^\d{1,6}(\.0)?$/.test(String(value).trim())).length > 0.8 * values.length
/** Whether two columns agree in most of the rows that have both. */
const agrees = (one: Column, two: Column, same: (a: string, b: string) => boolean): boolean | undefined => {
  const both = one.all.flatMap((value, row) => {
    const other = two.all[row]
    return isNull(value) || isNull(other) || Number(other) === 0
      ? []
      : [[String(value).trim(), String(other).trim()] as const]
  })
  if (both.length === 0) return undefined
  return both.filter(([a, b]) => same(a, b.replace(/\.0$/, ''))).length >= both.length / 2
}
/** "Physical address (often incomplete)", or streets with a town and a ZIP code, where the name is nobody else's. */
const isStreets = ({ name, values }: Column): boolean =>
  !/bill|agent|applicant|contact|business|contractor|legal|geocod|owner|mail/i.test(name) &&
  !isQualified(name) &&
  values.filter((value) => (/addr/i.test(name) ? isStreetAddress(String(value)) : streetAndZip.test(String(value))))
    .length >
    0.6 * values.length
const streetAndZip = new RegExp(String.raw`^\d+\w? \w[^,]*,\s*[a-z][^,\d]+,?\s+${anyState}\s+\d{5}(-\d{4})?$`, 'i')
const isCoded = (values: readonly unknown[]): boolean =>
  values.filter((value) => /^\d{1,3}(\.0)?$/.test(String(value))).length > values.length / 2
/** Tenths of the values that are types of homes; "Residential" is none. */
const typedShare = ({ values, distinct }: Column): number =>
  distinct > 500
    ? 0
    : Math.round((10 * values.filter((value) => homeTypes.has(propertyType(String(value)))).length) / values.length)
const homeTypes = new Set(propertyTypes.filter((type) => type !== 'land' && type !== 'other') as (string | undefined)[])
/** Two or more words for types of homes and hardly any other: the values say what a column named "type" or "StateCode" holds. */
const isTyped = ({ name, values, distinct }: Column): boolean => {
  if (distinct < 2 || distinct > 200 || /zon/i.test(name)) return false
  const types = values.map((value) => propertyType(String(value)))
  // "R-1 - Single Family" is a zoning district.
  if (values.filter((value) => /^(<|[a-z]{1,3}-\d)/i.test(String(value))).length > values.length / 2) return false
  return (
    types.filter(Boolean).length > 0.8 * types.length &&
    types.some((type) => type && type !== 'land' && type !== 'other')
  )
}
/** Facts that are unknown where they are 0. */
const neverZero = /^(livingSqft|lotSqft|yearBuilt)$/
const isMostlyZero = ({ values }: Column): boolean =>
  values.filter((value) => Number(value) === 0).length > 0.75 * values.length
const middleNumber = (values: readonly unknown[]): number =>
  values.map(Number).sort((a, b) => a - b)[values.length >> 1] ?? 0
const scales = new Set(['quality', 'condition', 'view'])
const keyOf: Partial<Record<Dataset, string>> = { permits: 'permitId', listings: 'listingId', parcels: 'apn' }

/** True if the dates of the column can only be month first, or if it has only codes of US states. */
const showsMonthFirst = ({ name, values, distinct }: Column): boolean =>
  values.length > 0 &&
  (distinct < 100 && /state/i.test(name)
    ? values.every((value) => states.test(String(value)))
    : values.every((value) => /^\s*(0?\d|1[0-2])\/\d{1,2}\/\d\d/.test(String(value))) &&
      values.some((value) => secondAbove12.test(String(value))))
const showsDayFirst = ({ values }: Column): boolean =>
  values.every((value) => /^\s*\d{1,2}\/(0?\d|1[0-2])\/\d\d/.test(String(value))) &&
  values.some((value) => /^\s*(1[3-9]|[23]\d)\//.test(String(value)))
const states = new RegExp(`^${anyState}$`, 'i')
const secondAbove12 = /^\s*\d{1,2}[-/.](1[3-9]|[23]\d)[-/.]/

const readDates = (name: string, given: readonly unknown[], isAmerican: boolean): Read => {
  const orders = dateOrders()
  const read = orders.reader(name, 'auto')
  const days = given.map(read)
  const values = given.filter((_, at) => days[at] !== undefined)
  const readable = given.filter((_, at) => typeof days[at] === 'string')
  const share = values.length === 0 ? 0 : readable.length / values.length
  const slashes = readable.some((value) => typeof value === 'string' && /^\s*\d{1,2}[-/.]\d{1,2}[-/.]\d/.test(value))
  const [problem] = orders.problems()
  if (problem) return { reason: problem }
  if (orders.dayFirst().includes(name)) return { rule: { field: name, date: 'dmy' }, sure: true, note: 'day first' }
  if (share < 0.8) {
    const shareOf = (form: RegExp) => values.filter((value) => form.test(String(value))).length / values.length
    if (shareOf(/^\d{9,10}$/) > 0.9)
      return { rule: { field: name, date: 'epoch_s' }, sure: true, note: 'seconds since 1970' }
    if (shareOf(/^[2-5]\d{4}(\.\d+)?$/) > 0.9)
      return { rule: { field: name, date: 'excel' }, sure: true, note: 'spreadsheet day numbers (45000 is 2023-03-15)' }
    const lost = given.filter((_, at) => days[at] === unreadable)
    return { reason: `${Math.round(100 * share)}% of the values are dates; not ${quoted(lost)}` }
  }
  if (!slashes) return { rule: name, sure: share > 0.95 }
  const monthFirst = values.some((value) => secondAbove12.test(String(value)))
  return monthFirst || isAmerican
    ? {
        rule: { field: name, date: 'mdy' },
        sure: monthFirst,
        note: monthFirst ? 'month first' : 'month first, by other columns of the file',
      }
    : { reason: 'the sample does not show whether the day or the month comes first; set "date" to "mdy" or "dmy"' }
}

/** "lotAreaValue" beside "lotAreaUnits": each row says its unit. */
const unitsBeside = (field: string, { name }: Column, columns: readonly Column[]): Read | undefined => {
  const stem = nameKey(name).replace(/(value|size)$/, '')
  const beside = columns.find(
    (column) => /^(.+)(?:units?|uom)(?:type|code|name)?$/.exec(nameKey(column.name))?.[1] === stem,
  )
  if (!/Sqft$/.test(field) || !beside) return undefined
  const units = [...new Set(beside.values.map(String))].map((word) => ({
    word,
    unit: /^a$/i.test(word)
      ? 'acres'
      : /^s[fq]?$/i.test(word)
        ? 'sqft'
        : areas.find((area) => area.word.test(nameKey(word)))?.unit,
  }))
  return units.some(({ unit }) => !unit)
    ? { reason: `not every unit in ${beside.name} is known` }
    : {
        sure: true,
        note: `in the units of ${beside.name}`,
        rule: units.map(({ word, unit }) => ({ field: name, unit: unit!, when: { field: beside.name, in: [word] } })),
      }
}

/** Plausible medians in our unit. Outside of them the unit must be another one. */
const medians: Readonly<Record<string, readonly [number, number]>> = {
  ...factColumn('median'),
  priceUsd: [40_000, 9_000_000],
  soldPriceUsd: [40_000, 9_000_000],
  listPriceUsd: [40_000, 9_000_000],
  originalPriceUsd: [40_000, 9_000_000],
  amountUsd: [300, 15_000],
  valuation: [300, 1_000_000_000],
  sqft: [50, 500_000],
  daysOnMarket: [1, 2000],
  lat: [-90, 90],
  lng: [-180, 180],
}

/** The values that would be lost, most frequent first. */
const quoted = (values: readonly unknown[]): string => {
  const counts = Map.groupBy(values.map(String), (text) => text)
  const shown = [...counts].sort((a, b) => b[1].length - a[1].length).slice(0, 3)
  return shown.map(([text, all]) => `"${text.slice(0, 30)}" (${all.length.toLocaleString('en-US')})`).join(', ')
}

const readAmounts = (field: string, name: string, values: readonly unknown[], homes = 1): Read => {
  if (/Usd$/.test(field) && /[€£¥₹]|\b(eur|gbp|cad|aud|inr|mxn)\b/i.test(name))
    return { reason: 'it is not in US dollars' }
  const read = values.map(readNumber)
  const all = read.filter((value) => typeof value === 'number')
  // A single negative number such as -1 or -9999 stands for an empty value.
  const negative = [...new Set(all.filter((value) => value < 0))]
  const isEmpty = negative.length === 1 && isEmptyNumber(negative[0]) && !/^(lat|lng)$/.test(field)
  const numbers = isEmpty ? all.filter((value) => value >= 0) : all
  const lost = values.filter((_, at) => read[at] === unreadable)
  if (all.length < 9 * lost.length || all.length === 0) return { reason: `not numbers: ${quoted(lost)}` }
  const below = numbers.filter((value) => value < 0).length
  // A permit to demolish takes units away.
  if (!/^(lat|lng|units)$/.test(field) && below > 0.05 * numbers.length)
    return { reason: 'many values are negative, as in standardized data' }
  const said = new Set(values.map((value) => /\d\s*(ac|sq|sf|m)/i.exec(String(value))?.[1]?.toLowerCase()))
  if (/sqft$/i.test(field) && said.size > 1 && said.has('ac')) return { reason: 'its values are in different units' }
  // Transfers for $1 or $10 are no prices.
  const least = /[pP]riceUsd$/.test(field) ? 100 : 0
  const above = numbers.filter((value) => Math.abs(value) > least).sort((a, b) => a - b)
  const median = above[Math.floor(above.length / 2)]
  if (median === undefined)
    return field === 'units' ? { rule: name, sure: false } : { reason: `no value is above ${least}` }
  if (field === 'valuation' && median < 1500 && /^(amount|(tot(al)?)?(cost|val(ue)?)s?)$/.test(nameKey(name)))
    return { reason: `it may be a fee: the median is ${median.toLocaleString('en-US')}` }
  const range = medians[field]
  if (!range) return { rule: name, sure: true }
  // "price" may be the rent of a month, "size" anything.
  const isVague = /^(price(usd)?|amount|value|size|area|sqft)$/.test(nameKey(name))
  const fits = (factor: number) => median * factor >= range[0] && median * factor <= range[1] * homes
  if (field === 'lat' || field === 'lng')
    return fits(1) && numbers.filter(Number.isInteger).length < numbers.length / 2
      ? { rule: name, sure: true }
      : { reason: 'the coordinates are projected; export the points in WGS 84, or as GeoJSON with spatialReference' }
  if (mixesUnits(field, above)) return { reason: 'its values are in different units' }
  const unit = areas.find(({ word }) => word.test(name) || word.test(nameKey(name)))
  if (/sqft$/i.test(field)) {
    if (unit)
      // A named unit needs less proof: land and buildings of a city center are small and large.
      return fits(unit.factor) || (median * unit.factor >= range[0] / 2 && median * unit.factor <= range[1] * 5 * homes)
        ? { rule: unit.unit === 'sqft' ? name : { field: name, unit: unit.unit }, sure: true, note: `in ${unit.label}` }
        : { reason: `the name says ${unit.label}, but the median is ${median.toLocaleString('en-US')}` }
    if (fits(1) && median >= (leastSqft[field] ?? 800))
      return { rule: name, sure: true, note: 'in square feet, by its values' }
    if (field === 'lotSqft' && median < 5 && numbers.some((value) => !Number.isInteger(value)))
      return { rule: { field: name, unit: 'acres' }, sure: false, note: 'in acres, by its values' }
    if (field === 'livingSqft' && median >= 50 && median <= 300 && !isVague)
      return { rule: { field: name, unit: 'sqm' }, sure: false, note: 'in square meters, by its values' }
    if (field === 'livingSqft' && fits(1)) return { rule: name, sure: false, note: 'in square feet, by its values' }
    return { reason: `the unit is not clear: the median is ${median.toLocaleString('en-US')}` }
  }
  if (/Usd$/.test(field)) {
    const cents = /cents/i.test(name)
    const thousands = /thousands?|000s|\(k\)|inK$/i.test(name)
    if (fits(1) && !cents && !thousands) return { rule: name, sure: true }
    // Four digits may be the rent of a month.
    if (fits(1000) && (thousands || (median < 1000 && !isVague)))
      return { rule: { field: name, unit: 'thousands' }, sure: thousands, note: 'in thousands of dollars' }
    // Without the word, large amounts are those of large buildings.
    if (fits(0.01) && cents) return { rule: { field: name, multiply: 0.01 }, sure: true, note: 'in cents' }
    return { reason: `the unit is not clear: the median is ${median.toLocaleString('en-US')}` }
  }
  return fits(1) ? { rule: name, sure: true } : { reason: `the median is ${median.toLocaleString('en-US')}` }
}
/** From here on, an area without a unit is not in square meters. */
const leastSqft: Readonly<Record<string, number>> = { lotSqft: 4000, garageSqft: 150, basementSqft: 300, sqft: 50 }
/** Two groups of values, each a fifth or more, that no single unit explains. */
const mixesUnits = (field: string, numbers: readonly number[]): boolean => {
  const groups = /[pP]riceUsd$/.test(field)
    ? [100, 2500, 25_000]
    : field === 'livingSqft'
      ? [20, 250, 700]
      : field === 'lotSqft'
        ? [0, 20, 1500]
        : undefined
  if (!groups) return false
  const [low, middle, high] = groups as [number, number, number]
  const share = (least: number, most: number) =>
    numbers.filter((value) => value > least && value <= most).length / numbers.length
  return share(low, middle) > 0.2 && share(high, Number.POSITIVE_INFINITY) > 0.2 && share(middle, high) < 0.2
}

const areas = [
  { word: /acre|[^a-z]ac\b/i, unit: 'acres', factor: 43_560, label: 'acres' },
  { word: /hectare|(?:^|[^a-z])ha\b/i, unit: 'hectares', factor: 107_639, label: 'hectares' },
  { word: /sqm|m2|squaremet|sqmet/i, unit: 'sqm', factor: 10.764, label: 'square meters' },
  {
    word: /sqft|sqfeet|squarefeet|squarefoot|stateplane|areaSqft|sf$/i,
    unit: 'sqft',
    factor: 1,
    label: 'square feet',
  },
] as const

/** "1601 Willowdale Dr, Apt 2, San Jose CA 95118": the street and unit are the address, and the city follows. */
const splitAddress = (fields: ProposedField[], columns: readonly Column[], hasCity: boolean): void => {
  const address = fields.find(({ field }) => field === 'address')!
  const column = columns.find(({ name }) => name === address.rule)
  if (!column) return
  const texts = column.values.map(String)
  const addCity = (part: object) => {
    const rule = { field: column.name, ...part, case: 'title' } as const
    fields.push({ field: 'city', rule, examples: address.examples, confidence: 'medium' })
  }
  const endsIn = (pattern: RegExp, of = texts) =>
    of.filter((text) => pattern.test(text.trim())).length >= 0.8 * of.length
  // "12 Elm St, Goodlettsville": few different words follow the only comma, and they are neither units nor states.
  const tails = new Set(texts.map((text) => /^[^,]*,\s*([^,\d\s][^,\d]{2,})$/.exec(text.trim())?.[1]?.toLowerCase()))
  const hasTowns =
    tails.size <= Math.max(3, 0.05 * texts.length) &&
    ![...tails].some((tail) => /^(apt|unit|ste|suite|#)/.test(tail ?? ''))
  if (!hasCity && hasTowns && endsIn(/^[^,]*,\s*[^,\d\s][^,\d]{2,}$/)) {
    address.rule = { field: column.name, before: ',' }
    addCity({ split: { by: ',', part: -1 } })
    return
  }
  // "10401 W Calle de Edens Phoenix 85037": the city of the next column, or the words after the street, end the address.
  const cityRule = fields.find(({ field }) => field === 'city')?.rule
  const city = columns.find(
    ({ name }) => name === (typeof cityRule === 'string' ? cityRule : (cityRule as { field?: string })?.field),
  )
  const townsIn = (found: readonly (string | undefined)[], least: number) => {
    const counts = Map.groupBy(
      found.flatMap((town) => town?.trim() || []),
      (town) => town.toUpperCase(),
    )
    const names = [...counts].filter(([, all]) => all.length >= least).sort((a, b) => b[1].length - a[1].length)
    const words = names.slice(0, 60).map(([town]) => town.replace(/[^\w\s]/g, '.'))
    return words.length === 0
      ? undefined
      : `,?\\s+(${words.join('|')})(?:,?\\s+[A-Za-z]{2})?(?:\\s+\\d{5}(?:-\\d{4})?)?\\s*$`
  }
  const townsOf = (some: readonly string[]) => [
    townsIn(
      some.map((text) => afterStreet.exec(text)?.[1]),
      Math.max(3, 0.002 * some.length),
    ),
    ...[3, 2, 1].map((words) =>
      townsIn(
        some.map((text) => beforeState(words).exec(text)?.[1]),
        0.8 * some.length,
      ),
    ),
  ]
  const towns = [
    townsIn(city?.values.map(String) ?? [], 1),
    ...townsOf(texts),
    texts.some((text) => text.includes(',')) ? undefined : '\\s+\\d{5}(?:-\\d{4})?\\s*$',
  ].find((town) => town !== undefined && endsIn(new RegExp(town, 'i')))
  if (towns) {
    address.rule = { field: column.name, strip: towns }
    if (!hasCity && /\((?!\?)/.test(towns)) addCity({ pattern: towns })
    return
  }
  const whole = column.values.filter((value) => new RegExp(street).test(String(value))).length
  if (whole < 0.8 * column.values.length) {
    // The town follows in some of the rows.
    const long = texts.filter((text) => beforeState(1).test(text))
    const town = townsOf(long).find((each) => each && long.length > 2 && endsIn(new RegExp(each, 'i'), long))
    if (town) address.rule = { field: column.name, strip: `(?=.*\\s\\d{5}\\S*\\s*$)${town}` }
    return
  }
  address.rule = [
    { field: column.name, pattern: street },
    { field: column.name, before: ',' },
  ]
  if (!hasCity) addCity({ pattern: `,\\s*([^,\\d]+?)${stateAndZip}` })
}

/** The words after the last word for a street, up to state and ZIP code, that are neither a direction nor a unit. */
const afterStreet = new RegExp(
  '^\\d.*\\s(?:ave|avenue|st|street|rd|road|dr|drive|ln|lane|ct|court|pl|place|blvd|way|cir|ter|hwy|pkwy)\\.?(?:\\s+[nsew]{1,2})?\\s+' +
    '(?!(?:north|south|east|west)*\\s*$|(?:apt|unit|ste|suite|bldg|lot|rear|floor|fl)\\b)' +
    '([a-z][a-z .]{2,}?)(?:,?\\s+[a-z]{2})?(?:\\s+\\d{5}(?:-\\d{4})?)?\\s*$',
  'i',
)
/** The last words before the state and ZIP code. */
const beforeState = (words: number) =>
  new RegExp(`\\d.*\\s((?:[a-z]+\\s+){${words - 1}}[a-z]+)\\s+${anyState}\\s+\\d{5}\\S*\\s*$`, 'i')
const stateAndZip = '\\s*,?\\s+[A-Za-z]{2}(?:\\s*\\d{5}(?:-\\d{4})?)?\\s*$'
const street = `^(.*?)\\s*,\\s*[^,\\d]+?${stateAndZip}`

/** A file of sales often has no id of the sale: the parcel and the day identify it. */
const nameSale = (
  fields: readonly ProposedField[],
  columns: readonly Column[],
  add: (field: string, columns: readonly Column[], found: Omit<ProposedField, 'field' | 'examples'>) => void,
): void => {
  const id = columns.find(({ name, distinct, values }) => nameKey(name) === 'id' && distinct > 0.5 * values.length)
  const apn = fields.find(({ field }) => field === 'apn')
  const soldOn = fields.find(({ field }) => field === 'soldOn')
  const day = typeof soldOn?.rule === 'string' ? soldOn.rule : (soldOn?.rule as { field?: string } | undefined)?.field
  if (id && !apn && day && id.values.every((value) => /^\d{6,14}$/.test(String(value).trim())))
    add('apn', [id], { confidence: 'medium', rule: id.name, note: 'ids of this length are usually parcel numbers' })
  // Numbers of rows, of which some appear twice, are no ids of parcels.
  const parts = apn && !Array.isArray(apn.rule) ? namesIn(apn.rule) : []
  const number = parts[0]
  const held = id && (!number || id.distinct === id.values.length) ? id.name : number
  const first = columns.find(({ name }) => name === held)
  if (!first) return
  // A parcel may be sold again in a later row or file.
  if (first === id && first.distinct === first.values.length)
    add('saleId', [first], { confidence: 'medium', rule: first.name })
  else if (day) {
    const join = [...(first.name === parts[0] ? parts : [first.name]), day]
    add('saleId', [first], { confidence: 'medium', rule: { join, separator: '-' } })
  }
}

/** The outline gives the lot size where no column does, and takes precedence over one that may be rounded. */
const addShape = (fields: ProposedField[], columns: readonly Column[]): void => {
  const shapeOf = (name: string) => columns.find((column) => column.name === name && column.values.length > 0)
  const area = shapeOf('geometry.areaSqft')
  if (!area) return
  const lot = fields.find(({ field }) => field === 'lotSqft')
  if (lot && !Array.isArray(lot.rule)) lot.rule = ['geometry.areaSqft', lot.rule]
  for (const [field, name] of [
    ...(lot ? [] : [['lotSqft', 'geometry.areaSqft'] as const]),
    ['lotWidthFt', 'geometry.widthFt'] as const,
    ['lotDepthFt', 'geometry.depthFt'] as const,
  ])
    if (shapeOf(name) && !fields.some((each) => each.field === field))
      fields.push({ field, rule: name, examples: [], confidence: 'high', note: 'from the outline' })
}

const counted = '(num|number|nbr|no|total|tot)?(of)?'
/**
 * Full and half baths become one number. Whole-number "baths" beside half baths are the full ones, unless full baths have
 * their own column; then "baths" is the total and is not used.
 */
const halfBaths = (
  fields: readonly ProposedField[],
  columns: readonly Column[],
  named: (pattern: string, fits: (column: Column) => boolean) => Column | undefined,
  add: (field: string, columns: readonly Column[], found: Omit<ProposedField, 'field' | 'examples'>) => void,
): void => {
  const isCount = (column: Column) => 'rule' in readAmounts('half', column.name, column.values)
  const half = named(
    `${counted}h(alf|lf|f)?(bath|bth)(rm|room)?s?|bath(room)?s?(half(count)?|12)|(fix|num)?halfb?|hlfb`,
    isCount,
  )
  const full = named(`${counted}f(ull|ix)?(bath|bth)(rm|room)?s?|bath(room)?s?full(count)?|fullb`, isCount)
  const baths = fields.find(({ field }) => field === 'baths')
  if (baths) {
    const whole = columns
      .find(({ name }) => name === baths.rule)
      ?.values.every((value) => Number.isInteger(Number(value)))
    if (half && whole) baths.rule = { sum: [full?.name ?? String(baths.rule), { field: half.name, multiply: 0.5 }] }
    return
  }
  if (!full) return
  add('baths', half ? [full, half] : [full], {
    confidence: 'medium',
    rule: half ? { sum: [full.name, { field: half.name, multiply: 0.5 }] } : full.name,
  })
}

const numerals = ['onebed', 'twobed', 'threebed', 'fourbed']
/** "fmr_2", "SAFMR 2BR", "rent_2_bedroom", "Two-Bedroom": a rent for each number of bedrooms. */
const rentColumnsOf = (columns: readonly Column[]): { column: string; bedrooms: number }[] => {
  const found = columns.flatMap(({ name, values }) => {
    const digit = /^(?:sa|area)?(?:fmr|(?:median)?rent(?:br)?|br)(\d)(?:br|bdr?m?|bed(?:room)?s?)?$/.exec(
      nameKey(name),
    )?.[1]
    const word = /^(efficiency|studio|(?:one|two|three|four)bed)(?:room)?s?$/.exec(nameKey(name))?.[1]
    const bedrooms = digit ? Number(digit) : word && 1 + numerals.indexOf(word)
    if (typeof bedrooms !== 'number') return []
    const read = readAmounts('amountUsd', name, values)
    return 'rule' in read && read.rule === name ? [{ column: name, bedrooms }] : []
  })
  return found.length > 1 ? found : []
}

/** Not "1.000,50", an amount with a decimal comma. */
const twoDecimals = /\d\.\d{2,}\D+\d+\.\d{2,}/
const isPoint = (values: readonly unknown[]): boolean => {
  const some = values.slice(0, 50)
  const text = some.every((value) => typeof value !== 'string' || twoDecimals.test(value))
  return text && some.every((value) => !Array.isArray(value) && readPoint(value) !== unreadable)
}
