// The state laws that a market pack can switch on. Each is a folder of rules with their citations and dates.
import type { MarketId } from '../contract/facts.ts'
import { marketById } from '../contract/markets.ts'

export interface Law {
  id: string
  /** What the law's leads are called on the wire. */
  leads: 'sb9' | 'adu'
  title: string
  /** For "… is a law of California". */
  of: string
  since: string
}

export const laws = [
  { id: 'us-ca-sb9', leads: 'sb9', title: 'SB 9 lot splits and duplexes', of: 'California', since: '2022-01-01' },
  { id: 'us-ca-adu', leads: 'adu', title: 'the accessory dwelling unit law', of: 'California', since: '2020-01-01' },
] as const satisfies readonly Law[]

/** True if the market's pack lists the law that these leads depend on, and it was in force on that day. */
export const lawApplies = (leads: Law['leads'], market: MarketId, on?: string): boolean => {
  const law = laws.find((each) => each.leads === leads)!
  const applied = marketById(market)?.laws.find(({ id }) => id === law.id)
  return applied !== undefined && (on === undefined || applied.since <= on)
}

/** Why a market has no such leads. */
export const notApplicable = (leads: Law['leads'], market: MarketId): string => {
  const law = laws.find((each) => each.leads === leads)!
  const name = marketById(market)?.name ?? market
  return `Not applicable here: ${law.title} ${leads === 'sb9' ? 'are' : 'is'} ${law.of} law, and ${name} is in ${marketById(market)?.stateName ?? 'another state'}.`
}
