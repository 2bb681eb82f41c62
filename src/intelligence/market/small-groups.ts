// Which groups of a table are withheld, so that nobody can compute the figures of a small group by subtracting served groups from
// the one that contains them (complementary suppression).

/** Groups that do not overlap and lie within another one. What they leave of it is served nowhere else. */
export interface Family {
  readonly parent: string
  readonly parts: readonly string[]
}

/**
 * The groups that have fewer than `smallest` records, and as many others as it takes that in every family the withheld parts and
 * the rest are at least two and have `smallest` records together. A withheld group has no served part. Smaller groups are
 * withheld first.
 */
export const withheldGroups = (
  sizes: ReadonlyMap<string, number>,
  families: readonly Family[],
  smallest: number,
): ReadonlySet<string> => {
  const sizeOf = (key: string) => sizes.get(key) ?? 0
  const withheld = new Set([...sizes].filter(([, size]) => size > 0 && size < smallest).map(([key]) => key))
  const used = families
    .filter(({ parent }) => sizeOf(parent) > 0)
    .map(({ parent, parts }) => {
      const nonEmpty = parts.filter((part) => sizeOf(part) > 0).sort((a, b) => sizeOf(a) - sizeOf(b))
      return { parent, parts: nonEmpty, rest: sizeOf(parent) - nonEmpty.reduce((sum, part) => sum + sizeOf(part), 0) }
    })
  for (let before = -1; before !== withheld.size; ) {
    before = withheld.size
    for (const { parent, parts, rest } of used) {
      if (withheld.has(parent)) {
        for (const part of parts) withheld.add(part)
        continue
      }
      for (;;) {
        const hidden = parts.filter((part) => withheld.has(part))
        const size = hidden.reduce((sum, part) => sum + sizeOf(part), rest)
        const count = hidden.length + (rest > 0 ? 1 : 0)
        if (count === 0 || (size >= smallest && (count >= 2 || hidden.length === 0))) break
        const next = parts.find((part) => !withheld.has(part))
        // Its only part would have the same figures.
        withheld.add(next ?? parent)
        if (next === undefined) break
      }
    }
  }
  return withheld
}
