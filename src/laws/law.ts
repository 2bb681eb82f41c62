// What a state law is to the program. Each law is a folder of rules with their citations and dates, and one line in list.ts.

import type { ParcelFacts } from '../domain/facts.ts'
import type { AduFinding } from '../domain/findings/adu.ts'
import type { LawReference, LeadKind, UseFinding, UseKind } from '../domain/findings/laws.ts'
import type { LotSplitFinding } from '../domain/findings/lot-split.ts'
import type { TraceRow } from '../domain/findings/rules.ts'
import type { CityFacts } from '../domain/packs/city-facts.ts'
import type { City, Market } from '../domain/packs/markets.ts'
import type { District } from '../domain/packs/zoning.ts'
import type { PermittedHome } from '../intelligence/site/house-replacement.ts'

/** A parcel with its city and zoning district, where they are known. */
export type LawFacts = Omit<ParcelFacts, 'city'> &
  Pick<PermittedHome, 'permits'> & {
    /** Two letters, of the market. */
    state?: string
    city?: City
    district?: District
    /** Who approves exterior changes, where all of the market is a historic district. */
    review?: Market['demolitionReview']
    transitStops?: Market['transitStops']
    /** What the city has decided, with its source and day. */
    cityFacts?: CityFacts
  }

/** What a rule tests: any fact but the overlays may be missing. */
export type RuleFacts = Partial<LawFacts> & Pick<LawFacts, 'overlays'>

/** With the rules tested, which are not stored: they follow from the parcel alone. */
export type Traced<Finding> = Finding & { trace: readonly TraceRow[] }

/** Every kind has a finding with `uses`; two kinds have more than that. */
type Findings = { [Kind in UseKind]: UseFinding } & { lot_split: LotSplitFinding; accessory_unit: AduFinding }

export interface LawOf<Kind extends LeadKind> extends LawReference {
  /** Two letters: only packs of this state can name the law. */
  state: string
  /** The one place it applies to; a law of the whole state has none. */
  place?: string
  leads: Kind
  /** First day in force. */
  since: string
  /** First day no longer in force. */
  until?: string
  /** Pure: the finding follows from the facts and the day. */
  assess(facts: LawFacts, on: string): Traced<Findings[Kind]>
}

export type Law = { [Kind in LeadKind]: LawOf<Kind> }[LeadKind]

/** A finding with the law and the kind of lead that it belongs to. */
export type LawLead = { [Kind in LeadKind]: { law: Law; kind: Kind; finding: Traced<Findings[Kind]> } }[LeadKind]
