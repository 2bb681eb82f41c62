// The source of a record as it is served.
import type { Provenance } from '../contract/provenance.ts'
import type { SourceUse } from '../contract/source-uses.ts'

interface Sourced {
  sourceId?: string
  sourceTitle?: string
  sourceUrl?: string
  license?: string
  sample?: boolean
  uses?: readonly SourceUse[]
  collectedAt?: Date
}

export const provenanceOf = (row: Sourced): Provenance | undefined =>
  row.sourceId === undefined
    ? undefined
    : {
        source: row.sourceId,
        title: row.sourceTitle,
        licence: row.license,
        url: isWebAddress(row.sourceUrl) ? row.sourceUrl : undefined,
        collectedAt: row.collectedAt?.toISOString(),
        uses: row.uses && [...row.uses],
        sample: row.sample,
      }

/** A feed read from a local file has no public URL. */
const isWebAddress = (url: string | undefined): boolean => url !== undefined && /^https?:\/\//.test(url)
