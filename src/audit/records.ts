// What a service serves, as the audit reads it. Every field may be absent: the audited service may be of another version,
// and a missing field is a violation to report, not a crash.
import type { AduLead } from '../domain/findings/adu.ts'
import type { Accuracy, Coverage } from '../domain/findings/coverage-and-accuracy.ts'
import type { LotSplitItem } from '../domain/findings/lot-split.ts'
import type { ProformaAnswer } from '../domain/findings/proforma.ts'
import type { RedevelopmentLead } from '../domain/findings/redevelopment.ts'
import type { PropertyDetail, PropertySignal } from '../wire/property.ts'
import type { Comparison } from './search-rules.ts'

export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
    : T

/** Everything served about one property. */
export interface PropertyRecord {
  readonly id: string
  /** The day the data is of. */
  readonly today: string
  readonly detail: DeepPartial<PropertyDetail>
  readonly signal?: DeepPartial<PropertySignal>
  /** The what-if pro forma without changes; only for modeled properties. */
  readonly whatIf?: DeepPartial<ProformaAnswer>
  /** The same with the maximum offer as the price. */
  readonly atMaximumOffer?: DeepPartial<ProformaAnswer>
  readonly lotSplit?: DeepPartial<LotSplitItem>
  readonly adu?: DeepPartial<AduLead>
  readonly redevelopment?: DeepPartial<RedevelopmentLead>
  /** The text of the property page, without markup. */
  readonly page?: string
  /** Answers of the agent tools, read with the page. */
  readonly agent?: { readonly property?: AgentText; readonly proforma?: AgentText }
  /** All sources of the market are generated sample data. */
  readonly sampleOnly: boolean
}

export interface AgentText {
  readonly text: string
}

/** What a list tool answers to a question without conditions. */
interface AgentList extends AgentText {
  readonly tool: string
  readonly ids: readonly string[]
}

/** A page that lists properties, in the order of the page. */
interface ListPage {
  readonly path: string
  readonly ids: readonly string[]
}

export interface MarketRecord {
  readonly market: string
  readonly sampleOnly: boolean
  readonly signals: readonly DeepPartial<PropertySignal>[]
  readonly lotSplit: readonly DeepPartial<LotSplitItem>[]
  readonly adu: readonly DeepPartial<AduLead>[]
  readonly redevelopment: readonly DeepPartial<RedevelopmentLead>[]
  readonly accuracy: readonly DeepPartial<Accuracy>[]
  readonly coverage: readonly DeepPartial<Coverage>[]
  readonly pages: readonly ListPage[]
  readonly comparisons: readonly Comparison[]
  readonly agentLists?: readonly AgentList[]
}

export interface AuditRecords {
  readonly property: PropertyRecord
  readonly market: MarketRecord
}
