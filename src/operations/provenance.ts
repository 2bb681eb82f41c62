// The source of a record as it is served.

import { type SourceUse, sourceUses, usesOf } from '../domain/packs/source-uses.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { Known } from '../store/engine/database.ts'
import type { MaybeSourced } from '../store/properties/source-columns.ts'
import type { Surface } from './listing-media.ts'

type Sourced = Partial<Known<MaybeSourced>> & {
  /** Given for a listing, whose answer always has them. */
  uses?: readonly SourceUse[] | undefined
  collectedAt?: Date
}

/** Many feeds give the listing page as the URL of the record, so it is served only where the source permits links. */
export const provenanceOf = (row: Sourced, surface: Surface): Provenance | undefined => {
  if (row.sourceId === undefined || row.sourceKind === undefined) return undefined
  const uses = usesOf(row.sourceKind, row.sourceUses)
  const restricted = uses.length < sourceUses.length ? uses : undefined
  return {
    source: row.sourceId,
    title: row.sourceTitle,
    licence: row.license,
    url: uses.includes(surface) && isWebAddress(row.sourceUrl) ? row.sourceUrl : undefined,
    collectedAt: row.collectedAt?.toISOString(),
    uses: (row.uses ?? restricted)?.slice(),
    sample: row.sample,
  }
}

/** A feed read from a local file has no public URL. */
const isWebAddress = (url: string | undefined): boolean => url !== undefined && /^https?:\/\//.test(url)
