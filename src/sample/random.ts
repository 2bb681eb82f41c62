// A small seeded generator (mulberry32, keyed by a murmur-style mix), so that every draw depends only on the seed and
// on what it is drawn for, never on how many draws came before.

export interface Random {
  /** Uniform in [0, 1). */
  unit(): number
  between(low: number, high: number): number
  /** Whole number, both ends included. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Standard normal. */
  normal(): number
  /** Index into weights, in proportion to them. */
  weighted(weights: readonly number[]): number
}

export function randomFor(seed: number, ...keys: readonly (number | string)[]): Random {
  // The draws are shared through the prototype: hundreds of thousands of generators are made in a run.
  const random = Object.create(draws) as Random & State
  random.state = keyed(seed, keys)
  return random
}

interface State {
  state: number
}

const draws: Random & ThisType<Random & State> = {
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

function keyed(seed: number, keys: readonly (number | string)[]): number {
  let h = mixed(0x9e3779b9, seed)
  for (const key of keys) {
    if (typeof key === 'number') h = mixed(h, key)
    else for (let i = 0; i < key.length; i++) h = mixed(h, key.charCodeAt(i))
  }
  return h
}

function mixed(h: number, value: number): number {
  let k = Math.imul(value | 0, 0xcc9e2d51)
  k = (k << 15) | (k >>> 17)
  let x = h ^ Math.imul(k, 0x1b873593)
  x = (x << 13) | (x >>> 19)
  x = (Math.imul(x, 5) + 0xe6546b64) | 0
  x ^= x >>> 16
  x = Math.imul(x, 0x85ebca6b)
  return x ^ (x >>> 13)
}
