// A seeded random generator (mulberry32 with murmur-style key hashing). Each draw depends only on the seed and its keys,
// not on earlier draws, so adding a draw in one place does not change the rest of the sample.

/** A version that generates other towns has another seed: it does not advance the sample of an earlier one. */
export const defaultSeed = 74

export type Random = ReturnType<typeof randomFor>

export const randomFor = (seed: number, ...keys: readonly (number | string)[]) => {
  const numbers = keys.flatMap((key) => (typeof key === 'number' ? key : [...Buffer.from(key)]))
  let state = numbers.reduce((hash, value) => mix(hash, value), mix(0x9e3779b9, seed))
  /** Uniform in [0, 1). */
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    unit,
    between: (low: number, high: number): number => low + (high - low) * unit(),
    /** Integer, both ends included. */
    int: (low: number, high: number): number => low + Math.floor((high - low + 1) * unit()),
    chance: (probability: number): boolean => unit() < probability,
    pick: <T>(items: readonly T[]): T => items[Math.floor(unit() * items.length)]!,
    /** The first items far more often than the last: of 80 firms, the first eight get two in five jobs. */
    pickUnequally: <T>(items: readonly T[]): T => items[Math.floor(unit() ** 2.5 * items.length)]!,
    /** Standard normal. */
    normal: (): number => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    /** An index, with probability proportional to its weight. */
    weighted: (weights: readonly number[]): number => {
      let left = unit() * weights.reduce((sum, weight) => sum + weight, 0)
      return weights.findIndex((weight) => {
        left -= weight
        return left < 0
      })
    },
  }
}

function mix(hash: number, value: number): number {
  const k = Math.imul(value, 0xcc9e2d51)
  let x = hash ^ Math.imul((k << 15) | (k >>> 17), 0x1b873593)
  x = (x << 13) | (x >>> 19)
  x = (Math.imul(x, 5) + 0xe6546b64) | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  return x ^ (x >>> 13)
}
