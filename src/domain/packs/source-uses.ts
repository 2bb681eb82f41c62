// Where a source permits its photos and listing links to appear.

export const sourceUses = ['page', 'api', 'agent', 'export', 'feed', 'webhook'] as const
export type SourceUse = (typeof sourceUses)[number]

/** Listing services usually forbid passing their records on in bulk. */
const noBulkUse: readonly string[] = ['reso', 'redfin']

/** Share-alike licenses require that what is passed on has the same license, which the operator has to decide. */
const shareAlike = /\bODbL\b|share[- ]?alike|\bBY(-NC)?-SA\b/i

export const usesOf = (kind: string, uses?: readonly SourceUse[], license = ''): readonly SourceUse[] =>
  uses ??
  (noBulkUse.includes(kind) || shareAlike.test(license)
    ? sourceUses.filter((use) => use !== 'export' && use !== 'feed')
    : sourceUses)

/** A URL of a feed that a page may link to: https, without credentials. Feeds can contain anything, such as `javascript:`. */
export const webLink = (url: string | undefined): string | undefined => {
  const parsed = url === undefined || url.length > maxLinkLength ? null : URL.parse(url)
  return parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '' ? parsed.href : undefined
}
const maxLinkLength = 2000
