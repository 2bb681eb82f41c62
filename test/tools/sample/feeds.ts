// The CSV text of the sample's feeds, read back.
import { parse } from 'csv-parse/sync'
import { tableOf } from '../../../src/common/typed.ts'
import { type SampleFeed, sampleFeeds } from '../../../src/ingest/sample-data.ts'
import { feedTexts, sampleOf } from './generate-sample.ts'

export type Row = Record<string, string>

export function generated(seed: number, today: string): Record<SampleFeed, Row[]> {
  const texts = feedTexts(sampleOf(seed, today))
  return tableOf(sampleFeeds, (name) => parse<Row>(texts[name], { columns: true }))
}

export const keyOf = (name: SampleFeed, row: Row): string =>
  ({
    parcels: `${row.county} ${row.apn}`,
    listings: row.listingId as string,
    sales: row.saleId as string,
    permits: `${row.city} ${row.permitId}`,
    rents: row.rentId as string,
  })[name]
