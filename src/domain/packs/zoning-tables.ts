// Finds the zoning districts of a market pack.
import { cityIn, type MarketPack, oncePerPack } from './pack.ts'
import type { District } from './zoning.ts'

/**
 * Finds the district of a zoning code in any spelling: "R1-10", "R-1-10" and "r1 10" are the same. Words after the code ("R-1,
 * Single Family") and combining suffixes that do not change size rules ("/DR/CD") are ignored. Any other suffix may change the
 * rules, so it is not ignored.
 */
export function districtOf(
  pack: MarketPack | undefined,
  city: string,
  zoningCode: string | undefined,
): District | undefined {
  const slug = cityIn(pack, city)?.slug
  if (!pack || !slug || !zoningCode) return undefined
  let code = zoningCode.trim()
  for (;;) {
    const district = districtsByCode(pack).get(key(slug, code))
    if (district) return district
    const shorter = code.replace(/(?:\s*,.*|\s+[A-Za-z]{3,}.*|\s*\/\s*(?:DR|CD))$/i, '')
    if (shorter === code || shorter === '') return undefined
    code = shorter
  }
}

export function districtsOf(pack: MarketPack | undefined, city: string): readonly District[] {
  const slug = cityIn(pack, city)?.slug
  return pack?.districts.filter((district) => district.city === slug) ?? []
}

const districtsByCode = oncePerPack(
  ({ districts }) =>
    new Map(
      districts.flatMap((district) => district.codes.map((code) => [key(district.city, code), district] as const)),
    ),
)

function key(slug: string, code: string): string {
  return `${slug} ${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`
}
