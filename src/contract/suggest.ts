// The known name that a mistyped one was probably meant to be.

/** Case, hyphens and underscores do not matter; otherwise at most two letters may differ. */
export const closestName = (given: string, known: readonly string[]): string | undefined => {
  const bare = bareName(given)
  const same = known.find((name) => bareName(name) === bare)
  if (same) return same
  const most = bare.length > 4 ? 2 : 1
  const near = known
    .map((name) => ({ name, distance: editDistance(bare, bareName(name), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.name
}

const bareName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Letters to insert, delete or replace; anything beyond `most` is not counted exactly. */
const editDistance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]!
}
