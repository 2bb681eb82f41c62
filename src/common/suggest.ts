// The known name that a mistyped one was probably meant to be.
import { editDistance } from './spelling.ts'

/** Case, hyphens and underscores do not matter; otherwise at most two typing errors, or one in a short name. */
export const closestName = (given: string, known: readonly string[]): string | undefined => {
  const bare = bareName(given)
  const same = known.find((name) => bareName(name) === bare)
  if (same) return same
  const most = bare.length > 4 ? 2 : 1
  const near = known
    .filter((name) => Math.abs(bareName(name).length - bare.length) <= most)
    .map((name) => ({ name, distance: editDistance(bare, bareName(name)) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  const longer = known.filter((name) => bareName(name).startsWith(bare))
  return near[0]?.name ?? (bare.length > 3 && longer.length === 1 ? longer[0] : undefined)
}

/** " Did you mean …?" for the end of a sentence; empty if no known name is close. */
export const didYouMean = (given: string, known: readonly string[]): string => {
  const close = closestName(given, known)
  return close === undefined ? '' : ` Did you mean ${close}?`
}

/** The name without case, spaces and punctuation. */
export const bareName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
