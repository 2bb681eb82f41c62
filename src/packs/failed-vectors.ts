// Runs the worked examples of a pack: a lot in, its envelope or pro forma out.
import { assumptionsFor } from '../domain/assumptions/assumptions.ts'
import type { ParcelFacts } from '../domain/facts.ts'
import type { VectorsFile } from '../domain/packs/market-pack.ts'
import { cityIn, type MarketPack } from '../domain/packs/pack.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { proforma } from '../intelligence/proforma/proforma.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import { readVectors } from './load-pack.ts'
import type { BrokenPack } from './read-file.ts'

/** One error for each example that gives another result, with its line. */
export const failedVectors = (pack: MarketPack): { count: number; failed: BrokenPack[] } => {
  const { dir, cities } = pack
  const { vectors, error } = readVectors(dir, new Set(cities.map(({ slug }) => slug))) ?? { vectors: [] }
  const failed = vectors.flatMap((vector, at) =>
    vectorDifferences(pack, vector).map((text) => error!(['vectors', at, 'name'], `${vector.name}: ${text}`)),
  )
  return { count: vectors.length, failed }
}

type Vector = VectorsFile['vectors'][number]

/** One sentence per difference; empty if the example holds. */
const vectorDifferences = (
  pack: MarketPack,
  { city: slug, lot, sale, envelope, proforma: deal, tolerance = 1 }: Vector,
): string[] => {
  const city = cityIn(pack, slug)!
  const facts = { id: 'vector', address: '', ...lot, market: city.market, city: city.name, overlays: {} } as ParcelFacts
  const found = buildingEnvelope(facts, districtOf(pack, city.slug, facts.zoning))
  const differences = compared('envelope', envelope, found, tolerance)
  if (!sale) return differences
  const { proforma: built } = proforma({
    pack,
    facts,
    priceUsd: sale.priceUsd,
    envelope: found,
    comps: {
      arvPerSqft: sale.arvPerSqft,
      compCount: 5,
      compsCityMatched: true,
      compsTypeMatched: true,
      confidence: 'high',
    },
    assumptions: assumptionsFor(pack, city.slug),
  })
  return [...differences, ...compared('proforma', deal, built, tolerance)]
}

const compared = (what: string, expected: Vector['envelope'], found: object, tolerance: number): string[] =>
  Object.entries(expected ?? {}).flatMap(([name, value]) => {
    const got = (found as Record<string, unknown>)[name] ?? null
    const same =
      typeof value === 'number' && typeof got === 'number' ? Math.abs(got - value) <= tolerance : got === value
    return same ? [] : [`${what}.${name} is ${got ?? 'absent'}, expected ${value ?? 'absent'}`]
  })
