// Generates the sample into a temporary folder and reads the CSV files back.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { type SampleFeed, sampleFeeds } from '../../../src/ingest/sample-data.ts'
import { generateSample } from './generate-sample.ts'

export type Row = Record<string, string>
export type Feeds = Record<SampleFeed, Row[]>

export const generated = (seed: number, today: string): Feeds => inFolder((dir) => generateSample({ seed, today, dir }))

export const generatedText = (seed: number, today: string): Record<SampleFeed, string> =>
  withFolder((dir) => {
    generateSample({ seed, today, dir })
    return texts(dir)
  })

export const keyOf = (name: SampleFeed, row: Row): string =>
  ({
    parcels: `${row.county} ${row.apn}`,
    listings: row.listingId as string,
    sales: row.saleId as string,
    permits: `${row.city} ${row.permitId}`,
    rents: row.rentId as string,
  })[name]

function inFolder(write: (dir: string) => void): Feeds {
  return withFolder((dir) => {
    write(dir)
    return read(texts(dir))
  })
}

export const read = (text: Record<SampleFeed, string>): Feeds =>
  Object.fromEntries(sampleFeeds.map((name) => [name, parse(text[name], { columns: true })])) as Feeds

function texts(dir: string): Record<SampleFeed, string> {
  const entries = sampleFeeds.map((name) => [name, readFileSync(join(dir, `${name}.csv`), 'utf8')])
  return Object.fromEntries(entries) as Record<SampleFeed, string>
}

function withFolder<T>(work: (dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'lotline-sample-'))
  try {
    return work(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
