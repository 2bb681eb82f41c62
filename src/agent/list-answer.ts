// The response of a list tool: rows with the requested fields, cleaned and limited to the budget, and how to get the remaining ones.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { CallOptions, Client } from '../client/client.ts'
import { firmApprovalsNote, withFirmApprovals } from '../criteria/firm-approvals.ts'
import { identifiers } from '../domain/searched-row.ts'
import type { FunnelStep, HistoryWindow, Pagination } from '../wire/pagination.ts'
import { type Answer, dataNote, fitsBudget, provenanceOf, toResult } from './answer.ts'
import { estimateTokens, largestFit, maxResultTokens } from './budget.ts'
import { cellText, cleanData, cleanText } from './clean.ts'
import { permitted } from './permitted.ts'
import { itemOf } from './schemas.ts'
import { at, type Column, table } from './table.ts'
import type { ListTool } from './tools.ts'
import { marketOfCity, whyEmpty } from './why-empty.ts'

export interface ToolContext {
  client: Client
  service: string
  options: CallOptions
}

/** The envelope of every list in the contract. */
interface Page {
  data: Record<string, unknown>[]
  pagination: Pagination & { nextCursor?: string | null; truncated?: boolean; totalCapped?: boolean }
  historyWindow: HistoryWindow | null
  asOf: string
  /** Of the event feed: its cursor, also after the last event. */
  nextCursor?: string | null
  hasMore?: boolean
  sources?: readonly unknown[]
  series?: { sources: readonly unknown[] }
  notApplicable?: string
  suggestions?: readonly string[]
  notAssessed?: string
  /** The market searched instead of the default one. */
  cityMarket?: string
  funnel?: readonly FunnelStep[]
}

export const listAnswer = async (
  context: ToolContext,
  tool: ListTool,
  args: Record<string, unknown>,
): Promise<CallToolResult> => {
  const { fields, ...asked } = args as { fields?: string[]; address?: string }
  const unknown = unknownFields(tool, fields)
  if (unknown) return toResult(unknown, { outcome: 'bad_request', notes: [unknown] }, true)

  // An address means that property, whether or not it is for sale.
  const { status, ...defaults } = tool.defaults
  const input: Record<string, unknown> = {
    ...defaults,
    ...(status !== undefined && asked.address === undefined ? { status } : {}),
    ...asked,
  }
  if (tool.call === 'listMarketSignals') Object.assign(input, withFirmApprovals(input as { sort?: string[] }))
  let page = await readWhereCityIs(context, input, (asking) => read(context, tool, asking))
  if (page.cityMarket) input.market = page.cityMarket
  const received = { rows: page.data.length, limit: page.pagination.limit }
  if (page.data.length === 0) return emptyAnswer(context, tool, { asked, input }, page)

  const rows = page.data.map((row) => cleanData(narrowed(permitted(row), tool, fields)))
  const shown = largestFit(atMost(rows), (count) =>
    fitsBudget(render(context, { tool, input, page, received, fields, rows: rows.slice(0, count) })),
  )
  // The cursor of a truncated page would skip the rows that were cut, so the page is read again with a smaller limit.
  if (shown > 0 && shown < rows.length && cursorIn(page) !== undefined)
    page = await read(context, tool, { ...input, limit: shown })
  return render(context, { tool, input, page, received, fields, rows: rows.slice(0, shown) })
}

/** Reads a list. A city that only another market than the default one has is searched there, unless the call names a market. */
export const readWhereCityIs = async <
  Given extends { market?: unknown; city?: unknown },
  Found extends Pick<Page, 'suggestions'>,
>(
  context: ToolContext,
  input: Given,
  readPage: (input: Given) => Promise<Found>,
): Promise<Found & Pick<Page, 'cityMarket'>> => {
  const page = await readPage(input)
  if (!page.suggestions?.some((hint) => hint.startsWith('city:'))) return page
  const market = await marketOfCity(context, input)
  if (market === undefined) return page
  const result = await readPage({ ...input, market })
  const suggestions = [`Searched the market ${market}, which has this city.`, ...(result.suggestions ?? [])]
  return { ...result, suggestions, cityMarket: market }
}

/** Upper bound of the rows that can fit, found without rendering them. */
const atMost = (rows: readonly unknown[]): number => {
  let tokens = 0
  const first = rows.findIndex((row) => {
    tokens += estimateTokens(JSON.stringify(row))
    return tokens > maxResultTokens
  })
  return first === -1 ? rows.length : first
}

const cursorIn = ({ pagination, nextCursor }: Page): string | null | undefined => nextCursor ?? pagination.nextCursor

const read = ({ client, options }: ToolContext, tool: ListTool, input: object): Promise<Page> =>
  (client[tool.call] as (input: object, options: CallOptions) => Promise<unknown>)(input, options) as Promise<Page>

const unknownFields = (tool: ListTool, fields: string[] | undefined): string | undefined => {
  if (!fields?.length) return undefined
  const known = Object.keys(itemOf(tool.operation).properties)
  if (fields.every((field) => known.includes(field.split('.')[0]!))) return undefined
  return `fields names something these rows do not have. They have: ${known.join(', ')}.`
}

interface Rendering {
  tool: ListTool
  input: Record<string, unknown>
  page: Page
  /** Rows and page size of the first reading, before the page was cut to fit. */
  received: { rows: number; limit: number }
  fields: string[] | undefined
  /** The leading rows of the page that are shown, narrowed and cleaned. */
  rows: readonly unknown[]
}

const render = ({ service, client }: ToolContext, rendering: Rendering): CallToolResult => {
  const { tool, page, fields, rows } = rendering
  const { pagination, historyWindow } = page
  const columns: readonly Column[] = fields?.length ? columnsFor(tool, fields) : tool.columns
  const notes = notesOn(rendering, client.rateLimit)
  const answer: Answer = {
    outcome: 'ok',
    items: [...rows],
    page: {
      returned: rows.length,
      total: pagination.total,
      offset: pagination.offset,
      next: nextCall(tool, page, rows.length),
    },
    ...(historyWindow ? { historyWindow: cleanData(historyWindow) } : {}),
    asOf: cleanText(page.asOf, 40),
    provenance: provenanceOf(service, [...page.data, page, page.series]),
    notes,
  }
  const total = isCapped(page) ? `at least ${pagination.total}` : `${pagination.total}`
  const from = pagination.offset > 0 ? ` from offset ${pagination.offset}` : ''
  const head = `${tool.operation.title}: ${rows.length} of ${total} ${tool.rows}${from}.`
  const text = [head, table(rows, columns), ...notes, dataNote(answer)].filter((part) => part !== '').join('\n\n')
  return toResult(text, answer)
}

const narrowed = (row: Record<string, unknown>, { leftOut }: ListTool, fields: string[] | undefined) => {
  if (!fields?.length) return Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut.includes(name)))
  const kept: Record<string, unknown> = {}
  for (const field of [...identifiers, ...fields]) {
    const value = at(row, field)
    if (value !== undefined) kept[field] = value
  }
  return kept
}

const columnsFor = ({ columns }: ListTool, fields: string[]): Column[] => {
  const known = new Map(columns.map((column) => [column.path, column]))
  // A dotted field is one name in the narrowed row, and a table reads dots as a path: shown in structured content only.
  const named = fields.filter((field) => !field.includes('.'))
  // The table leaves out the identifiers that its rows do not have.
  const paths = [...identifiers.filter((name) => !named.includes(name)), ...named]
  return paths.map((path) => known.get(path) ?? { path })
}

/** A cursor is only valid in the market that it was read from. */
const nextCall = (tool: ListTool, page: Page, shown: number) => {
  const next = nextPage(tool, page, shown)
  return next && page.cityMarket ? { market: page.cityMarket, ...next } : next
}

const nextPage = (
  { listed }: Pick<ListTool, 'listed'>,
  { data, pagination, nextCursor: after, hasMore }: Page,
  shown: number,
) => {
  const { offset, nextOffset, nextCursor } = pagination
  // The event feed has a cursor after its last event too.
  if (hasMore !== undefined) return hasMore && after ? { after: cleanText(after, 400) } : null
  if (shown < data.length) return { offset: offset + shown }
  // A client may send only what the tool lists.
  const takesCursor = listed === undefined || listed.includes('cursor')
  if (nextCursor && (takesCursor || nextOffset === null)) return { cursor: cleanText(nextCursor, 400) }
  return nextOffset === null ? null : { offset: nextOffset }
}

/** Hints of the service about likely mistakes in the call: a city that is not in the markets searched. */
export const hintsIn = ({ suggestions = [] }: Pick<Page, 'suggestions'>): string[] =>
  suggestions.filter((hint) => !hint.startsWith('limit:')).map((hint) => cellText(hint, 200))

/** True if counting stopped at the cap. */
const isCapped = ({ pagination, hasMore }: Page): boolean =>
  pagination.truncated === true || pagination.totalCapped === true || hasMore === true

const notesOn = ({ tool, input, page, received, fields, rows }: Rendering, rateLimit: Client['rateLimit']) => {
  const { data, pagination, historyWindow } = page
  const next = nextCall(tool, page, rows.length)
  const left = pagination.total - pagination.offset - rows.length
  const howNext = next && Object.entries(next).map(([name, value]) => `${name}=${cellText(String(value), 400)}`)
  const more = [
    left > 0 && `${isCapped(page) ? 'At least ' : ''}${left} more`,
    howNext && `the same call with ${howNext.join(' ')} returns the next page`,
  ]
  const cut = rows.length < received.rows
  const capped = !cut && next !== null && typeof input.limit === 'number' && input.limit > received.limit
  const hidden = fields?.length ? [] : tool.leftOut.filter((name) => data.some((row) => row[name] !== undefined))
  return [
    ...hintsIn(page),
    tool.note?.(data),
    input.sureNewHouse === true && `${firmApprovalsNote} sureNewHouse=false shows them`,
    more.filter(Boolean).join('; '),
    cut && `The page was cut to ${rows.length} of ${received.rows} rows to fit; name fields to make rows shorter`,
    capped && `Your plan returns at most ${received.limit} rows per call`,
    historyWindow && `This key reads only records dated ${cellText(historyWindow.oldestDate, 10)} or later`,
    usesDefaults(data) && defaultsHint,
    hidden.length > 0 && `Left out of rows: ${hidden.join(', ')}; name them in fields to get them`,
    rateLimit && rateLimit.remaining <= 2 && `${rateLimit.remaining} calls left of ${rateLimit.limit} this minute`,
  ]
    .filter((note): note is string => typeof note === 'string' && note !== '')
    .map((note) => (/[.?]$/.test(note) ? note : `${note}.`))
}

export const defaultsHint =
  'Some figures use default assumptions that are not set for this market; get_property_intelligence lists them'

/** Whether the return or the build size of a row depends on a default assumption. */
export const usesDefaults = (rows: readonly object[]): boolean =>
  rows.some((row) =>
    [at(row, 'proforma.defaults'), at(row, 'defaults')].some((names) => Array.isArray(names) && names.length > 0),
  )

const emptyAnswer = async (
  context: ToolContext,
  tool: ListTool,
  { asked, input }: Record<'asked' | 'input', Record<string, unknown>>,
  page: Page,
): Promise<CallToolResult> => {
  const hints = hintsIn(page)
  const funnel = page.pagination.total === 0 ? await funnelOf(context, tool, input) : undefined
  const notApplicable = page.notApplicable ?? page.notAssessed
  const { outcome, text: reason } = await whyEmpty(context, tool, asked, { notApplicable, hints, funnel })
  const text = [...new Set([reason, ...hints])].join(' ')
  const windowNote = page.historyWindow
    ? ` This key reads dated records since ${cellText(page.historyWindow.oldestDate, 10)} only; older ones may exist.`
    : ''
  const answer: Answer = {
    outcome,
    items: [],
    page: { returned: 0, total: page.pagination.total, offset: page.pagination.offset, next: null },
    asOf: cleanText(page.asOf, 40),
    provenance: { service: context.service, sources: [], untrusted: true },
    notes: [text + windowNote],
  }
  return toResult(`${tool.operation.title}: ${text}${windowNote}\n\n${dataNote(answer)}`, answer)
}

/** How each condition narrowed the rows. Undefined if the list cannot tell; the list itself succeeded, so this must not throw. */
const funnelOf = async (context: ToolContext, tool: ListTool, input: Record<string, unknown>) => {
  if (!('explain' in tool.operation.input.properties)) return undefined
  const page = await read(context, tool, { ...input, limit: 1, explain: ['funnel'] }).catch(() => undefined)
  return page?.funnel
}
