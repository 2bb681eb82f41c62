// Redfin's "Download All" CSV of a search page. Its columns are the same in every region.

import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { dayOf } from '../domain/day.ts'
import type { Dataset } from '../domain/facts.ts'
import type { FieldRule, Where } from '../domain/packs/source-config.ts'
import { csvPages } from './csv.ts'
import { isAddress, type RawRow, type ReadContext, type ReadState, sourceOfPages } from './source.ts'

export const redfin = sourceOfPages(async function* (where, context, state) {
  let today: Date | undefined
  for await (const page of csvPages(where, context, state)) {
    today ??= await downloadedOn(where, context, state)
    const day = today
    // Columns added by `tidied`.
    if (state.columns) state.columns = [...state.columns, 'URL', 'LISTED ON']
    const rows = page.filter((row) => !isNotice(row)).map((row) => ({ ...row, fields: tidied(row.fields, day) }))
    if (rows.length > 0) yield rows
  }
})

/**
 * "Days on market" counts to the day of the download, not to that of the run. The file name has it
 * ("redfin_2026-10-02-09-15-00.csv"); otherwise it is the time of the file.
 */
const downloadedOn = async (where: Where, { folder, now }: ReadContext, state: ReadState): Promise<Date> => {
  const named = /redfin[_-](\d{4}-\d{2}-\d{2})/i.exec(where.url)?.[1]
  const day = named === undefined ? Number.NaN : Date.parse(`${named}T12:00:00Z`)
  if (!Number.isNaN(day)) return new Date(day)
  if (isAddress(where.url)) {
    const modified = Date.parse(state.lastModified ?? '')
    return Number.isNaN(modified) ? now : new Date(modified)
  }
  return (await stat(isAbsolute(where.url) ? where.url : join(folder, where.url))).mtime
}

/** Some downloads have a notice about MLS rules in the first column. */
const isNotice = ({ fields }: RawRow): boolean => {
  const [first, ...rest] = Object.values(fields)
  return typeof first === 'string' && first.length > 40 && rest.every((value) => value === undefined || value === '')
}

const tidied = (fields: RawRow['fields'], today: Date): RawRow['fields'] => {
  const tidy: Record<string, unknown> = {}
  // "URL (SEE https://… FOR INFO ON PRICING)"
  for (const [name, value] of Object.entries(fields)) tidy[name.startsWith('URL') ? 'URL' : name] = value
  const days = Number(fields['DAYS ON MARKET'])
  if (fields['DAYS ON MARKET'] && Number.isInteger(days) && !fields['SOLD DATE'])
    tidy['LISTED ON'] = dayOf(new Date(today.getTime() - days * 86_400_000))
  return tidy
}

const common: Readonly<Record<string, FieldRule>> = {
  city: 'CITY',
  zip: { field: 'ZIP OR POSTAL CODE', optional: true },
  address: 'ADDRESS',
  lat: 'LATITUDE',
  lng: 'LONGITUDE',
  propertyType: 'PROPERTY TYPE',
  livingSqft: 'SQUARE FEET',
  lotSqft: 'LOT SIZE',
  beds: 'BEDS',
  baths: 'BATHS',
  yearBuilt: 'YEAR BUILT',
  sourceUrl: 'URL',
  soldOn: 'SOLD DATE',
}

export const redfinFields: Partial<Record<Dataset, Readonly<Record<string, FieldRule>>>> = {
  // PRICE is the list price, or the sale price when the status is Sold.
  listings: {
    ...common,
    listingId: 'MLS#',
    status: 'STATUS',
    priceUsd: 'PRICE',
    listedOn: 'LISTED ON',
    listingUrl: 'URL',
  },
  // DAYS ON MARKET of a home that was sold counts from its sale.
  sales: { ...common, saleId: 'MLS#', priceUsd: 'PRICE' },
}
