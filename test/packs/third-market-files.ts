// A generated market that is neither of the program's: a pack, three files as a county and a broker would send them, and their
// sources. The county names no cities, so homes are placed by ZIP code.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { csvOf, type Row } from '../ingest/feed.ts'
import { packFolder } from './pack-folder.ts'

export const market = 'springfield-area'

const streets = ['Maple', 'Cedar', 'Walnut', 'Adams', 'Monroe', 'Jackson', 'Cook', 'Edwards', 'Spring', 'Pasfield']
const homesPerStreet = 30

interface Home {
  pin: string
  row: Row
  priceUsd: number
}

/** Prices follow living area, age and the distance to the north, with a regular deviation of up to 4%. */
const home = (at: number): Home => {
  const street = streets[Math.floor(at / homesPerStreet)]!
  const nth = at % homesPerStreet
  const livingSqft = 1_000 + ((at * 37) % 60) * 25
  const yearBuilt = 1920 + ((at * 13) % 95)
  const lat = 39.74 + Math.floor(at / homesPerStreet) * 0.006
  const base = 60_000 + livingSqft * 120 + (yearBuilt - 1920) * 400 + (lat - 39.74) * 900_000
  return {
    pin: `1427${String(at).padStart(10, '0')}`,
    priceUsd: Math.round(base * (1 + (((at * 7) % 9) - 4) / 100)),
    row: {
      PIN: `1427${String(at).padStart(10, '0')}`,
      SITUS: `${100 + nth * 4} ${street} St`,
      ZIP: at % 2 ? '62701' : '62702',
      ACRES: (0.12 + (at % 8) * 0.03).toFixed(3),
      AREA: livingSqft,
      BUILT: yearBuilt,
      BEDS: 2 + (at % 3),
      BATHS: 1 + (at % 2),
      ZONE: at % 10 === 9 ? 'PUD-4' : 'R-1',
      LAT: lat,
      LNG: -89.7 + nth * 0.004,
    },
  }
}

const homes = Array.from({ length: streets.length * homesPerStreet }, (_, at) => home(at))
const dayBefore = (days: number) => new Date(Date.parse('2026-11-14') - days * 86_400_000).toISOString().slice(0, 10)

const homeFields = {
  apn: 'PIN',
  address: 'SITUS',
  zip: 'ZIP',
  lotSqft: { field: 'ACRES', unit: 'acres' },
  livingSqft: 'AREA',
  yearBuilt: 'BUILT',
  beds: 'BEDS',
  baths: 'BATHS',
  lat: 'LAT',
  lng: 'LNG',
}

const files: Record<string, { rows: Row[]; fields: Record<string, unknown> }> = {
  parcels: {
    rows: homes.map(({ row }) => row),
    fields: { ...homeFields, zoning: 'ZONE', propertyType: { constant: 'single_family' } },
  },
  sales: {
    rows: homes
      .filter((_, at) => at % 30 !== 5)
      .map(({ pin, row, priceUsd }, at) => ({
        ...row,
        DEED: `D${pin}`,
        SOLD: dayBefore(20 + at * 2),
        PRICE: priceUsd,
      })),
    fields: { ...homeFields, saleId: 'DEED', soldOn: 'SOLD', priceUsd: 'PRICE' },
  },
  listings: {
    rows: homes
      .filter((_, at) => at % 30 === 5 || at % 30 === 17)
      .map(({ pin, row, priceUsd }, at) => ({ ...row, MLS: `M${pin}`, LISTED: dayBefore(3 + at), ASK: priceUsd })),
    fields: {
      ...homeFields,
      listingId: 'MLS',
      status: { constant: 'active' },
      listedOn: 'LISTED',
      priceUsd: 'ASK',
    },
  },
}

/** Writes the pack, the files and their sources. Returns PACKS_DIR and the paths of the sources in the order of the recipe. */
export const writeThirdMarket = (): { packsDir: string; sources: string[] } => {
  const packsDir = packFolder()
  const dir = mkdtempSync(join(tmpdir(), 'lotline-county-'))
  const sources = Object.entries(files).map(([holds, { rows, fields }]) => {
    const id = `springfield-${holds}`
    const config = { id, title: `Springfield ${holds}`, kind: 'csv', holds, market, county: 'Sangamon' }
    writeFileSync(join(dir, `${holds}.csv`), csvOf(rows))
    const path = join(dir, `${holds}.json`)
    writeFileSync(path, JSON.stringify({ ...config, where: { url: `${holds}.csv` }, fields, licence: 'Public domain' }))
    return path
  })
  return { packsDir, sources }
}
