// A fingerprint of what an assessment takes from the market's pack: its laws as they are in force on a day, assumptions, cities and
// zoning. A change of any of them is not news about a property.
import { createHash } from 'node:crypto'
import { assumptionTable, flipAssumptionTable } from '../domain/assumptions/assumptions.ts'
import type { MarketPack } from '../domain/packs/pack.ts'
import { lawsOf } from '../laws/list.ts'

export const packVersion = (pack: MarketPack | undefined, on: string): string => {
  if (!pack) return 'no pack'
  const { market: manifest, cities, districts, assumptions, facts } = pack
  // The rules tested for a parcel of which nothing is known are those in force.
  const parcel = { market: manifest.id, state: manifest.state, id: '', address: '', overlays: {} }
  const inForce = lawsOf(manifest, on)
  const laws = inForce.map((law) => [law.id, law.asOf, law.assess(parcel, on).trace.map(({ code }) => code)])
  const tables = [assumptionTable, flipAssumptionTable]
  const content = JSON.stringify([manifest, cities, districts, assumptions, facts, tables, laws])
  return createHash('sha256').update(content).digest('hex').slice(0, 8)
}
