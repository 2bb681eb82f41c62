// Answers a whole search in one call: the homes that meet all criteria, each with its SB 9 result, and when there are fewer than
// requested, how many each condition drops and the homes that miss one condition by the least.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { pick } from '../common/typed.ts'
import { amountText, differenceText } from '../criteria/amount.ts'
import { firmApprovalsNote, withFirmApprovals } from '../criteria/firm-approvals.ts'
import { type Criterion, criteria } from '../criteria/table.ts'
import type { LotSplitItem } from '../domain/findings/lot-split.ts'
import { placeWords } from '../domain/findings/score-rank.ts'
import { flipProfit } from '../domain/findings/use-words.ts'
import type { LookupCandidate } from '../wire/lookup.ts'
import type { InputOf } from '../wire/operation.ts'
import type { listLotSplits } from '../wire/operations/leads.ts'
import { listMarketSignals } from '../wire/operations/signals.ts'
import type { PropertySignal } from '../wire/property.ts'
import { type Answer, dataNote, provenanceOf, toResult } from './answer.ts'
import { cellText, cleanData, cleanText } from './clean.ts'
import { defaultsHint, hintsIn, readWhereCityIs, type ToolContext, usesDefaults } from './list-answer.ts'
import { propertyLinks } from './property-links.ts'
import { listTools } from './tools.ts'
import { type EmptyReason, whyEmpty } from './why-empty.ts'

type Criteria = Omit<InputOf<typeof listMarketSignals>, 'limit' | 'offset' | 'cursor' | 'fields' | 'explain'>

/** What an agent may ask for besides criteria. */
interface FindArguments extends Criteria {
  kind?: 'teardown' | 'flip'
  limit?: number
}

const defaultHomeCount = 3

/** More homes would not fit in one answer. */
export const maxHomeCount = 20

/** "A teardown" is a home in the top quarter of its market. Flips are ordered by what they earn. */
const kindCriteria: Readonly<Record<'teardown' | 'flip', Criteria>> = {
  teardown: { minTeardownPercentile: 75 },
  flip: { sort: ['-flip.profitUsd'] },
}

export const findProperties = async (context: ToolContext, args: Record<string, unknown>): Promise<CallToolResult> => {
  const { kind, limit: wanted = defaultHomeCount, ...given } = args as FindArguments
  const asked: Criteria = { status: ['for_sale'], ...(kind ? kindCriteria[kind] : {}), ...given }
  const criteria: Criteria = { ...asked, ...withFirmApprovals(asked) }
  const page = await readWhereCityIs(context, criteria, (asked) =>
    // Asks for the maximum, because the limit of the answer then tells how many homes the plan allows.
    context.client.listMarketSignals({ ...asked, limit: maxHomeCount, explain: ['funnel'] }, context.options),
  )
  if (page.cityMarket) criteria.market = page.cityMarket
  const homes = page.data.slice(0, wanted)
  const total = page.pagination.total
  const misses = total < wanted ? await nearMisses(context, criteria) : []
  const shown = [...homes, ...misses.map(({ home }) => home)]
  const inventory = shown.length > 0 ? await splitOf(context, criteria, wanted) : emptyInventory
  const splits = inventory.notApplicable
    ? inventory
    : await withStatuses(context, inventory, shown, page.pagination.limit)
  if (criteria.approval !== asked.approval)
    page.suggestions = [...(page.suggestions ?? []), `${firmApprovalsNote} sureNewHouse=false shows them.`]
  const reasons = { notApplicable: page.notAssessed, hints: hintsIn(page) }
  const why = shown.length === 0 ? await whyEmpty(context, listingsTool, given, reasons) : undefined
  const wrongPlace = why?.outcome === 'nothing_matched' ? undefined : why
  return answerOf(context, { page, homes, splits, misses, wanted, wrongPlace, kind })
}

const listingsTool = listTools.find(({ operation }) => operation === listMarketSignals)!

type Page = Awaited<ReturnType<ToolContext['client']['listMarketSignals']>>
type SplitResult = LotSplitItem | NonNullable<LookupCandidate['scores']>

interface SplitResults {
  /** By the id of the home. Of some homes only the status is known. */
  byId: ReadonlyMap<string, SplitResult>
  /** Why SB 9 does not apply to these homes. */
  notApplicable?: string
}

const emptyInventory: SplitResults = { byId: new Map() }

/** The SB 9 results of the same homes: the inventory takes the same criteria and order. */
const splitOf = async (
  { client, options }: ToolContext,
  { status: listed, sb9Status, assumptionSet: _set, assumptions: _own, ...criteria }: Criteria,
  limit: number,
): Promise<SplitResults> => {
  // Without the listing status, pending homes would take the place of homes that were found.
  const listingStatus = listed?.filter((each) => each !== 'sold')
  const input: InputOf<typeof listLotSplits> = {
    sort: ['-rankScore'],
    ...criteria,
    status: sb9Status ?? ['any'],
    limit,
  }
  if (listingStatus?.length) input.listingStatus = listingStatus
  // The homes are the answer; without this part each says that SB 9 was not checked.
  const found = await client.listSb9Inventory(input, options).catch(() => undefined)
  return found
    ? { byId: new Map(found.data.map((row) => [row.id, row])), notApplicable: found.notApplicable }
    : emptyInventory
}

/** Adds the status of homes that the inventory does not list: sold homes, and homes that miss a criterion. */
const withStatuses = async (
  { client, options }: ToolContext,
  { byId }: SplitResults,
  homes: readonly PropertySignal[],
  pageSize: number,
): Promise<SplitResults> => {
  const all = new Map(byId)
  const rest = homes.filter(({ id }) => !all.has(id)).map(({ id }) => ({ id }))
  try {
    for (let at = 0; at < rest.length; at += pageSize) {
      const items = rest.slice(at, at + pageSize)
      const { data } = await client.lookUpBatch({ items, include: ['scores'] }, options)
      for (const { id, scores } of data.flatMap(({ candidates }) => candidates)) if (scores) all.set(id, scores)
    }
  } catch {
    // Each of these homes says that SB 9 was not checked.
  }
  return { byId: all }
}

type Miss = Awaited<ReturnType<typeof nearMisses>>[number]

const rows: Readonly<Record<string, Criterion>> = criteria

/** The homes that fail one bound by the least: the parameter that each does not meet, and by how much. */
const nearMisses = async (
  { client, options }: ToolContext,
  { sort: _, f: __, strict: ___, assumptionSet, assumptions, ...criteria }: Criteria,
) => {
  const numbers = { assumptionSet, assumptions }
  const { nearMisses = [] } = await client.searchAll(
    { kind: 'listings', criteria, explain: ['nearMisses'], limit: 1, ...numbers },
    options,
  )
  const ids = nearMisses.flatMap(({ item: { id } }) => (id === undefined ? [] : [id]))
  if (ids.length === 0) return []
  const { data } = await client.listMarketSignals(
    { market: 'all', id: [...new Set(ids)], limit: ids.length, ...numbers },
    options,
  )
  return nearMisses.flatMap(({ item, condition, value, by }) => {
    const home = data.find(({ id }) => id === item.id)
    return home ? [{ home, condition: condition.split('=')[0]!, value, by: Math.round(by * 100) / 100 }] : []
  })
}

interface Found {
  page: Page
  homes: readonly PropertySignal[]
  splits: SplitResults
  misses: readonly Miss[]
  wanted: number
  /** Why there can be no homes at all: no listings are loaded there, or the place is misspelled. */
  wrongPlace: EmptyReason | undefined
  kind?: keyof typeof kindCriteria
}

const answerOf = ({ service }: ToolContext, found: Found): CallToolResult => {
  const { page, homes, splits, misses, wanted, wrongPlace } = found
  const { total } = page.pagination
  const shown = [...homes, ...misses.map(({ home }) => home)]
  const splitOf = ({ id }: PropertySignal) => splits.byId.get(id)
  const items = homes.map((home) => itemOf(home, splitOf(home)))
  const funnel = total < wanted && !wrongPlace ? page.funnel : undefined
  const nearMissItems = misses.map(({ home, condition, value, by }) => ({
    ...itemOf(home, splitOf(home)),
    misses: { condition, value, by },
  }))
  const { notApplicable } = splits
  const splitText = (home: PropertySignal) => (notApplicable ? undefined : splitLine(splitOf(home)))
  const hints = [...new Set([...(wrongPlace ? [wrongPlace.text] : []), ...hintsIn(page)])]
  const defaultsNote = usesDefaults(shown) ? [`${defaultsHint}.`] : []
  const answer: Answer & Record<string, unknown> = {
    outcome: homes.length > 0 ? 'ok' : (wrongPlace?.outcome ?? 'nothing_matched'),
    items: cleanData(items),
    ...(funnel ? { funnel: cleanData(funnel) } : {}),
    ...(misses.length > 0 ? { nearMisses: cleanData(nearMissItems) } : {}),
    page: { returned: homes.length, total, next: null },
    ...(page.historyWindow ? { historyWindow: page.historyWindow } : {}),
    asOf: cleanText(page.asOf, 40),
    provenance: provenanceOf(service, shown),
    notes: [...hints, ...(notApplicable ? [cleanText(notApplicable, 300)] : []), caution, ...defaultsNote],
  }
  const text = [
    wrongPlace?.text ??
      `${total === 0 ? 'No home meets' : `${total} ${total === 1 ? 'home meets' : 'homes meet'}`} all criteria${total > homes.length ? `; the first ${homes.length} follow. ${howToGetMore(found)}` : '.'}`,
    ...hints.filter((hint) => hint !== wrongPlace?.text),
    ...homes.map((home, at) => `${at + 1}. ${homeLine(home, splitText(home))}`),
    funnel && funnel.length > 0 ? `Homes left after each condition:\n${funnel.map(funnelLine).join('\n')}` : '',
    misses.length > 0
      ? `Closest misses:\n${misses.map((miss) => missLine(miss, splitText(miss.home))).join('\n')}`
      : '',
    notApplicable ? cleanText(notApplicable, 300) : '',
    caution,
    ...defaultsNote,
    dataNote(answer),
  ]
  return toResult(text.filter((part) => part !== '').join('\n\n'), answer, false, propertyLinks(shown))
}

const howToGetMore = ({ page, homes, kind }: Found): string => {
  const most = Math.min(maxHomeCount, page.pagination.limit)
  if (homes.length < most) return `Set limit (up to ${most}) for more.`
  const reason = most < maxHomeCount ? `Your plan returns at most ${most} per call. ` : ''
  const criteria = Object.entries(kind ? kindCriteria[kind] : {}).map(([name, value]) => `${name}=${String(value)}`)
  const instead = criteria.length > 0 ? ` (${criteria.join(' ')} instead of kind)` : ''
  return `${reason}For the rest, call list_market_signals with the same criteria${instead} and offset=${homes.length}.`
}

const caution = 'SB 9 is a screening of rules, not legal advice; returns are not an appraisal.'

const itemOf = (home: PropertySignal, split: SplitResult | undefined) => ({
  ...pick(home, 'id', 'address', 'city', 'zip', 'price', 'status', 'teardownScore'),
  teardownRank: home.ranks?.teardownScore,
  ...pick(home, 'flippabilityScore', 'returnPct', 'returnAtExpectedPct', 'decision', 'valueEstimate', 'flip', 'hold'),
  ...pick(home.metadata, 'lotSize', 'sqft', 'yearBuilt', 'daysOnMarket'),
  unknown: home.unknown,
  verdict: home.verdict,
  sb9: split?.sb9Status && { status: split.sb9Status, ...('maxUnits' in split && splitDetails(split)) },
})

const splitDetails = ({ maxUnits, lotSplit, blockReasons, untestedRules }: LotSplitItem) => ({
  maxUnits,
  lotSplit: lotSplit.status,
  blockedBy: blockReasons.map(({ reason }) => reason).slice(0, 3),
  untested: untestedRules.map(({ rule }) => rule).slice(0, 3),
})

const dollars = (value: number | undefined) =>
  value === undefined ? 'price unknown' : `$${Math.round(value).toLocaleString('en-US')}`

const signedDollars = (value: number) => `${value < 0 ? '−' : ''}${dollars(Math.abs(value))}`

const homeLine = (home: PropertySignal, split: string | undefined): string => {
  const rank = home.ranks?.teardownScore
  const profit = flipProfit(home)
  const facts = [
    `${cellText(home.address)}, ${cellText(home.city, 40)}`,
    `${dollars(home.price)} (${home.status})`,
    home.teardownScore === undefined
      ? undefined
      : `teardown ${home.teardownScore}${rank ? ` (${placeWords(rank)})` : ''}`,
    returnLine(home),
    home.valueEstimate && `value ${dollars(home.valueEstimate.value)} (${home.valueEstimate.confidence} confidence)`,
    profit && earns(profit.as, profit.usd, dollars(Math.abs(profit.usd))),
    home.decision?.room &&
      `room ${signedDollars(home.decision.room.usd)}${home.decision.room.low === undefined ? '' : `, low case ${signedDollars(home.decision.room.low)}`}`,
    home.hold && `cap rate ${home.hold.capRatePct}%`,
    home.metadata.lotSize === undefined
      ? undefined
      : `lot ${Math.round(home.metadata.lotSize).toLocaleString('en-US')} sq ft`,
    home.metadata.yearBuilt === undefined ? undefined : `built ${home.metadata.yearBuilt}`,
    split,
    home.unknown && home.unknown.length > 0 ? `not known: ${home.unknown.join(', ')}` : undefined,
  ]
  const decision = home.decision ? `${cellText(home.decision.text, 320)}\n   ` : ''
  return `${decision}${facts.filter((fact) => fact !== undefined).join('; ')}. id ${cellText(home.id, 64)}`
}

const returnLine = ({ returnPct, returnAtExpectedPct }: PropertySignal): string | undefined => {
  const at = (price: string, pct: number | undefined) =>
    pct === undefined ? [] : [earns(`at the ${price} price`, pct, `${Math.abs(pct)}%`)]
  const returns = [...at('asking', returnPct), ...at('expected', returnAtExpectedPct)]
  return returns.length > 0 ? `as a new house ${returns.join(', ')}` : undefined
}

const earns = (as: string, amount: number, text: string): string => `${amount < 0 ? 'loses' : 'earns'} ${text} ${as}`

const splitLine = (split: SplitResult | undefined): string => {
  if (!split) return 'SB 9 not checked'
  if (!('maxUnits' in split))
    return split.sb9Status ? `SB 9 ${cellText(split.sb9Status, 20)}` : 'SB 9 does not apply or is not assessed'
  const blocked = firstOf(split.blockReasons.map(({ reason }) => reason))
  const untested = firstOf(split.untestedRules.map(({ rule }) => rule))
  const why = blocked ?? (untested && `not tested: ${untested}`)
  const units = split.maxUnits > 0 ? `, up to ${split.maxUnits} units, split ${split.lotSplit.status}` : ''
  return `SB 9 ${split.sb9Status}${units}${why ? ` (${why})` : ''}`
}

const firstOf = ([first, ...rest]: readonly string[]): string | undefined =>
  first && `${cellText(first, 100)}${rest.length > 0 ? ` and ${rest.length} more` : ''}`

const funnelLine = ({ condition, remaining, wouldRemainWithout, unknown }: NonNullable<Page['funnel']>[number]) =>
  `- ${cellText(condition, 80)}: ${remaining} left; without it ${wouldRemainWithout} would meet the rest${unknown ? `; not known for ${unknown}` : ''}`

const missLine = ({ home, condition, value, by }: Miss, split: string | undefined): string => {
  const unit = rows[condition]?.unit ?? 'none'
  const has = typeof value === 'number' ? amountText(unit, value) : value
  return `- ${cellText(home.address)}, ${cellText(home.city, 40)}: ${dollars(home.price)}; misses ${condition} by ${differenceText(unit, by)} (has ${has})${split ? `; ${split}` : ''}. id ${cellText(home.id, 64)}${home.decision ? `\n  ${cellText(home.decision.text, 320)}` : ''}`
}
