// A small complete pack in a temporary folder, for tests that load, break or extend one.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

export const springfield = {
  pack: {
    id: 'springfield-area',
    number: 901,
    version: '1.0.0',
    name: 'Springfield Area',
    aliases: [],
    country: 'US',
    state: 'IL',
    stateName: 'Illinois',
    timeZone: 'America/Chicago',
    center: { lat: 39.78, lng: -89.65 },
    box: { south: 39.6, north: 39.9, west: -89.8, east: -89.5 },
    ranking: 'redevelopment',
    laws: [] as { id: string; since: string }[],
    apn: [{ county: 'Sangamon', digits: 14 }],
    license: 'CC0-1.0',
    source: 'written for a test',
    asOf: '2026-11',
  },
  cities: {
    source: 'written for a test',
    asOf: '2026-11',
    cities: [
      {
        name: 'Springfield',
        slug: 'springfield-il',
        county: 'Sangamon',
        zipCodes: ['62701', '62702'],
        center: { lat: 39.78, lng: -89.65 },
        box: { south: 39.6, north: 39.9, west: -89.8, east: -89.5 },
        aliases: [],
        incorporated: true,
        urbanized: true,
        charter: false,
        coastal: false,
      },
    ],
  },
  zoning: {
    city: 'springfield-il',
    districts: [
      {
        codes: ['R-1'],
        modelled: true,
        minLotSqft: 5000,
        floorArea: { kind: 'ratio', ratio: 0.5 },
        heightFt: 30,
        confidence: { floorArea: 'high' },
        source: 'written for a test',
        asOf: '2026',
      },
    ],
  },
  assumptions: {
    assumptions: {
      costPerSqft: { value: 180, reason: 'quotes', source: 'written for a test', confidence: 'medium' },
    },
  },
  vectors: {
    vectors: [
      {
        name: 'half of the lot',
        source: 'arithmetic',
        city: 'springfield-il',
        lot: { lotSqft: 8000, zoning: 'R-1' },
        envelope: { maxSqft: 4000 },
      },
    ],
  },
}

type Files = typeof springfield
type Changed = { [K in keyof Files]?: Partial<Files[K]> | string }

/** Writes the pack into a new folder of packs and returns that folder. A text replaces a file as it is. */
export const packFolder = (changed: Changed = {}, folder = mkdtempSync(join(inject('filesDir'), 'packs-'))): string => {
  const fileOf = <K extends keyof Files>(name: K): string => {
    const change = changed[name]
    return typeof change === 'string' ? change : JSON.stringify({ ...springfield[name], ...change }, null, 2)
  }
  const id = (JSON.parse(fileOf('pack')) as { id: string }).id
  const dir = join(folder, id)
  mkdirSync(join(dir, 'zoning'), { recursive: true })
  writeFileSync(join(dir, 'pack.json'), fileOf('pack'))
  writeFileSync(join(dir, 'cities.json'), fileOf('cities'))
  writeFileSync(join(dir, 'zoning/springfield.json'), fileOf('zoning'))
  writeFileSync(join(dir, 'assumptions.json'), fileOf('assumptions'))
  writeFileSync(join(dir, 'vectors.json'), fileOf('vectors'))
  return folder
}
