// The schema of each file of a pack, by the name of its file in packs/schema.
import { AssumptionsFile, CitiesFile, PackManifest, VectorsFile } from '../contract/market-pack.ts'
import { ZoningFile } from '../contract/zoning-file.ts'

export const packSchemas = {
  pack: PackManifest,
  cities: CitiesFile,
  zoning: ZoningFile,
  assumptions: AssumptionsFile,
  vectors: VectorsFile,
} as const
