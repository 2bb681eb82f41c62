// The answers about one property: its intelligence with the working behind it, and a what-if pro forma.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { LotlineError } from '../client/error.ts'
import { type Answer, currency, fits, sourcesIn, toResult } from './answer.ts'
import { cellText, cleanData, cleanText } from './clean.ts'
import type { Asking } from './list-answer.ts'
import { at, type Column, factLines, table } from './table.ts'
import { defaultParts } from './tools.ts'

const facts: readonly Column[] = [
  { path: 'price', as: 'usd' },
  { path: 'status' },
  { path: 'soldDate', head: 'sold' },
  { path: 'goneAt', head: 'left its feed, probably merged or renumbered' },
  { path: 'soldPrice', as: 'usd', head: 'sold for' },
  { path: 'intelligence.teardownScore', head: 'teardown score' },
  { path: 'intelligence.flippabilityScore', head: 'flip score' },
  { path: 'intelligence.historicCharm', head: 'historic charm' },
  { path: 'intelligence.conditionScore', head: 'condition' },
  { path: 'intelligence.marketHeatIndex', head: 'market heat' },
  { path: 'intelligence.biddingWarPredictor', head: 'bidding-war odds', as: 'pct' },
  { path: 'intelligence.developerROI', head: 'developer ROI', as: 'pct' },
  { path: 'intelligence.proformaROI', head: 'pro forma ROI', as: 'pct' },
  { path: 'intelligence.valueEstimate.value', head: 'value estimate', as: 'usd' },
  { path: 'intelligence.valueEstimate.low', head: 'estimate low', as: 'usd' },
  { path: 'intelligence.valueEstimate.high', head: 'estimate high', as: 'usd' },
  { path: 'comparables.recentSalesCount', head: 'comparable sales, 12 months' },
  { path: 'comparables.avgPricePerSqft', head: 'their mean price per sq ft', as: 'usd' },
]

const proformaFacts: readonly Column[] = [
  { path: 'unmodellableReason', head: 'cannot be modelled' },
  { path: 'capital', as: 'usd' },
  { path: 'resaleNet', as: 'usd', head: 'net resale' },
  { path: 'roiPct', as: 'pct', head: 'ROI before contingency and carry' },
  { path: 'buildSqft', as: 'sqft', head: 'build size' },
  { path: 'arvPerSqft', as: 'usd', head: 'resale per sq ft' },
  { path: 'compCount', head: 'comparables used' },
  { path: 'confidence' },
]

const permitColumns: readonly Column[] = [
  { path: 'permitId', head: 'permit' },
  { path: 'permitClass', head: 'class' },
  { path: 'status' },
  { path: 'description' },
  { path: 'valuation', as: 'usd' },
  { path: 'issuedDate', head: 'issued' },
  { path: 'goneAt', head: 'left the feed' },
]

export const propertyAnswer = async (asking: Asking, args: Record<string, unknown>): Promise<CallToolResult> => {
  const { id, include = defaultParts } = args as { id: string; include?: typeof defaultParts }
  return answerAbout(asking, id, {
    title: 'Property intelligence',
    read: () => asking.client.getPropertyIntelligence({ id, include: [...include] }, asking.options),
    sections: (item) => [
      factLines(item, facts),
      section('Why', reasons(at(item, 'explanation'))),
      section('Pro forma', factLines(at(item, 'proforma'), proformaFacts)),
      section('Comparable sales', recordTable(at(item, 'comps'), 8)),
      section('Score changes', recordTable(at(item, 'history'), 8)),
      section('Permits', recordTable(at(item, 'permits'), 8, permitColumns)),
    ],
    caution: 'Not an appraisal, not legal advice.',
  })
}

export const proformaAnswer = async (asking: Asking, args: Record<string, unknown>): Promise<CallToolResult> => {
  const input = args as { id: string }
  return answerAbout(asking, input.id, {
    title: 'Pro forma',
    read: () => asking.client.runProforma(input, asking.options),
    sections: (item) => [
      factLines(at(item, 'proforma'), proformaFacts),
      factLines(item, [
        { path: 'developerROI', as: 'pct', head: 'developer ROI, after contingency and carry' },
        { path: 'residualLandValue', as: 'usd', head: 'residual land value' },
        { path: 'maxOffer', as: 'usd', head: 'maximum offer for the target' },
      ]),
      ...extraParts(item),
      section('Assumptions', anything(at(item, 'proforma.assumptions'))),
    ],
    caution: 'Not an appraisal.',
  })
}

const namedParts = ['id', 'address', 'city', 'proforma', 'developerROI', 'proformaROI', 'residualLandValue', 'maxOffer']

/** Line items, cases, stress: whatever else the service sends along. */
const extraParts = (item: unknown): string[] => {
  const rest = Object.entries(item as Record<string, unknown>).filter(([name]) => !namedParts.includes(name))
  const plain = rest.filter(([, value]) => typeof value !== 'object' || value === null)
  const parts = rest.filter(([, value]) => typeof value === 'object' && value !== null)
  return [
    anything(Object.fromEntries(plain)),
    ...parts.map(([name, value]) => section(`Part ${cellText(name, 40)}`, anything(value))),
  ]
}

interface Telling {
  title: string
  read: () => Promise<{ data: unknown; asOf: string }>
  sections: (item: unknown) => string[]
  caution: string
}

const answerAbout = async (asking: Asking, id: string, telling: Telling): Promise<CallToolResult> => {
  // The client refuses these two by itself: as path segments they would name another path.
  if (id === '.' || id === '..') return noSuchProperty(asking, id)
  let answered: { data: unknown; asOf: string }
  try {
    answered = await telling.read()
  } catch (error) {
    if (error instanceof LotlineError && error.status === 404) return noSuchProperty(asking, id)
    throw error
  }
  const source = sourcesIn([answered.data])
  // The longest lists shrink first, until the whole fits.
  const whole = cleanData(answered.data)
  for (const keep of [25, 12, 6, 3, 1, 0]) {
    const result = tell(asking, telling, shortened(whole, keep), answered.asOf, source)
    if (fits(result)) return result
  }
  return tell(asking, telling, headOnly(answered.data), answered.asOf, source)
}

const tell = (
  { service }: Asking,
  { title, sections, caution }: Telling,
  item: unknown,
  asOf: string,
  sources: ReturnType<typeof sourcesIn>,
): CallToolResult => {
  const answer: Answer = {
    outcome: 'ok',
    item,
    asOf: cleanText(asOf, 40),
    provenance: { service, sources, untrusted: true },
    notes: [caution],
  }
  const place = [at(item, 'address'), at(item, 'city')].filter((part) => typeof part === 'string').join(', ')
  const head = `${title}: ${cellText(place, 160)} (id ${cellText(String(at(item, 'id') ?? ''), 64)})`
  const text = [head, ...sections(item), caution, currency(answer)].filter((part) => part !== '').join('\n\n')
  return toResult(text, answer)
}

const noSuchProperty = ({ service }: Asking, id: string): CallToolResult => {
  const text = `No property has the id "${cellText(id, 64)}". Ids come from the lists; list_market_signals finds one by address.`
  return toResult(text, {
    outcome: 'not_found',
    notes: [text],
    provenance: { service, sources: [], untrusted: true },
  })
}

const section = (title: string, body: string): string => (body === '' ? '' : `${title}\n${body}`)

/** Each score's parts, the heaviest first. */
const reasons = (explanation: unknown): string => {
  if (typeof explanation !== 'object' || explanation === null) return ''
  return Object.entries(explanation)
    .map(([name, finding]) => [name, at(finding, 'parts')] as const)
    .filter((entry): entry is readonly [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 0)
    .map(([name, parts]) => {
      const weight = (part: unknown) => Math.abs(Number(at(part, 'points')) || 0)
      const heaviest = [...parts].sort((a, b) => weight(b) - weight(a)).slice(0, 4)
      const told = heaviest.map((part) => {
        const points = Math.round((Number(at(part, 'points')) || 0) * 10) / 10
        return `${points > 0 ? '+' : ''}${points} ${cellText(String(at(part, 'because') ?? at(part, 'name') ?? ''), 120)}`
      })
      return `- ${cellText(name, 40)}: ${told.join('; ')}`
    })
    .join('\n')
}

/** Without columns, the first simple ones there are. */
const recordTable = (rows: unknown, most: number, columns?: readonly Column[]): string => {
  if (!Array.isArray(rows) || rows.length === 0) return ''
  const shown = rows.slice(0, most)
  const body = table(shown, columns ?? simpleColumns(shown))
  return rows.length > most ? `${body}\n(${rows.length - most} more in structured content)` : body
}

const simpleColumns = (shown: readonly unknown[]): Column[] => {
  const names = [...new Set(shown.flatMap((row) => Object.keys((row ?? {}) as object)))]
  const simple = names.filter((name) => shown.some((row) => typeof at(row, name) !== 'object'))
  return simple.slice(0, 9).map((path) => ({ path }))
}

// Parts whose names the service chose: each line begins with a mark of ours, so that none passes for a heading.
const anything = (value: unknown): string => {
  if (Array.isArray(value)) return recordTable(value, 12)
  if (typeof value !== 'object' || value === null) return ''
  const columns = Object.keys(value)
    .slice(0, 30)
    .map((path) => ({ path }))
  return factLines(value, columns, '- ')
}

const shortened = (value: unknown, keep: number): unknown => {
  if (Array.isArray(value)) return value.slice(0, keep).map((item) => shortened(item, keep))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item, keep)]))
}

const headOnly = (value: unknown): unknown => {
  const names = ['id', 'address', 'city', 'price', 'status', 'developerROI', 'proformaROI']
  return Object.fromEntries(names.map((name) => [name, cleanData(at(value, name), 100)]))
}
