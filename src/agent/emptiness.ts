// Explains an empty list: a place that is not covered differs from a search that found nothing.
import type { CallOptions, Client } from '../client/client.ts'
import { cities, findCity } from '../contract/markets.ts'
import type { Outcome } from './answer.ts'
import { cellText } from './clean.ts'
import type { Dataset, ListTool } from './tools.ts'

export interface Emptiness {
  outcome: Extract<Outcome, 'nothing_matched' | 'not_covered'>
  text: string
}

export const whyEmpty = async (
  { client, options }: { client: Pick<Client, 'getCoverage'>; options: CallOptions },
  tool: ListTool,
  input: Record<string, unknown>,
): Promise<Emptiness> => {
  const loosen = `Nothing matched. ${looser(tool, input)}`
  const asked = typeof input.city === 'string' ? input.city.trim() : ''
  if (asked === '' || tool.dataset === undefined) return { outcome: 'nothing_matched', text: loosen }

  const city = findCity(asked)
  const name = cellText(asked, 60)
  if (city && tool.peninsulaOnly && city.market !== 'sf-peninsula')
    return {
      outcome: 'not_covered',
      text: `${city.name} is not covered: this tool knows the San Francisco Peninsula only.`,
    }
  if (city && 'market' in tool.operation.input.properties && city.market !== marketAsked(input))
    return {
      outcome: 'nothing_matched',
      text: `Nothing matched: ${city.name} is in the market ${city.market}. Call again with market=${city.market}.`,
    }

  const held = await rowsHeld(client, options, asked, tool.dataset)
  if (held !== undefined && held.rows > 0)
    return {
      outcome: 'nothing_matched',
      text: `${name} is covered (${held.rows} ${tool.dataset}, newest ${held.newest ?? 'unknown'}), but nothing matched. ${looser(tool, input)}`,
    }
  if (city ? held !== undefined : !partOfACity(asked))
    return {
      outcome: 'not_covered',
      text: `${name} is not covered: no ${tool.dataset} are held for it. get_coverage lists what is; this says nothing about the place itself.`,
    }
  return { outcome: 'nothing_matched', text: loosen }
}

const marketAsked = ({ market }: Record<string, unknown>): string =>
  market === 'nantucket' ? 'nantucket' : 'sf-peninsula'

const partOfACity = (asked: string): boolean =>
  cities.some(({ name }) => name.toLowerCase().includes(asked.toLowerCase()))

const looser = ({ operation }: ListTool, input: Record<string, unknown>): string => {
  if (typeof input.offset === 'number' && input.offset > 0) return 'The offset may be past the last row: start from 0.'
  const paging = ['limit', 'offset', 'cursor', 'fields']
  const narrowing = Object.keys(input).filter((name) => !paging.includes(name) && input[name] !== undefined)
  if (narrowing.length > 0) return `Loosen or drop: ${narrowing.join(', ')}.`
  return 'minScore' in operation.input.properties
    ? 'Try a minScore below 60.'
    : 'No data may be loaded yet: see get_coverage.'
}

interface Held {
  rows: number
  newest: string | null
}

/** Undefined if the service does not answer. The list itself succeeded, so this must not throw. */
const rowsHeld = async (
  client: Pick<Client, 'getCoverage'>,
  options: CallOptions,
  city: string,
  dataset: Dataset,
): Promise<Held | undefined> => {
  try {
    const { data } = await client.getCoverage({ city, limit: 25 }, options)
    const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
    const mine = data.filter((row) => bare(row.city).includes(bare(city)))
    // The response contains other places, so the service ignored the filter and a missing row proves nothing.
    if (mine.length < data.length) return undefined
    const held = mine.filter((row) => row.dataset === dataset)
    const newest = held.map((row) => row.newestRecord).filter((date) => date !== null)
    return { rows: held.reduce((sum, row) => sum + row.rows, 0), newest: newest.sort().at(-1) ?? null }
  } catch {
    return undefined
  }
}
