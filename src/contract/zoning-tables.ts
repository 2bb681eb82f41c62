// The zoning districts of the loaded packs.

import type { MarketId } from './facts.ts'
import { findCity } from './markets.ts'
import type { District } from './zoning.ts'

export let districts: readonly District[] = []

let byCode = new Map<string, District>()

export function setDistricts(loaded: readonly District[]): void {
  districts = loaded
  byCode = new Map(
    districts.flatMap((district) => district.codes.map((code) => [key(district.city, code), district] as const)),
  )
}

/**
 * Finds the district of a zoning code in any spelling: "R1-10", "R-1-10" and "r1 10" are the same. Words after the code ("R-1,
 * Single Family") and combining suffixes that do not change size rules ("/DR/CD") are ignored. Any other suffix may change the
 * rules, so it is not ignored.
 */
export function districtOf(city: string, zoningCode: string | undefined, market?: MarketId): District | undefined {
  const slug = findCity(city, market)?.slug
  if (!slug || !zoningCode) return undefined
  let code = zoningCode.trim()
  for (;;) {
    const district = byCode.get(key(slug, code))
    if (district) return district
    const shorter = code.replace(/(?:\s*,.*|\s+[A-Za-z]{3,}.*|\s*\/\s*(?:DR|CD))$/i, '')
    if (shorter === code || shorter === '') return undefined
    code = shorter
  }
}

export function districtsOf(city: string, market?: MarketId): readonly District[] {
  const slug = findCity(city, market)?.slug
  return districts.filter((district) => district.city === slug)
}

function key(slug: string, code: string): string {
  return `${slug} ${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`
}
