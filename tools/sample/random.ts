// A seeded random generator (mulberry32 with murmur-style key hashing). Each draw depends only on the seed and its keys,
// not on earlier draws, so adding a draw in one place does not change the rest of the sample.

export const randomFor = (seed: number, ...keys: readonly (number | string)[]): Random =>
  new Random(hashKeys(seed, keys))

export class Random {
  private state: number
  constructor(state: number) {
    this.state = state
  }
  /** Uniform in [0, 1). */
  unit(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.unit()
  }
  /** Integer, both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.unit())
  }
  chance(probability: number): boolean {
    return this.unit() < probability
  }
  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.unit() * items.length)] as T
  }
  /** The first items far more often than the last: of 80 firms, the first eight get two in five jobs. */
  pickUnequally<T>(items: readonly T[]): T {
    return items[Math.floor(this.unit() ** 2.5 * items.length)] as T
  }
  /** Standard normal. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit())
  }
  /** An index, with probability proportional to its weight. */
  weighted(weights: readonly number[]): number {
    let left = this.unit() * weights.reduce((sum, weight) => sum + weight, 0)
    const at = weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
    return at < 0 ? weights.length - 1 : at
  }
}

function hashKeys(seed: number, keys: readonly (number | string)[]): number {
  let h = mix(0x9e3779b9, seed)
  for (const key of keys) {
    if (typeof key === 'number') h = mix(h, key)
    else for (let i = 0; i < key.length; i++) h = mix(h, key.charCodeAt(i))
  }
  return h
}

function mix(h: number, value: number): number {
  let k = Math.imul(value | 0, 0xcc9e2d51)
  k = (k << 15) | (k >>> 17)
  let x = h ^ Math.imul(k, 0x1b873593)
  x = (x << 13) | (x >>> 19)
  x = (Math.imul(x, 5) + 0xe6546b64) | 0
  x ^= x >>> 16
  x = Math.imul(x, 0x85ebca6b)
  return x ^ (x >>> 13)
}

/** A version that generates other towns has another seed: it does not advance the sample of an earlier one. */
export const defaultSeed = 74
