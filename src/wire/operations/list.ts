// Everything the service can do, in the order the reference shows it.
import { pick } from '../../common/typed.ts'
import type { Operation } from '../operation.ts'
import * as assumptions from './assumptions.ts'
import * as builders from './builders.ts'
import * as coverage from './coverage.ts'
import * as deals from './deals.ts'
import * as exported from './exports.ts'
import * as keys from './keys.ts'
import * as leads from './leads.ts'
import * as lookup from './lookup.ts'
import * as marketSeries from './market-series.ts'
import * as markets from './markets.ts'
import * as permitTimelines from './permit-timelines.ts'
import * as permits from './permits.ts'
import * as properties from './properties.ts'
import * as sales from './sales.ts'
import * as search from './search.ts'
import * as signals from './signals.ts'
import * as watches from './watches.ts'
import * as webhooks from './webhooks.ts'

export const operations = {
  ...pick(signals, 'listMarketSignals'),
  ...pick(search, 'searchAll'),
  ...pick(sales, 'listSales'),
  ...pick(search, 'listFields'),
  ...pick(properties, 'getPropertyIntelligence', 'runProforma', 'getPropertySchemes', 'getBuiltNearby'),
  ...pick(assumptions, 'listAssumptions', 'listAssumptionSets', 'createAssumptionSet', 'getAssumptionSet'),
  ...pick(assumptions, 'updateAssumptionSet', 'deleteAssumptionSet'),
  ...pick(lookup, 'lookUpAddress', 'lookUpBatch'),
  ...pick(permits, 'searchPermits', 'getPermit'),
  listSb9Inventory: leads.listLotSplits,
  ...pick(leads, 'listAduLeads', 'listRedevelopmentLeads', 'listUseLeads'),
  ...pick(marketSeries, 'getMarketSeries'),
  ...pick(permitTimelines, 'getPermitTimelines'),
  ...pick(builders, 'listBuilders', 'getBuilder', 'listBuilderPermits'),
  ...pick(coverage, 'getCoverage', 'getAccuracy'),
  ...pick(markets, 'listMarkets'),
  ...pick(keys, 'createKey', 'getUsage', 'rotateKey', 'deleteKey', 'subscribe'),
  ...pick(watches, 'createWatch', 'listWatches', 'getWatch', 'updateWatch', 'deleteWatch', 'pauseWatch'),
  ...pick(watches, 'resumeWatch', 'testWatch', 'listWatchMatches'),
  ...pick(deals, 'createDeal', 'listDeals', 'getDeal', 'updateDeal', 'deleteDeal'),
  ...pick(webhooks, 'registerWebhook', 'listWebhooks', 'updateWebhook', 'deleteWebhook', 'testWebhook'),
  ...pick(webhooks, 'rotateWebhook', 'enableWebhook', 'listDeliveries', 'replayDelivery', 'listEvents'),
  ...pick(exported, 'createExport', 'listExports', 'getExport', 'deleteExport'),
}

export type OperationName = keyof typeof operations

/** With the operation that answers a file, for which the typed client has no method. */
export const operationList: readonly Operation[] = [...Object.values(operations), exported.getExportFile]
