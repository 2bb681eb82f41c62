// The implementation of each operation.
import {
  createAssumptionSetRun,
  deleteAssumptionSetRun,
  getAssumptionSetRun,
  listAssumptionSetsRun,
  listAssumptionsRun,
  updateAssumptionSetRun,
} from './assumptions.ts'
import { getBuilderRun, listBuilderPermitsRun, listBuildersRun } from './builders.ts'
import type { Implementation } from './context.ts'
import { getAccuracyRun, getCoverageRun } from './coverage-and-accuracy.ts'
import { createDealRun, deleteDealRun, getDealRun, listDealsRun, updateDealRun } from './deals.ts'
import {
  createExportRun,
  deleteExportRun,
  getExportFileRun,
  getExportRun,
  listExportsRun,
  lookUpLater,
} from './exports.ts'
import { listFieldsRun } from './fields.ts'
import { getPropertyRun } from './get-property.ts'
import { createKeyRun, deleteKeyRun, getUsageRun, rotateKeyRun } from './keys.ts'
import { listAduLeadsRun, listRedevelopmentLeadsRun, listSb9InventoryRun, listUseLeadsRun } from './leads.ts'
import { listEventsRun } from './list-events.ts'
import { listMarketSignalsRun } from './list-market-signals.ts'
import { lookUpAddressRun, lookUpBatchRun } from './lookup.ts'
import { checkCsvAccess, lookUpCsv } from './lookup-csv.ts'
import { getMarketSeriesRun } from './market-series.ts'
import { listMarketsRun } from './markets.ts'
import { getPermitTimelinesRun } from './permit-timelines.ts'
import { getPermitRun, searchPermitsRun } from './permits.ts'
import { runProformaRun } from './run-proforma.ts'
import { listSalesRun } from './sales.ts'
import { searchAllRun } from './search.ts'
import { subscribeRun } from './subscribe.ts'
import {
  createWatchRun,
  deleteWatchRun,
  getWatchRun,
  listWatchesRun,
  listWatchMatchesRun,
  pauseWatchRun,
  resumeWatchRun,
  testWatchRun,
  updateWatchRun,
} from './watches.ts'
import { listDeliveriesRun, replayDeliveryRun } from './webhook-log.ts'
import {
  deleteWebhookRun,
  enableWebhookRun,
  listWebhooksRun,
  registerWebhookRun,
  rotateWebhookRun,
  testWebhookRun,
  updateWebhookRun,
} from './webhooks.ts'

export const implementations: readonly Implementation[] = [
  listMarketSignalsRun,
  searchAllRun,
  listSalesRun,
  listFieldsRun,
  getPropertyRun,
  runProformaRun,
  listAssumptionsRun,
  listAssumptionSetsRun,
  createAssumptionSetRun,
  getAssumptionSetRun,
  updateAssumptionSetRun,
  deleteAssumptionSetRun,
  lookUpAddressRun,
  { ...lookUpBatchRun, csv: { check: checkCsvAccess, answer: lookUpCsv, later: lookUpLater } },
  searchPermitsRun,
  getPermitRun,
  listSb9InventoryRun,
  listAduLeadsRun,
  listRedevelopmentLeadsRun,
  listUseLeadsRun,
  getMarketSeriesRun,
  getPermitTimelinesRun,
  listBuildersRun,
  getBuilderRun,
  listBuilderPermitsRun,
  getCoverageRun,
  getAccuracyRun,
  listMarketsRun,
  createKeyRun,
  getUsageRun,
  rotateKeyRun,
  deleteKeyRun,
  subscribeRun,
  createWatchRun,
  listWatchesRun,
  getWatchRun,
  updateWatchRun,
  deleteWatchRun,
  pauseWatchRun,
  resumeWatchRun,
  testWatchRun,
  listWatchMatchesRun,
  createDealRun,
  listDealsRun,
  getDealRun,
  updateDealRun,
  deleteDealRun,
  registerWebhookRun,
  listWebhooksRun,
  updateWebhookRun,
  deleteWebhookRun,
  testWebhookRun,
  rotateWebhookRun,
  enableWebhookRun,
  listDeliveriesRun,
  replayDeliveryRun,
  listEventsRun,
  createExportRun,
  listExportsRun,
  getExportRun,
  getExportFileRun,
  deleteExportRun,
]
