// RESO Web API (OData): pages linked by @odata.nextLink, replicated by ModificationTimestamp. https://transport.reso.org
import { factColumn, homeFactNames } from '../domain/fact-table.ts'
import type { Dataset } from '../domain/facts.ts'
import type { FieldRule } from '../domain/packs/source-config.ts'
import { readJson } from './file.ts'
import { shown } from './http.ts'
import {
  isAddress,
  isDayOnly,
  laterTimestamp,
  pageTally,
  rowNumberer,
  type Source,
  SourceError,
  sourceOfPages,
} from './source.ts'

export const reso = sourceOfPages(async function* (where, context, state) {
  const headers: Record<string, string> = context.token ? { authorization: `Bearer ${context.token}` } : {}
  const stamp = where.updatedField ?? 'ModificationTimestamp'
  const since = context.previous?.highWater
  const row = rowNumberer()
  const seen = new Set<string>()
  const tally = pageTally(where.url, state, (fields) => fields.ListingKey ?? fields['@odata.id'])
  state.highWater = since
  const first = firstUrl(where, stamp, since)
  const most = where.pageSize ?? defaultPageSize
  let read = 0
  for (let at: string | undefined = first; at; ) {
    if (seen.has(at)) throw new SourceError('loop', `${where.url} links a page to itself: ${shown(at)}`)
    seen.add(at)
    const page = pageOf(await readJson(at, context, headers), where.url)
    tally.count(page.count)
    tally.add(page.rows)
    for (const each of page.rows) state.highWater = laterTimestamp(state.highWater, each[stamp], context.now)
    if (page.rows.length > 0) yield page.rows.map(row)
    read += page.rows.length
    // A server may take the size of a page for that of the whole answer, and link no next page.
    const isCut = page.rows.length === most && read < (page.count ?? 0)
    if (!isAddress(where.url)) return
    at = page.next ? sameServer(page.next, at) : isCut ? `${first}&$skip=${read}` : undefined
  }
  await tally.end()
})

const defaultPageSize = 1000

const withField = (select: string, name: string): string =>
  select.split(',').some((each) => ['*', name].includes(each.trim())) ? select : `${select},${name}`

const firstUrl = (where: Parameters<Source>[0], stamp: string, since: string | undefined): string => {
  if (!isAddress(where.url)) return where.url
  // OData time literals have no quotes.
  const filters = [
    where.where && `(${where.where})`,
    since && `${stamp} ${isDayOnly(since) ? 'ge' : 'gt'} ${since}`,
  ].filter(Boolean)
  const query: Record<string, string> = {
    $top: String(where.pageSize ?? defaultPageSize),
    $count: 'true',
    $orderby: where.order ?? `${stamp} asc`,
    ...(where.select ? { $select: withField(where.select, stamp) } : {}),
    ...(where.expand ? { $expand: where.expand } : {}),
    ...(filters.length > 0 ? { $filter: filters.join(' and ') } : {}),
  }
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return `${where.url.replace(/\/$/, '')}/${where.resource ?? 'Property'}?${text}`
}

/** The token is only sent to the server it belongs to. */
const sameServer = (next: string, from: string): string => {
  const url = new URL(next, from)
  if (url.origin !== new URL(from).origin)
    throw new SourceError('foreign_link', `The next page is on another server (${url.origin}) and is not read.`)
  return url.href
}

const pageOf = (answer: unknown, url: string): { rows: Record<string, unknown>[]; next?: string; count?: number } => {
  const page = (answer ?? {}) as {
    value?: unknown
    error?: { message?: string }
    '@odata.nextLink'?: string
    '@odata.count'?: number
  }
  if (!Array.isArray(page.value))
    throw new SourceError(
      'not_rows',
      `${url} returned no "value" list${page.error?.message ? `: ${page.error.message}` : ''}.`,
    )
  return { rows: page.value as Record<string, unknown>[], next: page['@odata.nextLink'], count: page['@odata.count'] }
}

const place: Readonly<Record<string, FieldRule>> = {
  city: 'City',
  zip: 'PostalCode',
  county: 'CountyOrParish',
  apn: 'ParcelNumber',
  address: [
    'UnparsedAddress',
    { join: ['StreetNumber', 'StreetDirPrefix', 'StreetName', 'StreetSuffix', 'StreetDirSuffix', 'UnitNumber'] },
  ],
  lat: 'Latitude',
  lng: 'Longitude',
  modifiedAt: 'ModificationTimestamp',
}
const home = factColumn('reso', homeFactNames) as Readonly<Record<string, FieldRule>>

/** RESO Data Dictionary 2.0 names. */
export const resoFields: Partial<Record<Dataset, Readonly<Record<string, FieldRule>>>> = {
  listings: {
    ...place,
    ...home,
    listingId: 'ListingKey',
    status: ['StandardStatus', 'MlsStatus'],
    priceUsd: 'ListPrice',
    originalPriceUsd: 'OriginalListPrice',
    listedOn: ['OnMarketDate', 'ListingContractDate'],
    pendingOn: ['PurchaseContractDate', 'PendingTimestamp'],
    soldOn: 'CloseDate',
    soldPriceUsd: 'ClosePrice',
    remarks: 'PublicRemarks',
    photoUrls: 'Media.MediaURL',
    listingUrl: 'ListingURL',
  },
  sales: {
    ...place,
    ...home,
    saleId: 'ListingKey',
    soldOn: 'CloseDate',
    priceUsd: 'ClosePrice',
    listPriceUsd: 'ListPrice',
    listedOn: ['OnMarketDate', 'ListingContractDate'],
    daysOnMarket: 'DaysOnMarket',
    remarks: 'PublicRemarks',
  },
}
