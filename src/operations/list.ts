// The implementation of each operation: every one that these modules export.
import * as assumptions from './assumptions.ts'
import * as builders from './builders.ts'
import * as builtNearby from './built-nearby.ts'
import { type Implementation, isImplementation } from './context.ts'
import * as coverageAndAccuracy from './coverage-and-accuracy.ts'
import * as deals from './deals.ts'
import * as exported from './exports.ts'
import * as fields from './fields.ts'
import * as getProperty from './get-property.ts'
import * as keys from './keys.ts'
import * as leads from './leads.ts'
import * as listEvents from './list-events.ts'
import * as listMarketSignals from './list-market-signals.ts'
import * as lookup from './lookup.ts'
import { checkCsvAccess, lookUpCsv } from './lookup-csv.ts'
import * as marketSeries from './market-series.ts'
import * as markets from './markets.ts'
import * as permitTimelines from './permit-timelines.ts'
import * as permits from './permits.ts'
import * as runProforma from './run-proforma.ts'
import * as sales from './sales.ts'
import * as schemes from './schemes.ts'
import * as search from './search.ts'
import * as subscriptions from './subscriptions.ts'
import * as watches from './watches.ts'
import * as webhooks from './webhooks.ts'

const modules: readonly object[] = [
  assumptions,
  builders,
  builtNearby,
  coverageAndAccuracy,
  deals,
  exported,
  fields,
  getProperty,
  keys,
  leads,
  listEvents,
  listMarketSignals,
  lookup,
  marketSeries,
  markets,
  permitTimelines,
  permits,
  runProforma,
  sales,
  schemes,
  search,
  subscriptions,
  watches,
  webhooks,
]

const csv = { check: checkCsvAccess, answer: lookUpCsv, later: exported.lookUpLater }

export const implementations: readonly Implementation[] = modules
  .flatMap((module) => Object.values(module))
  .filter(isImplementation)
  .map((each) => (each === lookup.lookUpBatchRun ? { ...each, csv } : each))
