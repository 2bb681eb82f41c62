// Walks everything a service serves and checks each record against the rules.

import { valueAt } from '../common/typed.ts'
import type { SearchKind } from '../criteria/table.ts'
import type { ProformaAnswer } from '../domain/findings/proforma.ts'
import { markets as knownMarkets } from '../domain/packs/markets.ts'
import type { PropertyDetail } from '../wire/property.ts'
import type { DeepPartial, MarketRecord, PropertyRecord } from './records.ts'
import { rules, type Violation, violationsOf } from './rules.ts'
import { type Comparison, compareSearch } from './search-rules.ts'
import type { ServiceReader } from './service-reader.ts'

interface AuditOptions {
  /** At most this many properties, evenly spaced over all; all if absent. */
  readonly properties?: number
  /** At most this many property pages; pages are limited to 60 a minute. */
  readonly pages?: number
  /** Compare every bound and order of every list with its rows: some hundred requests a market. */
  readonly searches?: boolean
  /** At most this many rows of each such answer. */
  readonly rows?: number
  readonly onProgress?: (done: number, of: number) => void
}

export type AuditReport = Awaited<ReturnType<typeof auditService>>

const concurrency = 6
const pageSize = 500
const lotSplitPath = '/sb9-inventory?status=any&listingStatus=onMarket&'
const parts = 'explanation,proforma,comps,history'

interface Market extends Omit<MarketRecord, 'pages' | 'comparisons'> {
  /** Every property, also those on no list. */
  readonly parcels: readonly { id?: string }[]
}

export const auditService = async (service: ServiceReader, options: AuditOptions = {}) => {
  const violations: Violation[] = []
  const coverage = await everyRow<MarketRecord['coverage'][number]>(service, '/coverage?')
  const accuracy = await everyRow<MarketRecord['accuracy'][number]>(service, '/accuracy?')
  const asOf = (await service.json('/coverage?limit=1'))?.asOf ?? ''
  const today = asOf.slice(0, 10)
  const names = [
    ...new Set([...knownMarkets().map(({ id }) => id as string), ...coverage.map(({ market }) => market ?? '')]),
  ]
  const isSample = (market: string): boolean => {
    const sources = coverage.filter((row) => row.market === market).flatMap((row) => row.sources ?? [])
    return sources.length > 0 && sources.every(({ sample }) => sample === true)
  }

  const walked: Market[] = []
  for (const market of names.filter(Boolean)) {
    const list = <T extends { id?: string }>(path: string) => everyRow<T>(service, `${path}market=${market}&`)
    walked.push({
      market,
      sampleOnly: isSample(market),
      coverage: coverage.filter((row) => row.market === market),
      accuracy: accuracy.filter((row) => row.market === market),
      signals: await list<Market['signals'][number]>('/market-signals?'),
      lotSplit: await list<Market['lotSplit'][number]>(lotSplitPath),
      adu: await list<Market['adu'][number]>('/adu-leads?minScore=0&'),
      redevelopment: await list<Market['redevelopment'][number]>('/redevelopment-leads?minScore=0&'),
      parcels: await everyParcel(service, market),
    })
  }

  const propertiesOf = ({ signals: signal, lotSplit, adu, redevelopment, parcels, sampleOnly }: Market) => {
    const records = new Map<string, Omit<PropertyRecord, 'detail'>>()
    for (const [kind, rows] of Object.entries({ signal, lotSplit, adu, redevelopment, parcel: parcels }))
      for (const row of rows) {
        if (row.id === undefined) continue
        const record = valueAt(records, row.id, () => ({ id: row.id!, today, sampleOnly }))
        if (kind !== 'parcel') Object.assign(record, { [kind]: row })
      }
    return records
  }

  const all = walked.flatMap((market) => [...propertiesOf(market).values()].map((record) => ({ market, record })))
  const chosen = spread(all, options.properties)
  const listed = chosen.filter(({ record }) => record.signal)
  const withPage = new Set(spread(listed, options.pages).map(({ record }) => record.id))
  let done = 0
  let pages = 0
  let compared = 0
  await inParallel(chosen, async ({ record }) => {
    const whole = await readProperty(service, record, withPage.has(record.id))
    if (whole) {
      if (whole.page !== undefined) pages++
      violations.push(...violationsOf('property', record.id, whole))
    } else violations.push({ rule: 'list-and-detail', id: record.id, problem: 'a listed property has no detail' })
    options.onProgress?.(++done, chosen.length)
  })

  for (const market of walked) {
    const listPages = []
    for (const path of [`/explore?market=${market.market}`, '/']) {
      const page = await service.page(path)
      if (page) listPages.push({ path, ids: page.ids })
    }
    const agentLists = []
    for (const tool of ['list_market_signals', 'find_properties', 'list_sb9_inventory']) {
      const answer = await service.tool(tool, { market: market.market, limit: 10 })
      if (answer) agentLists.push({ tool, ...answer })
    }
    const comparisons = options.searches ? await compareLists(service, market, options.rows ?? pageSize) : []
    compared += comparisons.length
    violations.push(...violationsOf('market', market.market, { ...market, pages: listPages, comparisons, agentLists }))
  }

  return {
    asOf,
    checked: { markets: walked.length, properties: chosen.length, pages, searches: compared },
    rules: rules.map(({ name, holds }) => {
      const broken = violations.filter(({ rule }) => rule === name)
      return { name, holds, violations: broken.length, example: broken[0] }
    }),
    violations,
  }
}

/** Every bound and order of the lists of one market. */
const compareLists = async (service: ServiceReader, { market, ...lists }: Market, limit: number) => {
  const results: Comparison[] = []
  const searched: [kind: SearchKind, path: string, rows?: readonly object[]][] = [
    ['listings', '/market-signals?', lists.signals],
    ['listings', lotSplitPath, lists.lotSplit],
    ['parcels', '/adu-leads?minScore=0&', lists.adu],
    ['parcels', '/redevelopment-leads?minScore=0&', lists.redevelopment],
    ['permits', '/permits?'],
    ['sales', '/sales?'],
  ]
  for (const [kind, list, known] of searched) {
    const path = `${list}market=${market}&`
    results.push(
      ...(await compareSearch(service, { kind, path, rows: known ?? (await everyRow(service, path)) }, limit)),
    )
  }
  return results
}

const readProperty = async (service: ServiceReader, record: Omit<PropertyRecord, 'detail'>, withPage: boolean) => {
  const path = `/properties/${encodeURIComponent(record.id)}`
  const detail = (await service.json(`${path}?include=${parts}`))?.data as DeepPartial<PropertyDetail> | undefined
  if (!detail) return undefined
  const modeled = detail.proforma?.unmodellableReason === null
  const whatIf = modeled ? ((await service.json(`${path}/proforma`))?.data as DeepPartial<ProformaAnswer>) : undefined
  const offer = whatIf?.maximumOffer?.price
  const atMaximumOffer =
    offer === undefined || offer < 1
      ? undefined
      : ((await service.json(`${path}/proforma?price=${offer}`))?.data as DeepPartial<ProformaAnswer>)
  const page = withPage ? (await service.page(path))?.text : undefined
  const agent = withPage
    ? {
        property: await service.tool('get_property_intelligence', { id: record.id }),
        proforma: modeled ? await service.tool('run_proforma', { id: record.id }) : undefined,
      }
    : undefined
  return { ...record, detail, whatIf, atMaximumOffer, page, agent }
}

/** Follows the pages of a list to its end. The path ends where a parameter can follow. */
const everyRow = async <T>(service: ServiceReader, path: string): Promise<T[]> => {
  const rows: T[] = []
  const start = `${path}limit=${pageSize}`
  let next: string | undefined = start
  while (next !== undefined) {
    const body = await service.json(next)
    const page = Array.isArray(body?.data) ? (body.data as T[]) : []
    rows.push(...page)
    const { nextCursor, nextOffset } = body?.pagination ?? {}
    next =
      page.length === 0
        ? undefined
        : nextCursor
          ? `${start}&cursor=${encodeURIComponent(nextCursor)}`
          : nextOffset != null && nextCursor !== null
            ? `${start}&offset=${nextOffset}`
            : undefined
  }
  return rows
}

/** A service without this search has no properties beyond its lists. */
const everyParcel = async (service: ServiceReader, market: string): Promise<{ id?: string }[]> => {
  const rows: { id?: string }[] = []
  let cursor: string | null | undefined
  do {
    const query = { kind: 'parcels', criteria: { market }, fields: ['id'], limit: pageSize, ...(cursor && { cursor }) }
    const body = await service.json('/search', query)
    if (Array.isArray(body?.data)) rows.push(...(body.data as { id?: string }[]))
    cursor = body?.pagination?.nextCursor
  } while (cursor)
  return rows
}

const spread = <T>(items: readonly T[], most = Number.POSITIVE_INFINITY): readonly T[] =>
  items.length <= most ? items : Array.from({ length: most }, (_, k) => items[Math.floor((k * items.length) / most)]!)

const inParallel = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  let at = 0
  const worker = async () => {
    while (at < items.length) await work(items[at++]!)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
