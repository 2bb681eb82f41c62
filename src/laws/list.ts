// The state laws that a market pack can name. To add one: a folder, a line here, and its id in the pack.
import { dayInWords } from '../domain/day.ts'
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

/** Statutes on accessory units or several homes per lot that no law here tests, by state: to be read by hand. */
const untested: Readonly<Record<string, string>> = {
  AZ: 'A.R.S. 9-461.18 (accessory units)',
  CO: 'C.R.S. 29-35-401 and following (accessory units)',
  CT: 'Conn. Gen. Stat. 8-2o (accessory apartments)',
  HI: 'HRS 46-4 (further dwellings)',
  ME: '30-A M.R.S. 4364 to 4364-B (several dwellings, accessory units)',
  MT: 'MCA 76-2-345 (accessory units)',
  NH: 'RSA 674:71 to 674:73 (accessory units)',
  OR: 'ORS 197A.420 and 197A.425 (several dwellings, accessory units)',
  RI: 'R.I. Gen. Laws 45-24-73 (accessory units)',
  VT: '24 V.S.A. 4412 (several dwellings, accessory units)',
  WA: 'RCW 36.70A.635 and 36.70A.681 (several dwellings, accessory units)',
}

/** What a market lacks: laws of its state that its pack does not name, or that Lotline does not test. */
export const missingLaws = (market: Pick<Market, 'laws' | 'state' | 'stateName'>): string[] => {
  const ofState = lawsOfState(market.state)
  if (ofState.length === 0)
    return [
      `laws of ${market.stateName}: Lotline tests none, so lot splits and accessory units have no leads here. ${untested[market.state] ? `Not tested: ${untested[market.state]}. ` : ''}To add one: CONTRIBUTING.md, "Add a law"`,
    ]
  return ofState
    .filter(({ id }) => !market.laws?.some((named) => named.id === id))
    .map(({ id, title }) => `${title}. Add ${id} to "laws" of pack.json`)
}

export const lawReference = ({ id, title, asOf, url }: Law): LawReference => ({ id, title, asOf, url })

/** The laws that the market's pack names, in its order; with a day, those in force on it. */
export const lawsOf = (market: Pick<Market, 'laws'> | undefined, on?: string): readonly Law[] =>
  (market?.laws ?? []).flatMap(({ id, since }) => {
    const law = lawById(id)
    if (!law) return []
    const inForce = on === undefined || (since <= on && law.since <= on && (law.until === undefined || on < law.until))
    return inForce ? [law] : []
  })

/** Why a market has no leads of this kind; undefined if its pack names a law of the kind that is in force on the day. */
export const notApplicable = (
  kind: LeadKind,
  market: Pick<Market, 'laws' | 'name' | 'state' | 'stateName'>,
  day?: string,
): string | undefined => {
  if (lawsOf(market, day).some((law) => law.leads === kind)) return undefined
  const { words } = leadKindTable[kind]
  const [early] = day === undefined ? [] : lawsOf(market).filter((law) => law.leads === kind)
  if (early && day !== undefined)
    return `Not applicable here: the law “${early.title}” was not in force on ${dayInWords(day)}, as of which ${market.name} is assessed.`
  const own = lawsOfState(market.state).find((law) => law.leads === kind)
  if (own)
    return `Not tested here: ${words} in ${market.stateName} are tested by ${own.title}, which the market pack of ${market.name} does not name. Its operator can add ${own.id} to "laws" of pack.json.`
  const others = laws
    .filter((law) => law.leads === kind)
    .map(({ title, state, place = nameOfState(state) }) => (title.includes(place) ? title : `${title} (${place})`))
  return `Not applicable here: ${words} are tested by ${others.join(' and ')}, and ${market.name} is in ${market.stateName}.`
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
