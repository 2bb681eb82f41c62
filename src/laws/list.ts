// The state laws that a market pack can name. To add one: a folder, a line here, and its id in the pack.
import {
  byAllowance,
  type LawfulUse,
  type LawReference,
  type LeadKind,
  leadKindTable,
} from '../domain/findings/laws.ts'
import type { Market } from '../domain/packs/markets.ts'
import { nameOfState } from '../domain/states.ts'
import type { Law, LawLead } from './law.ts'
import { usCaAdu } from './us-ca-adu/adu.ts'
import { usCaSb9 } from './us-ca-sb9/sb9.ts'
import { usCaSmallLots } from './us-ca-small-lots/small-lots.ts'
import { usCaTransit } from './us-ca-transit/transit.ts'
import { usMaAdu } from './us-ma-adu/adu.ts'
import { usMaAnr } from './us-ma-anr/anr.ts'
import { usMaNantucketDwellings } from './us-ma-nantucket-dwellings/dwellings.ts'

export const laws: readonly Law[] = [
  usCaSb9,
  usCaAdu,
  usCaSmallLots,
  usCaTransit,
  usMaAdu,
  usMaAnr,
  usMaNantucketDwellings,
]

export const lawById = (id: string): Law | undefined => laws.find((law) => law.id === id)

/** Those that hold in every place of a state. */
export const lawsOfState = (state: string): readonly Law[] =>
  laws.filter((law) => law.state === state && law.place === undefined)

export const lawReference = ({ id, title, asOf, url }: Law): LawReference => ({ id, title, asOf, url })

/** The laws that the market's pack names, in its order; with a day, those in force on it. */
export const lawsOf = (market: Pick<Market, 'laws'> | undefined, on?: string): readonly Law[] =>
  (market?.laws ?? []).flatMap(({ id, since }) => {
    const law = lawById(id)
    if (!law) return []
    const inForce = on === undefined || (since <= on && law.since <= on && (law.until === undefined || on < law.until))
    return inForce ? [law] : []
  })

/** Why a market has no leads of this kind; undefined if its pack names a law of the kind. */
export const notApplicable = (
  kind: LeadKind,
  market: Pick<Market, 'laws' | 'name' | 'stateName'>,
): string | undefined => {
  if (lawsOf(market).some((law) => law.leads === kind)) return undefined
  const others = laws.filter((law) => law.leads === kind).map(({ title, state }) => `${title} (${nameOfState(state)})`)
  return `Not applicable here: ${leadKindTable[kind].words} are tested by ${others.join(' and ')}, and ${market.name} is in ${market.stateName}.`
}

const statusOrder = ['eligible', 'likely', 'unknown_zone', 'blocked']

/** Best first: what a list shows of a parcel to which several laws of one kind apply. */
const order = (one: LawLead, other: LawLead): number =>
  one.kind === 'lot_split' && other.kind === 'lot_split'
    ? statusOrder.indexOf(one.finding.sb9Status) - statusOrder.indexOf(other.finding.sb9Status)
    : one.kind === 'accessory_unit' && other.kind === 'accessory_unit'
      ? (other.finding.aduScore ?? -1) - (one.finding.aduScore ?? -1)
      : byAllowance(bestUse(one), bestUse(other))

const bestUse = ({ finding }: LawLead): LawfulUse => (finding.uses ?? []).toSorted(byAllowance)[0]!

/** The lead of this kind that lists show: the best, and among equals the one whose law the pack names first. */
export const bestLead = <Kind extends LeadKind>(
  leads: readonly LawLead[],
  kind: Kind,
): Extract<LawLead, { kind: Kind }> | undefined =>
  leads.filter((lead): lead is Extract<LawLead, { kind: Kind }> => lead.kind === kind).toSorted(order)[0]
