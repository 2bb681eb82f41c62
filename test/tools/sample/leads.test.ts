// The leads of the sample's parcels must discriminate: a list that most parcels pass, or that ties at the top, ranks nothing.
import { expect, test } from 'vitest'
import { type OverlayName, overlayNames, type ParcelFacts, type Tristate } from '../../../src/domain/facts.ts'
import { packOf } from '../../../src/domain/packs/use-packs.ts'
import { bestLead } from '../../../src/laws/list.ts'
import { parcelLeads } from '../../../src/laws/parcel-leads.ts'
import { defaultSeed } from '../../../tools/sample/random.ts'
import { generated, type Row } from './feeds.ts'

const today = '2026-11-15'
const { parcels } = generated(defaultSeed, today)
const peninsula = parcels.filter((row) => row.market === 'sf-peninsula').map(factsOf)
const leads = peninsula.map((facts) => {
  const { byLaw, redevelopment } = parcelLeads(facts, today, packOf('sf-peninsula'))
  return { facts, adu: bestLead(byLaw, 'accessory_unit')!.finding, redevelopment }
})

test('ADU scores spread over their range, and fewer than half of all parcels pass the default of 60', () => {
  const scores = leads.flatMap(({ adu }) => adu.aduScore ?? []).sort((a, b) => a - b)
  const top = scores.filter((score) => score === scores.at(-1)).length
  expect(top / scores.length).toBeLessThan(0.01)
  const passing = scores.filter((score) => score >= 60).length / peninsula.length
  expect(passing).toBeGreaterThan(0.15)
  expect(passing).toBeLessThan(0.5)
  const decile = (tenths: number) => scores[Math.floor((tenths / 10) * scores.length)]!
  expect(decile(9) - decile(1)).toBeGreaterThan(40)
})

test('units differ by lot, and some lots with a score have a blocker', () => {
  const three = leads.filter(({ adu }) => adu.maxUnits === 3).length / leads.length
  expect(three).toBeLessThan(0.55)
  const listed = leads.filter(({ adu }) => (adu.aduScore ?? 0) >= 60)
  expect(listed.some(({ adu }) => adu.blockers.length > 0)).toBe(true)
})

test('no served coverage is implausible', () => {
  for (const { adu } of leads) expect(adu.lot.coveragePct ?? 0).toBeLessThanOrEqual(60)
})

test('every vacant lot with known zoning that is not blocked is a redevelopment lead', () => {
  const vacant = leads.filter(({ facts }) => facts.propertyType === 'land')
  expect(vacant.length).toBeGreaterThan(25)
  for (const { redevelopment } of vacant)
    if (redevelopment.allowableSqft !== undefined && redevelopment.blockers.length === 0) {
      expect(redevelopment.class).toBe('vacant_lot')
      expect(redevelopment.redevelopmentScore).toBeGreaterThanOrEqual(60)
    }
})

test('on Nantucket only old houses contribute to the historic district', () => {
  const contributing = parcels.filter(
    (row) => row.market === 'nantucket' && row['overlay.historicContributing'] === 'yes',
  )
  expect(contributing.length).toBeGreaterThan(50)
  for (const row of contributing) expect(Number(row.yearBuilt)).toBeLessThan(1945)
})

function factsOf(row: Row): ParcelFacts {
  const number = (name: string) => (row[name] ? Number(row[name]) : undefined)
  return {
    id: row.apn!,
    market: 'sf-peninsula',
    city: row.city!,
    address: row.address!,
    propertyType: row.propertyType as ParcelFacts['propertyType'],
    zoning: row.zoning || undefined,
    cornerLot: row.cornerLot ? row.cornerLot === 'yes' : undefined,
    livingSqft: number('livingSqft'),
    lotSqft: number('lotSqft'),
    yearBuilt: number('yearBuilt'),
    yearRenovated: number('yearRenovated'),
    stories: number('stories'),
    lotWidthFt: number('lotWidthFt'),
    lotDepthFt: number('lotDepthFt'),
    slopePct: number('slopePct'),
    garageSqft: number('garageSqft'),
    units: number('units'),
    assessedLandUsd: number('assessedLandUsd'),
    assessedImprovementUsd: number('assessedImprovementUsd'),
    overlays: Object.fromEntries(
      overlayNames.flatMap((name): [OverlayName, Tristate][] => {
        const value = row[`overlay.${name}`]
        return value ? [[name, value as Tristate]] : []
      }),
    ),
  }
}
