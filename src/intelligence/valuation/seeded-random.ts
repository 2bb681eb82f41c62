/** Seeded random numbers in [0, 1) (mulberry32), so that the same seed gives the same model on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Shuffles in place (Fisher-Yates). */
export function shuffle(items: Int32Array, random: () => number): Int32Array {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const item = items[i]!
    items[i] = items[j]!
    items[j] = item
  }
  return items
}
