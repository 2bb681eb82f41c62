// The source of a record as it is served.
import type { Provenance } from '../contract/provenance.ts'

interface Sourced {
  sourceId?: string
  sourceTitle?: string
  sourceUrl?: string
  license?: string
  sample?: boolean
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
        sample: row.sample,
      }

/** A feed read from a local file has no public URL. */
const isWebAddress = (url: string | undefined): boolean => url !== undefined && /^https?:\/\//.test(url)
