// The photos and the link of a listing, where its source permits them.
import type { SourceConfig } from '../domain/packs/source-config.ts'
import { usesOf, webLink } from '../domain/packs/source-uses.ts'

interface ListedRow {
  sourceKind: string
  sourceUses?: SourceConfig['uses']
  listingUrl?: string
  photoUrls?: readonly string[]
}

/** Where an answer is shown. The agent tools read the API and apply `uses` themselves. */
export type Surface = 'page' | 'api' | 'export'

export const listingMedia = (row: ListedRow, surface: Surface) => {
  const uses = usesOf(row.sourceKind, row.sourceUses)
  if (!uses.includes(surface)) return { uses }
  const photos = [...new Set((row.photoUrls ?? []).flatMap((url) => webLink(url) ?? []))]
  return { uses, listingUrl: webLink(row.listingUrl), photos: photos.length > 0 ? photos : undefined }
}
