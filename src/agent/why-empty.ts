// Explains an empty list: a place that is not covered differs from a search that found nothing.

import type { CallOptions, Client } from '../client/client.ts'
import { bareName } from '../common/suggest.ts'
import type { Dataset } from '../domain/facts.ts'
import type { FunnelStep } from '../wire/pagination.ts'
import type { Outcome } from './answer.ts'
import { cellText } from './clean.ts'
import type { ListTool } from './tools.ts'

export interface EmptyReason {
  outcome: Extract<Outcome, 'nothing_matched' | 'not_covered' | 'not_found'>
  text: string
}

/** What the service itself says about an empty list. */
interface ServiceReasons {
  /** The law behind the list does not apply, or the market is not assessed yet. */
  notApplicable?: string | undefined
  /** Hints about a place that is not in the markets searched. */
  hints?: readonly string[]
  /** How each condition narrowed the rows, defaults included. */
  funnel?: readonly FunnelStep[] | undefined
}

export const whyEmpty = async (
  { client, options }: { client: Pick<Client, 'getCoverage' | 'listMarkets'>; options: CallOptions },
  tool: ListTool,
  input: Record<string, unknown>,
  { notApplicable, hints = [], funnel = [] }: ServiceReasons = {},
): Promise<EmptyReason> => {
  const cause = emptiedBy(funnel, input) ?? looser(tool, input)
  const loosen = `Nothing matched. ${cause}`
  const correction = hints.find((hint) => hint.includes('did you mean'))
  if (correction) return { outcome: 'not_found', text: correction }
  if (notApplicable) return { outcome: 'not_covered', text: cellText(notApplicable, 300) }
  const asked = typeof input.city === 'string' ? input.city.trim() : ''
  const nothing: EmptyReason = { outcome: 'nothing_matched', text: loosen }
  if (tool.dataset === undefined && asked === '') return nothing
  const markets = await marketsOf(client, options)
  const name = cellText(asked, 60)
  const found = placeNamed(markets, asked)
  if (tool.dataset === undefined)
    return found || partOfACity(markets, asked)
      ? nothing
      : { outcome: 'not_covered', text: `${name} is not covered. The same call without city lists what is covered.` }
  if (asked === '') return withoutDataset(markets, tool.dataset, input) ?? nothing
  const held = await storedRows(client, options, asked, tool.dataset)
  if (held !== undefined && held.rows > 0)
    return {
      outcome: 'nothing_matched',
      text: `${name} is covered (${held.rows} ${tool.dataset}, newest ${held.newest ?? 'unknown'}), but nothing matched. ${cause}`,
    }
  if (found ? held !== undefined : !partOfACity(markets, asked))
    return {
      outcome: 'not_covered',
      text: `${name} is not covered: no ${tool.dataset} are loaded for it. get_coverage lists what is covered. This says nothing about the place itself.`,
    }
  return nothing
}

/** The only market that has this city. Undefined if a market was given, or if none or several have the city. */
export const marketOfCity = async (
  { client, options }: { client: Pick<Client, 'listMarkets'>; options: CallOptions },
  { market, city }: { market?: unknown; city?: unknown },
): Promise<string | undefined> =>
  market === undefined && typeof city === 'string'
    ? placeNamed(await marketsOf(client, options), city)?.market.id
    : undefined

type MarketEntry = Awaited<ReturnType<Client['listMarkets']>>['data'][number]

/** Empty if the service does not answer. The list itself succeeded, so this must not throw. */
const marketsOf = async (client: Pick<Client, 'listMarkets'>, options: CallOptions) =>
  (await client.listMarkets({}, options).catch(() => undefined))?.data ?? []

/** A market that has other data but none of this kind: changing the criteria would not help. */
const withoutDataset = (
  markets: readonly MarketEntry[],
  dataset: Dataset,
  input: Record<string, unknown>,
): EmptyReason | undefined => {
  const market = markets.find(({ id }) => id === requestedMarket(markets, input))
  if (!market || market.dataSets.length === 0 || market.dataSets.some((held) => held.dataset === dataset))
    return undefined
  const held = market.dataSets.map(({ dataset: name, rows }) => `${rows} ${name}`).join(', ')
  const instead = market.dataSets.some((each) => each.dataset === 'parcels')
    ? ' Homes that are not for sale have values: look one up by address, or search parcels and leads.'
    : ''
  return {
    outcome: 'not_covered',
    text: `${cellText(market.name, 60)} has no ${dataset} loaded, only ${held}.${instead}`,
  }
}

const placeNamed = (markets: readonly MarketEntry[], asked: string) => {
  const found = markets.flatMap((market) =>
    market.cities
      .filter(({ name, slug, aliases }) => [name, slug, ...aliases].some((each) => bareName(each) === bareName(asked)))
      .map(({ name }) => ({ market, city: name })),
  )
  return found.length === 1 ? found[0] : undefined
}

const requestedMarket = (markets: readonly MarketEntry[], { market }: Record<string, unknown>): string | undefined =>
  typeof market === 'string'
    ? markets.find(({ id, aliases }) => [id, ...aliases].some((each) => bareName(each) === bareName(market)))?.id
    : markets.find((each) => each.default)?.id

/** Also true when the markets are not known, so that no covered place is called uncovered. */
const partOfACity = (markets: readonly MarketEntry[], asked: string): boolean =>
  markets.length === 0 ||
  markets.some(({ cities }) => cities.some(({ name }) => name.toLowerCase().includes(asked.toLowerCase())))

/** Places come last: another place is another question. */
const places: readonly string[] = ['city', 'zip', 'bbox', 'near', 'within', 'address']

/** The conditions without which rows would be left, or the one after which none was. */
const emptiedBy = (funnel: readonly FunnelStep[], input: Record<string, unknown>): string | undefined => {
  const steps = funnel.map((step) => {
    const name = step.condition.split('=')[0]!
    const isDefault = input[name] === undefined
    return {
      ...step,
      isPlace: places.includes(name),
      words: cellText(step.condition, 80) + (isDefault ? ' (a default)' : ''),
    }
  })
  const helping = steps
    .filter(({ wouldRemainWithout }) => wouldRemainWithout > 0)
    .sort((a, b) => Number(a.isPlace) - Number(b.isPlace) || b.wouldRemainWithout - a.wouldRemainWithout)
  if (helping.length > 0)
    return `Without ${helping
      .slice(0, 3)
      .map(({ words, wouldRemainWithout }) => `${words} there are ${wouldRemainWithout}`)
      .join('; without ')}.`
  const last = steps.find(({ remaining }) => remaining === 0)
  return last && `None is left after ${last.words}; removing one condition is not enough.`
}

const looser = ({ operation }: ListTool, input: Record<string, unknown>): string => {
  if (typeof input.offset === 'number' && input.offset > 0) return 'The offset may be past the last row: start from 0.'
  const paging = ['limit', 'offset', 'cursor', 'fields', 'sort', 'explain']
  const narrowing = Object.keys(input).filter((name) => !paging.includes(name) && input[name] !== undefined)
  if (narrowing.length > 0) return `Relax or remove: ${narrowing.join(', ')}.`
  return 'minScore' in operation.input.properties
    ? 'Try a minScore below 60.'
    : 'No data may be loaded yet: see get_coverage.'
}

/** Undefined if the service does not answer. The list itself succeeded, so this must not throw. */
const storedRows = async (
  client: Pick<Client, 'getCoverage'>,
  options: CallOptions,
  city: string,
  dataset: Dataset,
): Promise<{ rows: number; newest: string | null } | undefined> => {
  const data = (await client.getCoverage({ city, limit: 25 }, options).catch(() => undefined))?.data
  // A response with other places ignored the filter, so a missing row proves nothing.
  if (!data?.every((row) => bareName(row.city).includes(bareName(city)))) return undefined
  const held = data.filter((row) => row.dataset === dataset)
  const newest = held.map((row) => row.newestRecord).filter((date) => date !== null)
  return { rows: held.reduce((sum, row) => sum + row.rows, 0), newest: newest.sort().at(-1) ?? null }
}
