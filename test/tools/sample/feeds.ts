// Generates the sample into a temporary folder and reads the CSV files back.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { FeedName } from '../../../tools/sample/feeds.ts'
import { feedNames } from '../../../tools/sample/feeds.ts'
import { advanceSample, generateSample } from '../../../tools/sample/generate.ts'

export type Row = Record<string, string>
export type Feeds = Record<FeedName, Row[]>

export const generated = (seed: number, today: string): Feeds => inFolder((dir) => generateSample({ seed, today, dir }))

export const advanced = (seed: number, from: string, to: string): Feeds =>
  inFolder((dir) => advanceSample({ seed, from, to, dir }))

export const generatedText = (seed: number, today: string): Record<FeedName, string> =>
  withFolder((dir) => {
    generateSample({ seed, today, dir })
    return texts(dir)
  })

/** The rows of both feeds by key; a later row replaces an earlier one. */
export function loadedOver(earlier: Feeds, later: Feeds): Record<FeedName, Map<string, Row>> {
  const entries = feedNames.map((name) => {
    const rows = [...earlier[name], ...later[name]].map((row): [string, Row] => [keyOf(name, row), row])
    return [name, new Map(rows)] as const
  })
  return Object.fromEntries(entries) as Record<FeedName, Map<string, Row>>
}

export const keyOf = (name: FeedName, row: Row): string =>
  ({
    parcels: `${row.county} ${row.apn}`,
    listings: row.listingId as string,
    sales: row.saleId as string,
    permits: `${row.city} ${row.permitId}`,
    rents: row.rentId as string,
  })[name]

export const merged = (a: Feeds, b: Feeds): Feeds =>
  Object.fromEntries(feedNames.map((name) => [name, [...loadedOver(a, b)[name].values()]])) as Feeds

function inFolder(write: (dir: string) => void): Feeds {
  return withFolder((dir) => {
    write(dir)
    return read(texts(dir))
  })
}

export const read = (text: Record<FeedName, string>): Feeds =>
  Object.fromEntries(feedNames.map((name) => [name, parse(text[name], { columns: true })])) as Feeds

function texts(dir: string): Record<FeedName, string> {
  const entries = feedNames.map((name) => [name, readFileSync(join(dir, `${name}.csv`), 'utf8')])
  return Object.fromEntries(entries) as Record<FeedName, string>
}

function withFolder<T>(work: (dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'lotline-sample-'))
  try {
    return work(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
