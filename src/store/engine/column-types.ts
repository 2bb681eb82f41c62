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
} from '../../domain/facts.ts'
import type { StoredAduFinding } from '../../domain/findings/adu.ts'
import type { GridSale } from '../../domain/findings/comps.ts'
import type { AccuracyMeasures, LiveAccuracy } from '../../domain/findings/coverage-and-accuracy.ts'
import type { ScorePart } from '../../domain/findings/findings.ts'
import type { LeadKind } from '../../domain/findings/laws.ts'
import type { SeriesFigures, SeriesInterval } from '../../domain/findings/market-series.ts'
import type { Proforma } from '../../domain/findings/proforma.ts'
import type { RedevelopmentFinding } from '../../domain/findings/redevelopment.ts'
import type { RentStatistic } from '../../domain/findings/rent.ts'
import type { LotSplitFinding, Sb9Status } from '../../domain/findings/sb9.ts'
import type { FeedProfile, SourceConfig } from '../../domain/packs/source-config.ts'
import type { EventName } from '../../wire/events.ts'
import type { StoredExplanation } from '../../wire/explanation.ts'
import type { ExportRequest } from '../../wire/operations/exports.ts'
import type { ParcelShape } from '../../wire/property.ts'
import type { MovedInput } from '../../wire/timeline.ts'
import type { WatchCadence, WatchKind, WatchTrigger } from '../../wire/watches.ts'

export interface ColumnTypes {
  'market.id': MarketId
  'source.market': MarketId
  'source.config': SourceConfig
  'ingestRun.leftOut': Record<string, number>
  'ingestRun.filled': FeedProfile
  'ingestRun.accepted': { reason: string; problems: readonly string[] }
  'rejectedRow.raw': unknown
  'export.state': 'queued' | 'running' | 'ready' | 'failed'
  'export.request': ExportRequest
  'subscriber.market': MarketId
  'assumptionSet.values': Readonly<Record<string, number>>
  'assumptionSet.market': MarketId
  'event.type': EventName
  'event.searchRow': SearchRow
  'webhookEndpoint.filter': Criteria
  'watch.kind': WatchKind
  'watch.criteria': Criteria
  'watch.cadence': WatchCadence
  'watch.triggers': WatchTrigger[]
  'waitingMatch.market': MarketId
  'waitingMatch.watches': Record<string, WatchTrigger[]>
  'waitingMatch.before': SearchRow
  'waitingMatch.after': SearchRow
  'watchMatch.market': MarketId
  'watchMatch.triggers': WatchTrigger[]
  'watchMatch.before': SearchRow
  'watchMatch.after': SearchRow
  'setting.value': unknown
  'property.market': MarketId
  'property.propertyType': PropertyType
  'property.overlays': Overlays
  'property.raw': unknown
  'touchedProperty.market': MarketId
  'propertySearch.market': MarketId
  'propertySearch.sb9Status': Sb9Status
  'propertySearch.location': { x: number; y: number }
  'listing.market': MarketId
  'listing.propertyType': PropertyType
  'listing.raw': unknown
  'listingPhotoGrade.market': MarketId
  'sale.market': MarketId
  'sale.propertyType': PropertyType
  'sale.raw': unknown
  'saleSearch.market': MarketId
  'saleSearch.propertyType': PropertyType
  'saleSearch.location': { x: number; y: number }
  'permit.market': MarketId
  'permit.permitClass': PermitClass
  'permit.raw': unknown
  'rent.market': MarketId
  'rent.statistic': RentStatistic
  'rent.raw': unknown
  'permitSearch.market': MarketId
  'permitSearch.location': { x: number; y: number }
  'permitCity.market': MarketId
  'assessment.market': MarketId
  'assessment.proforma': Proforma
  'assessment.comps': readonly GridSale[]
  'assessment.explanation': StoredExplanation
  'assessment.redevelopment': RedevelopmentFinding
  'lead.market': MarketId
  'lead.kind': LeadKind
  'lead.status': Sb9Status
  'lead.finding': LotSplitFinding | StoredAduFinding
  'assessmentHistory.market': MarketId
  'assessmentHistory.previous': { teardownScore?: number; flippabilityScore?: number }
  'listingChange.market': MarketId
  'listingChange.status': ListingStatus
  'listingChange.previousStatus': ListingStatus
  'listingChange.rowBefore': SearchRow
  'permitChange.market': MarketId
  'permitChange.status': PermitStatus
  'permitChange.previousStatus': PermitStatus
  'announcedScore.market': MarketId
  'valueChange.market': MarketId
  'forecast.market': MarketId
  'forecast.model': LiveAccuracy['model']
  'valueChange.moved': readonly MovedInput[]
  'marketHeat.market': MarketId
  'marketHeat.parts': readonly ScorePart[]
  'marketSeries.market': MarketId
  'marketSeries.length': SeriesInterval
  'marketSeries.figures': SeriesFigures
  'model.market': MarketId
  'valuation.market': MarketId
  'valuation.counts': Partial<Record<Dataset, number>>
  'datasetCount.dataset': Dataset
  'model.body': object
  'accuracy.market': MarketId
  'accuracy.measures': AccuracyMeasures
  'assessRun.market': MarketId
  'assessBatch.market': MarketId
  'datasetCount.market': MarketId
  'parcelOutline.market': MarketId
  'parcelOutline.bounds': string
  'parcelOutline.polygons': ParcelShape['coordinates']
  'street.market': MarketId
  'street.bounds': string
  'street.path': readonly (readonly [lng: number, lat: number])[]
}
