// Method, path and pagination of each operation. Copied from the contract, and checked against it by a test, because
// importing the contract would add its schemas to every bundle.
import type { Method } from '../wire/operation.ts'
import type { OperationName } from '../wire/operations/list.ts'

/** How an operation paginates: by an opaque cursor, or by the feed's `after`. */
export type Paging = 'cursor' | 'after'

export type Route = readonly [method: Method, path: string, paging?: Paging]

export const routes = {
  listMarketSignals: ['GET', '/v1/market-signals', 'cursor'],
  searchAll: ['POST', '/v1/search', 'cursor'],
  listSales: ['GET', '/v1/sales', 'cursor'],
  listFields: ['GET', '/v1/fields'],
  getPropertyIntelligence: ['GET', '/v1/properties/{id}'],
  runProforma: ['GET', '/v1/properties/{id}/proforma'],
  getPropertySchemes: ['GET', '/v1/properties/{id}/schemes'],
  getBuiltNearby: ['GET', '/v1/properties/{id}/built-nearby'],
  listAssumptions: ['GET', '/v1/assumptions'],
  listAssumptionSets: ['GET', '/v1/assumption-sets', 'cursor'],
  createAssumptionSet: ['POST', '/v1/assumption-sets'],
  getAssumptionSet: ['GET', '/v1/assumption-sets/{id}'],
  updateAssumptionSet: ['PUT', '/v1/assumption-sets/{id}'],
  deleteAssumptionSet: ['DELETE', '/v1/assumption-sets/{id}'],
  lookUpAddress: ['GET', '/v1/lookup'],
  lookUpBatch: ['POST', '/v1/lookup/batch'],
  searchPermits: ['GET', '/v1/permits', 'cursor'],
  getPermit: ['GET', '/v1/permits/{citySlug}/{permitId}'],
  listSb9Inventory: ['GET', '/v1/sb9-inventory', 'cursor'],
  listAduLeads: ['GET', '/v1/adu-leads', 'cursor'],
  listRedevelopmentLeads: ['GET', '/v1/redevelopment-leads', 'cursor'],
  listUseLeads: ['GET', '/v1/use-leads', 'cursor'],
  getMarketSeries: ['GET', '/v1/market-series', 'cursor'],
  getPermitTimelines: ['GET', '/v1/permit-timelines', 'cursor'],
  listBuilders: ['GET', '/v1/builders', 'cursor'],
  getBuilder: ['GET', '/v1/builders/{id}'],
  listBuilderPermits: ['GET', '/v1/builders/{id}/permits', 'cursor'],
  getCoverage: ['GET', '/v1/coverage', 'cursor'],
  listMarkets: ['GET', '/v1/markets'],
  getAccuracy: ['GET', '/v1/accuracy', 'cursor'],
  createKey: ['POST', '/v1/keys'],
  getUsage: ['GET', '/v1/usage'],
  rotateKey: ['POST', '/v1/keys/rotate'],
  deleteKey: ['DELETE', '/v1/keys/current'],
  subscribe: ['POST', '/v1/subscribe'],
  createWatch: ['POST', '/v1/watches'],
  listWatches: ['GET', '/v1/watches', 'cursor'],
  getWatch: ['GET', '/v1/watches/{id}'],
  updateWatch: ['PUT', '/v1/watches/{id}'],
  deleteWatch: ['DELETE', '/v1/watches/{id}'],
  pauseWatch: ['POST', '/v1/watches/{id}/pause'],
  resumeWatch: ['POST', '/v1/watches/{id}/resume'],
  testWatch: ['POST', '/v1/watches/{id}/test'],
  listWatchMatches: ['GET', '/v1/watches/{id}/matches', 'cursor'],
  createDeal: ['POST', '/v1/deals'],
  listDeals: ['GET', '/v1/deals', 'cursor'],
  getDeal: ['GET', '/v1/deals/{id}'],
  updateDeal: ['PUT', '/v1/deals/{id}'],
  deleteDeal: ['DELETE', '/v1/deals/{id}'],
  registerWebhook: ['POST', '/v1/webhooks/register'],
  listWebhooks: ['GET', '/v1/webhooks', 'cursor'],
  updateWebhook: ['PUT', '/v1/webhooks/{id}'],
  deleteWebhook: ['DELETE', '/v1/webhooks/{id}'],
  testWebhook: ['POST', '/v1/webhooks/{id}/test'],
  rotateWebhook: ['POST', '/v1/webhooks/{id}/rotate'],
  enableWebhook: ['POST', '/v1/webhooks/{id}/enable'],
  listDeliveries: ['GET', '/v1/webhooks/{id}/deliveries', 'cursor'],
  replayDelivery: ['POST', '/v1/webhooks/{id}/deliveries/{deliveryId}/replay'],
  listEvents: ['GET', '/v1/events', 'after'],
  createExport: ['POST', '/v1/exports'],
  listExports: ['GET', '/v1/exports', 'cursor'],
  getExport: ['GET', '/v1/exports/{id}'],
  deleteExport: ['DELETE', '/v1/exports/{id}'],
} as const satisfies Record<OperationName, Route>

export type PagedName = {
  [Name in OperationName]: (typeof routes)[Name] extends readonly [Method, string, Paging] ? Name : never
}[OperationName]
