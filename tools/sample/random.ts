// A seeded random generator (mulberry32 with murmur-style key hashing). Each draw depends only on the seed and its keys,
// not on earlier draws, so adding a draw in one place does not change the rest of the sample.

export interface Random {
  /** Uniform in [0, 1). */
  unit(): number
  between(low: number, high: number): number
  /** Integer, both ends included. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** The first items far more often than the last: of 80 firms, the first eight get two in five jobs. */
  pickUnequally<T>(items: readonly T[]): T
  /** Standard normal. */
  normal(): number
  /** An index, with probability proportional to its weight. */
  weighted(weights: readonly number[]): number
}

export function randomFor(seed: number, ...keys: readonly (number | string)[]): Random {
  // Methods are on a shared prototype because a run creates hundreds of thousands of generators.
  const random = Object.create(methods) as Random & State
  random.state = hashKeys(seed, keys)
  return random
}

interface State {
  state: number
}

const methods: Random & ThisType<Random & State> = {
  unit() {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  },
  between(low, high) {
    return low + (high - low) * this.unit()
  },
  int(low, high) {
    return low + Math.floor((high - low + 1) * this.unit())
  },
  chance(probability) {
    return this.unit() < probability
  },
  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.unit() * items.length)] as T
  },
  pickUnequally<T>(items: readonly T[]): T {
    return items[Math.floor(this.unit() ** 2.5 * items.length)] as T
  },
  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit())
  },
  weighted(weights) {
    let total = 0
    for (const weight of weights) total += weight
    let left = this.unit() * total
    for (let i = 0; i < weights.length; i++) {
      left -= weights[i] as number
      if (left < 0) return i
    }
    return weights.length - 1
  },
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
