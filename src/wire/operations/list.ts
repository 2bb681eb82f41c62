// Everything the service can do, in the order the reference shows it.
import type { Operation } from '../operation.ts'
import {
  createAssumptionSet,
  deleteAssumptionSet,
  getAssumptionSet,
  listAssumptionSets,
  listAssumptions,
  updateAssumptionSet,
} from './assumptions.ts'
import { getBuilder, listBuilderPermits, listBuilders } from './builders.ts'
import { getAccuracy, getCoverage } from './coverage.ts'
import { createDeal, deleteDeal, getDeal, listDeals, updateDeal } from './deals.ts'
import { createExport, deleteExport, getExport, getExportFile, listExports } from './exports.ts'
import { createKey, deleteKey, getUsage, rotateKey, subscribe } from './keys.ts'
import { listAduLeads, listLotSplits, listRedevelopmentLeads, listUseLeads } from './leads.ts'
import { lookUpAddress, lookUpBatch } from './lookup.ts'
import { getMarketSeries } from './market-series.ts'
import { listMarkets } from './markets.ts'
import { getPermitTimelines } from './permit-timelines.ts'
import { getPermit, searchPermits } from './permits.ts'
import { getBuiltNearby, getPropertyIntelligence, getPropertySchemes, runProforma } from './properties.ts'
import { listSales } from './sales.ts'
import { listFields, searchAll } from './search.ts'
import { listMarketSignals } from './signals.ts'
import {
  createWatch,
  deleteWatch,
  getWatch,
  listWatches,
  listWatchMatches,
  pauseWatch,
  resumeWatch,
  testWatch,
  updateWatch,
} from './watches.ts'
import {
  deleteWebhook,
  enableWebhook,
  listDeliveries,
  listEvents,
  listWebhooks,
  registerWebhook,
  replayDelivery,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from './webhooks.ts'

export const operations = {
  listMarketSignals,
  searchAll,
  listSales,
  listFields,
  getPropertyIntelligence,
  runProforma,
  getPropertySchemes,
  getBuiltNearby,
  listAssumptions,
  listAssumptionSets,
  createAssumptionSet,
  getAssumptionSet,
  updateAssumptionSet,
  deleteAssumptionSet,
  lookUpAddress,
  lookUpBatch,
  searchPermits,
  getPermit,
  listSb9Inventory: listLotSplits,
  listAduLeads,
  listRedevelopmentLeads,
  listUseLeads,
  getMarketSeries,
  getPermitTimelines,
  listBuilders,
  getBuilder,
  listBuilderPermits,
  getCoverage,
  getAccuracy,
  listMarkets,
  createKey,
  getUsage,
  rotateKey,
  deleteKey,
  subscribe,
  createWatch,
  listWatches,
  getWatch,
  updateWatch,
  deleteWatch,
  pauseWatch,
  resumeWatch,
  testWatch,
  listWatchMatches,
  createDeal,
  listDeals,
  getDeal,
  updateDeal,
  deleteDeal,
  registerWebhook,
  listWebhooks,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhook,
  enableWebhook,
  listDeliveries,
  replayDelivery,
  listEvents,
  createExport,
  listExports,
  getExport,
  deleteExport,
} as const

export type OperationName = keyof typeof operations

/** With the operation that answers a file, for which the typed client has no method. */
export const operationList: readonly Operation[] = [...Object.values(operations), getExportFile]
