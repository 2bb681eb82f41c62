// Column types that cannot be read from the database: the content of json columns, and text columns whose values the contract
// restricts. `npm run schema` refers to them in schema.ts.

import type { SearchRow } from '../../criteria/conditions.ts'
import type { Criteria } from '../../criteria/vocabulary.ts'
import type {
  Dataset,
  ListingStatus,
  MarketId,
  Overlays,
  PermitClass,
  PermitStatus,
  PropertyType,
  Tristate,
} from '../../domain/facts.ts'
import type { StoredAduFinding } from '../../domain/findings/adu.ts'
import type { GridSale } from '../../domain/findings/comps.ts'
import type { AccuracyMeasures, LiveAccuracy } from '../../domain/findings/coverage-and-accuracy.ts'
import type { StoredOffers, StoredUses } from '../../domain/findings/decision.ts'
import type { ScorePart } from '../../domain/findings/findings.ts'
import type { LeadKind, UseFinding } from '../../domain/findings/laws.ts'
import type { LotSplitFinding, LotSplitStatus } from '../../domain/findings/lot-split.ts'
import type { SeriesFigures, SeriesInterval } from '../../domain/findings/market-series.ts'
import type { Proforma } from '../../domain/findings/proforma.ts'
import type { RedevelopmentFinding } from '../../domain/findings/redevelopment.ts'
import type { SchemeKind } from '../../domain/findings/scheme-kinds.ts'
import type { Building, MergedFacts, ShapeKind, Station } from '../../domain/layers.ts'
import type { FeedProfile, SourceConfig } from '../../domain/packs/source-config.ts'
import type { FlatRing } from '../../domain/shapes.ts'
import type { DealMove, DealSnapshot, DealStage, OwnFacts } from '../../wire/deals.ts'
import type { EventName } from '../../wire/events.ts'
import type { StoredExplanation } from '../../wire/explanation.ts'
import type { ExportRequest } from '../../wire/operations/exports.ts'
import type { ParcelShape } from '../../wire/property.ts'
import type { MovedInput } from '../../wire/timeline.ts'
import type { WatchCadence, WatchKind, WatchTrigger } from '../../wire/watches.ts'

export interface ColumnTypes {
  // In every table that has the column.
  market: MarketId
  raw: unknown
  location: { x: number; y: number }
  bounds: string
  triggers: WatchTrigger[]
  after: SearchRow
  before: SearchRow
  // In one table.
  'source.config': SourceConfig
  'ingestRun.leftOut': Record<string, number>
  'ingestRun.filled': FeedProfile
  'ingestRun.accepted': { reason: string; problems: readonly string[] }
  'export.state': 'queued' | 'running' | 'ready' | 'failed'
  'export.request': ExportRequest
  'assumptionSet.values': Readonly<Record<string, number>>
  'assumptionSet.byCity': Readonly<Record<string, Readonly<Record<string, number>>>>
  'deal.stage': DealStage
  'deal.scheme': SchemeKind
  'deal.assumptions': Readonly<Record<string, number>>
  'deal.facts': OwnFacts
  'deal.saved': DealSnapshot
  'deal.told': DealSnapshot
  'deal.moved': DealMove
  'event.type': EventName
  'event.searchRow': SearchRow
  'webhookEndpoint.filter': Criteria
  'watch.kind': WatchKind
  'watch.criteria': Criteria
  'watch.cadence': WatchCadence
  'waitingMatch.watches': Record<string, WatchTrigger[]>
  'property.propertyType': PropertyType
  'property.overlays': Overlays
  'property.feedOverlays': Overlays
  'property.overlaySources': MergedFacts['sources']
  'property.buildings': readonly Building[]
  'property.stations': readonly Station[]
  'layerShape.kind': ShapeKind
  'layerShape.value': Tristate
  'layerShape.about': Omit<Station, 'feet'>
  'layerShape.rings': readonly FlatRing[] | { columns: number; rows: number; bytes: string }
  'propertySearch.sb9Status': LotSplitStatus
  'listing.propertyType': PropertyType
  'sale.propertyType': PropertyType
  'permit.permitClass': PermitClass
  'assessment.proforma': Proforma
  'assessment.offers': StoredOffers
  'assessment.uses': StoredUses
  'assessment.comps': readonly GridSale[]
  'assessment.explanation': StoredExplanation
  'assessment.redevelopment': RedevelopmentFinding
  'lead.kind': LeadKind
  'lead.status': LotSplitStatus
  'lead.finding': LotSplitFinding | StoredAduFinding | UseFinding
  'assessmentHistory.previous': { teardownScore?: number; flippabilityScore?: number }
  'listingChange.status': ListingStatus
  'listingChange.previousStatus': ListingStatus
  'listingChange.rowBefore': SearchRow
  'permitChange.status': PermitStatus
  'permitChange.previousStatus': PermitStatus
  'forecast.model': LiveAccuracy['model']
  'valueChange.moved': readonly MovedInput[]
  'marketHeat.parts': readonly ScorePart[]
  'marketSeries.length': SeriesInterval
  'marketSeries.figures': SeriesFigures
  'valuation.counts': Partial<Record<Dataset, number>>
  'datasetCount.dataset': Dataset
  'accuracy.measures': AccuracyMeasures
  'parcelOutline.polygons': ParcelShape['coordinates']
}
