// The schema of each file of a pack, by the name of its file in packs/schema.
import { FactsFile } from '../domain/packs/city-facts.ts'
import { AssumptionsFile, CitiesFile, PackManifest, VectorsFile } from '../domain/packs/market-pack.ts'
import { LandFile } from '../domain/packs/pack-land.ts'
import { SampleMarketFile, SampleZonesFile } from '../domain/packs/pack-sample.ts'
import { ZoningFile } from '../domain/packs/zoning.ts'

export const packSchemas = {
  pack: PackManifest,
  cities: CitiesFile,
  zoning: ZoningFile,
  assumptions: AssumptionsFile,
  facts: FactsFile,
  vectors: VectorsFile,
  land: LandFile,
  'sample-market': SampleMarketFile,
  'sample-zones': SampleZonesFile,
} as const
