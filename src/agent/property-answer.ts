// The answers about one property: its scores with their explanation, and a what-if pro forma.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { LotlineError } from '../client/error.ts'
import { pick } from '../common/typed.ts'
import { isOwnName } from '../criteria/own-assumptions.ts'
import { type DefaultAssumption, defaultsSentence } from '../domain/assumptions/assumption.ts'
import type { ProformaAnswer } from '../domain/findings/proforma.ts'
import type { SchemeKind } from '../domain/findings/scheme-kinds.ts'
import type { Scheme, SchemesAnswer } from '../domain/findings/schemes.ts'
import { compsText } from '../wire/comps-text.ts'
import type { InputOf } from '../wire/operation.ts'
import type { getPropertyIntelligence, getPropertySchemes } from '../wire/operations/properties.ts'
import type { PropertyDetail } from '../wire/property.ts'
import { type Answer, dataNote, fitsBudget, provenanceOf, toResult } from './answer.ts'
import { cellText, cleanData, cleanText } from './clean.ts'
import { column, columns } from './columns.ts'
import type { ToolContext } from './list-answer.ts'
import { lookUpAnswer } from './look-up-answer.ts'
import { permitted } from './permitted.ts'
import { at, type Column, factLines, table } from './table.ts'
import { defaultParts } from './tools.ts'

const facts: readonly Column[] = [
  ...columns('decision.text', 'decision.worthUpTo', 'decision.worthUpToLow', 'decision.room.usd', 'decision.approval'),
  column('decision.confidence', 'confidence in the decision'),
  column('decision.asOf', 'decision as of'),
  ...columns('price', 'status', 'soldDate', 'notAssessed'),
  column('goneAt', 'removed from its feed, probably merged or renumbered'),
  ...columns('soldPrice', 'listingUrl', 'facts.lotSqft', 'facts.livingSqft', 'facts.yearBuilt', 'facts.zoning'),
  ...columns('intelligence.teardownScore', 'intelligence.ranks.teardownScore.percentile'),
  ...columns('intelligence.flippabilityScore', 'intelligence.ranks.flippabilityScore.percentile'),
  ...columns('intelligence.historicCharm', 'intelligence.conditionScore', 'intelligence.marketHeatIndex'),
  ...columns('intelligence.biddingWarPredictor', 'intelligence.returnPct', 'intelligence.expectedPrice.p50'),
  { path: 'intelligence.expectedPrice.p10', as: 'usd', head: 'expected sale price, low' },
  { path: 'intelligence.expectedPrice.p90', as: 'usd', head: 'expected sale price, high' },
  column('intelligence.expectedPrice.confidence', 'confidence in the expected price'),
  ...columns('intelligence.priceTension.text'),
  ...columns('intelligence.returnAtExpectedPct', 'intelligence.developerROI', 'intelligence.proformaROI'),
  ...columns('intelligence.valueEstimate.value', 'intelligence.valueEstimate.low', 'intelligence.valueEstimate.high'),
  ...columns(
    'intelligence.valueEstimate.asOf',
    'intelligence.valueEstimate.confidence',
    'intelligence.valueEstimate.note',
  ),
]

const holdFacts: readonly Column[] = [
  ...columns('monthlyRent.amount', 'monthlyRent.basis', 'rentUnavailable.text', 'hold.noi', 'hold.capRatePct'),
  ...columns('hold.grossYieldPct', 'hold.dscr', 'hold.cashOnCashPct'),
]

const aduFacts: readonly Column[] = [
  ...columns('verdict', 'economics.costUsd', 'economics.monthlyRent.amount', 'economics.valueAdded'),
  ...columns('economics.paybackYears', 'economics.returnPct'),
]

const proformaFacts: readonly Column[] = [
  ...columns('unmodellableReason', 'capital', 'resaleNet', 'roiPct', 'buildSqft', 'assumptions.buildSizeBasis'),
  ...columns('assumptions.monthsBasis', 'arvPerSqft', 'compCount'),
  column('confidence', 'confidence in the inputs'),
]

const answerFacts: readonly Column[] = [
  column('returnPct', 'return after contingency and financing'),
  column('developerROI', 'the same, adjusted toward the market average'),
  ...columns('returnAtExpectedPct', 'returnOnEquityPct', 'totalCost', 'profit', 'residualLandValue'),
  ...columns('maximumOffer.targetRoiPct', 'maximumOffer.price', 'because', 'warnings'),
]

const caseColumns: readonly Column[] = [
  ...columns('arvPerSqft', 'costPerSqft', 'months'),
  column('returnPct', 'return after financing'),
  column('roiPct', 'return before financing'),
]

const stressColumns: readonly Column[] = [...columns('resalePct', 'costPct', 'extraMonths'), ...caseColumns.slice(3)]

const isOneChange = ({ resalePct, costPct, extraMonths }: NonNullable<ProformaAnswer['stress']>[number]): boolean =>
  [resalePct, costPct, extraMonths].filter((each) => each !== 0).length <= 1

const lineColumns: readonly Column[] = [column('name', 'line'), column('usd'), { path: 'because', max: 400 }]

const compColumns: readonly Column[] = [
  ...columns('address', 'soldOn', 'priceUsd', 'livingSqft', 'distanceKm', 'timeAdjustedUsd', 'adjustedUsd', 'weight'),
]

const splitFacts: readonly Column[] = [
  column('sb9Status', 'status'),
  column('maxUnits', 'units possible'),
  column('lotSplit.status', 'lot split'),
  ...columns('blockReasons', 'untestedRules'),
]

const useColumns: readonly Column[] = [
  { path: 'law' },
  { path: 'scheme', head: 'use' },
  { path: 'variant' },
  { path: 'allowed' },
  { path: 'homes', head: 'homes at most' },
  { path: 'lots' },
  { path: 'approval' },
  { path: 'decidedBy', head: 'decided by' },
  { path: 'because' },
]

/** The uses that a law does not bar, with what decides them; the conditions and open rules are in the explanation. */
const lawfulUses = (explanation: PropertyDetail['explanation']): object[] =>
  [explanation?.sb9, explanation?.adu, ...(explanation?.laws ?? [])].flatMap((finding) =>
    (finding?.uses ?? [])
      .filter(({ allowed }) => allowed !== 'no')
      .map((use) => ({
        law: finding?.law?.title,
        ...only(use, ['scheme', 'variant', 'allowed', 'homes', 'lots', 'approval', 'decidedBy', 'because']),
      })),
  )

const historyColumns: readonly Column[] = [...columns('changedAt', 'teardownScore', 'flippabilityScore', 'reason')]

const permitColumns: readonly Column[] = [
  ...columns('permitId', 'permitClass', 'status', 'description', 'valuation', 'issuedDate', 'goneAt'),
]

/** The sentence of an entry has its figures. */
const timelineColumns: readonly Column[] = [{ path: 'date' }, { path: 'text', max: 300 }]

export const propertyAnswer = async (context: ToolContext, args: Record<string, unknown>): Promise<CallToolResult> => {
  const { include = defaultParts, assumptionSet, assumptions } = args as InputOf<typeof getPropertyIntelligence>
  return answerAbout<PropertyDetail & { schemes?: readonly object[] }>(context, args, {
    title: 'Property intelligence',
    // Parts that were requested by name are complete.
    concise: args.include === undefined ? conciseProperty : undefined,
    read: async (input) => {
      const [found, uses] = await Promise.all([
        context.client.getPropertyIntelligence({ ...input, include: [...include] }, context.options),
        // A service of an earlier version has no schemes; the rest of the answer does not need them.
        context.client
          .getPropertySchemes({ id: input.id, assumptionSet, assumptions }, context.options)
          .catch(() => undefined),
      ])
      const rows = uses?.data?.schemes
      return Array.isArray(rows)
        ? { ...found, data: { ...found.data, schemes: rows.filter(hasOffer).map(conciseScheme) } }
        : found
    },
    sections: (item, whole) => [
      factLines(item, facts),
      section('Uses of the lot', recordTable(item.schemes, 13, schemeColumns)),
      section('Why', reasons(item.explanation)),
      section('SB 9', factLines(item.explanation?.sb9, splitFacts)),
      section('Uses by law', recordTable(lawfulUses(item.explanation), 12, useColumns)),
      section('Pro forma', factLines(item.proforma, proformaFacts)),
      section('If rented', factLines(item, holdFacts)),
      section('Accessory unit', factLines(item.adu, aduFacts)),
      defaultsNote(whole.defaultAssumptions),
      section(
        'Comparable sales',
        [cellText(compsText(whole), 700), recordTable(item.comps, 8, compColumns)]
          .filter((part) => part !== '')
          .join('\n'),
      ),
      section('Score changes', recordTable(item.history, 8, historyColumns)),
      section('Permits', recordTable(item.permits, 8, permitColumns)),
      section('Timeline', recordTable(item.timeline, 25, timelineColumns)),
    ],
    caution: 'Not an appraisal, not legal advice.',
  })
}

const schemeColumns: readonly Column[] = [
  { path: 'title', head: 'use' },
  ...columns('allowed', 'approval', 'homes'),
  column('maximumOffer'),
  column('maximumOfferLow'),
  ...columns('room.usd', 'returnPct', 'months', 'confidence'),
]

/** Room is never measured against a price that the caller gives. */
const roomAgainst = column('room.against', 'room against')

/** What an agent compares uses by; the rest is in GET /v1/properties/{id}/schemes. */
const conciseScheme = (scheme: Scheme): object =>
  only(scheme, ['kind', 'variant', ...schemeColumns.map(({ path }) => path.split('.')[0]!)])

const schemeFacts: readonly Column[] = [
  ...columns('title', 'allowed', 'approval', 'homes', 'months', 'totalCost', 'proceedsNet', 'profit', 'returnPct'),
  ...columns('irrPct', 'peakEquity'),
  column('breakEven.resalePct', 'breaks even at a resale change of'),
  column('breakEven.costPct', 'breaks even at a cost change of'),
  column('breakEven.extraMonths', 'most months late without a loss'),
  column('maximumOffer'),
  column('maximumOfferLow'),
  ...columns('room.usd', 'confidence', 'because'),
]

/** One use with its lines, or all of them in a table. */
const schemesAnswer = (context: ToolContext, { scheme, ...args }: Record<string, unknown>): Promise<CallToolResult> => {
  const kind = scheme === 'all' ? undefined : (scheme as SchemeKind)
  const { price, assumptionSet } = args as InputOf<typeof getPropertySchemes>
  // The pro forma of a new house takes these as arguments; some of them, such as arvPerSqft, exist only there.
  const numbers = Object.entries(without(args, ['id', 'address', 'price', 'assumptionSet', 'assumptions']))
  const unused = numbers.flatMap(([name]) => (isOwnName(name) ? [] : [name]))
  const given = {
    ...(args.assumptions as object | undefined),
    ...Object.fromEntries(numbers.filter(([name]) => isOwnName(name))),
  }
  const assumptions = Object.keys(given).length > 0 ? given : undefined
  return answerAbout<SchemesAnswer>(context, args, {
    title: kind ? 'Scheme' : 'Uses of the lot',
    concise: (item) => (kind ? item : { ...item, schemes: item.schemes.map(conciseScheme) }),
    read: ({ id }) =>
      context.client.getPropertySchemes({ id, price, assumptionSet, assumptions, scheme: kind }, context.options),
    sections: (item) => [
      ...(unused.length > 0 ? [`Not used, because they need run_proforma without scheme: ${unused.join(', ')}.`] : []),
      factLines(item, columns('priceUsd', 'against', 'best.kind', 'best.variant', 'bestIfApproved.kind')),
      ...(kind
        ? item.schemes.flatMap((each) => [
            factLines(each, [...schemeFacts, roomAgainst]),
            section('Lines', recordTable(each.lines, 12, lineColumns)),
          ])
        : [recordTable(item.schemes.filter(hasOffer), 13, [...schemeColumns, roomAgainst])]),
    ],
    caution: 'Not an appraisal, not legal advice.',
  })
}

const hasOffer = ({ maximumOffer }: Scheme): boolean => maximumOffer !== undefined

export const proformaAnswer = async (context: ToolContext, args: Record<string, unknown>): Promise<CallToolResult> =>
  args.scheme === undefined ? newHouseAnswer(context, args) : schemesAnswer(context, args)

const newHouseAnswer = (context: ToolContext, args: Record<string, unknown>): Promise<CallToolResult> =>
  answerAbout(context, args, {
    title: 'Pro forma',
    read: (input) => context.client.runProforma(input, context.options),
    sections: (item, whole) => [
      factLines(item.proforma, proformaFacts),
      // A given price replaces the expected one too.
      factLines(item.overrides?.price === undefined ? item : without(item, ['returnAtExpectedPct']), answerFacts),
      defaultsNote(whole.defaultAssumptions),
      section('Lines', recordTable(item.lines, 12, lineColumns)),
      section(
        'Low, base and high case',
        item.cases ? table([item.cases.low, item.cases.base, item.cases.high], caseColumns) : '',
      ),
      section('Stress, one change at a time', table((whole.stress ?? []).filter(isOneChange), stressColumns)),
      section('Assumptions', namedLines(item.proforma?.assumptions)),
      section('Your assumptions', namedLines(item.overrides)),
    ],
    caution: 'Not an appraisal.',
  })

const defaultsNote = (defaults: readonly DefaultAssumption[] | undefined): string =>
  defaults?.length ? cellText(defaultsSentence(defaults), 1500) : ''

/** Each number with its name, after a prefix of ours, so that no name can look like a heading. */
const namedLines = (values: object | undefined): string =>
  values === undefined
    ? ''
    : factLines(
        values,
        Object.entries(values).flatMap(([path, value]) => (typeof value === 'number' ? [{ path }] : [])),
        '- ',
      )

type Item = PropertyDetail | ProformaAnswer | SchemesAnswer

interface Telling<T extends Item> {
  title: string
  /** `input` has the id, also when an address was given. */
  read: (input: { id: string }) => Promise<{ data: T; asOf: string }>
  /** What structured content leaves out because the text has it. */
  concise?: (item: T) => object
  /** `item` is cut to fit the budget; `whole` is not, for sentences that count. */
  sections: (item: T, whole: T) => string[]
  caution: string
}

const answerAbout = async <T extends Item>(
  context: ToolContext,
  { address, ...args }: { id?: string; address?: string },
  telling: Telling<T>,
): Promise<CallToolResult> => {
  const found = args.id ?? (await idOrCandidates(context, address))
  if (typeof found !== 'string') return found
  const id = found
  // The client rejects these two: as path segments they would select another path.
  if (id === '.' || id === '..') return noSuchProperty(context, id)
  let answered: { data: T; asOf: string }
  try {
    answered = await telling.read({ ...args, id })
  } catch (error) {
    if (error instanceof LotlineError && error.status === 404) return noSuchProperty(context, id)
    throw error
  }
  // Uses of a lot each have their source.
  const { schemes = [] } = answered.data as { schemes?: readonly object[] }
  const provenance = provenanceOf(context.service, [answered.data, ...schemes])
  const whole = cleanData(permitted(answered.data))
  const { asOf } = answered
  // The longest lists shrink first, until the whole fits.
  for (const keep of [25, 12, 6, 3, 1, 0]) {
    const item = shortened(whole, keep)
    const kept: Head = telling.concise ? telling.concise(item) : item
    const result = tell(telling, { item: kept, text: telling.sections(item, whole), asOf, provenance })
    if (fitsBudget(result)) return result
  }
  const item = headOf(answered.data)
  return tell(telling, { item, text: [factLines(item, facts)], asOf, provenance })
}

/** The id of the property at this address, or the answer of look_up_address if more or less than one is certain. */
const idOrCandidates = async (context: ToolContext, address: string | undefined): Promise<string | CallToolResult> => {
  if (address === undefined) {
    const text = 'Give id or address, for example {"address": "12 Elm St"}.'
    return toResult(text, { outcome: 'bad_request', notes: [text] }, true)
  }
  const answer = await lookUpAnswer(context, { address })
  const { match, items } = answer.structuredContent as { match: string; items: [{ id: string }] }
  return match === 'exact' ? items[0].id : answer
}

const tell = (
  { title, caution }: Pick<Telling<Item>, 'title' | 'caution'>,
  { item, text, asOf, provenance }: { item: Head; text: string[] } & Required<Pick<Answer, 'asOf' | 'provenance'>>,
): CallToolResult => {
  const answer: Answer = { outcome: 'ok', item, asOf: cleanText(asOf, 40), provenance, notes: [caution] }
  const place = [item.address, item.city].filter((part) => typeof part === 'string').join(', ')
  const head = `${title}: ${cellText(place, 160)} (id ${cellText(String(item.id ?? ''), 64)})`
  const body = [head, ...text, caution, dataNote(answer)].filter((part) => part !== '').join('\n\n')
  return toResult(body, answer)
}

/** Without the explanation of each number, which `include` adds, and without duplicate fields. */
const conciseProperty = ({ explanation, comps, facts: home, adu, ...item }: PropertyDetail): object => ({
  ...item,
  ...(adu?.economics ? { adu: { verdict: adu.verdict, economics: without(adu.economics, ['terms']) } } : {}),
  defaultAssumptions: item.defaultAssumptions?.map((one) => only(one, ['name', 'value', 'unit'])),
  facts: without(home, ['id', 'address', 'city', 'market', 'remarks', 'visionAnalysis']),
  sb9: explanation?.sb9 && {
    ...pick(explanation.sb9, 'sb9Status', 'maxUnits'),
    lotSplit: explanation.sb9.lotSplit.status,
  },
  uses: explanation && lawfulUses(explanation),
  comps: comps?.slice(0, 5).map((comp) => only(comp, ['address', 'soldOn', 'priceUsd', 'distanceKm', 'adjustedUsd'])),
})

const without = (value: object | undefined, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !names.includes(name)))

const only = (value: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))

const noSuchProperty = ({ service }: ToolContext, id: string): CallToolResult => {
  const text = `No property has the id "${cellText(id, 64)}". Ids come from the lists; look_up_address finds one by address.`
  return toResult(text, {
    outcome: 'not_found',
    notes: [text],
    provenance: { service, sources: [], untrusted: true },
  })
}

const section = (title: string, body: string): string => (body === '' ? '' : `${title}\n${body}`)

/** Amounts in dollars with sections of their own, and the same heat a second time. */
const toldElsewhere: ReadonlySet<string> = new Set(['proforma', 'value', 'marketHeat'])

/** The parts of each score, the largest first. Includes findings that this version does not know. */
const reasons = (explanation: object | undefined): string =>
  Object.entries(explanation ?? {})
    .filter(([name]) => !toldElsewhere.has(name))
    .map(([name, finding]) => [name, at(finding, 'parts')] as const)
    .filter((entry): entry is readonly [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 0)
    .map(([name, parts]) => {
      const weight = (part: unknown) => Math.abs(Number(at(part, 'points')) || 0)
      const heaviest = [...parts].sort((a, b) => weight(b) - weight(a)).slice(0, 4)
      const texts = heaviest.map((part) => {
        const points = Math.round((Number(at(part, 'points')) || 0) * 10) / 10
        return `${points > 0 ? '+' : ''}${points} ${cellText(String(at(part, 'because') ?? at(part, 'name') ?? ''), 120)}`
      })
      return `- ${cellText(name, 40)}: ${texts.join('; ')}`
    })
    .join('\n')

const recordTable = (rows: readonly object[] | undefined, most: number, columns: readonly Column[]): string => {
  if (!Array.isArray(rows) || rows.length === 0) return ''
  const body = table(rows.slice(0, most), columns)
  return rows.length > most ? `${body}\n(${rows.length - most} more in structured content)` : body
}

/** The same value with every list cut to `keep` items. */
const shortened = <T>(value: T, keep: number): T => {
  if (Array.isArray(value)) return value.slice(0, keep).map((item) => shortened(item, keep)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item, keep)])) as T
}

type Head = Partial<Pick<PropertyDetail, 'id' | 'address' | 'city' | 'price' | 'status'>>

/** What is left when even the shortest lists do not fit. */
const headOf = (item: Head): Head => cleanData(pick(item, 'id', 'address', 'city', 'price', 'status'), 100)
