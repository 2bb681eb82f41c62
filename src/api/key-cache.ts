// Recently used keys, so that a request costs no query. A change to a key arrives by NOTIFY and evicts it at once; while
// the service cannot listen for notifications nothing is cached.

import type { Database } from '../store/engine/database.ts'
import { isWellFormedKey } from '../store/keys/api-key.ts'
import { type ApiKey, hashOf, keyByHash } from '../store/keys/keys.ts'

export type KeyCache = ReturnType<typeof keyCache>

const maxKeys = 50_000

export const keyCache = (database: Pick<Database, 'within'>) => {
  // Indexed by the key itself, because hashing would be a large part of the cost of a cached answer. Kept in memory only.
  const byText = new Map<string, { key: ApiKey; hashHex: string }>()
  const textByHash = new Map<string, string>()
  let enabled = false
  // Increased by every change, so that a lookup that began before a change is not cached after it.
  let generation = 0
  const evict = (hashHex: string) => {
    byText.delete(textByHash.get(hashHex) ?? '')
    textByHash.delete(hashHex)
  }
  const add = (text: string, hash: Buffer, key: ApiKey) => {
    if (byText.size >= maxKeys) evict(byText.values().next().value!.hashHex)
    const hashHex = hash.toString('hex')
    byText.set(text, { key, hashHex })
    textByHash.set(hashHex, text)
  }
  return {
    /** Undefined when there is no such valid key. Synchronous when the key is cached. */
    find: (text: string, now: Date, signal: AbortSignal): ApiKey | undefined | Promise<ApiKey | undefined> => {
      const cached = byText.get(text)
      if (cached) return ifValid(cached.key, now)
      if (!isWellFormedKey(text)) return undefined
      const begun = generation
      const hash = hashOf(text)
      return keyByHash(database.within(signal), hash).then((stored) => {
        if (stored && enabled && begun === generation) add(text, hash, stored)
        return ifValid(stored, now)
      })
    },
    /** The same without a query: undefined also when the key is not cached. */
    findCached: (text: string, now: Date) => ifValid(byText.get(text)?.key, now),
    evict: (hashHex: string) => {
      generation++
      evict(hashHex)
    },
    /** Caches from now on, or stops and empties the cache. */
    setListening: (listening: boolean) => {
      enabled = listening
      generation++
      byText.clear()
      textByHash.clear()
    },
  }
}

const ifValid = (key: ApiKey | undefined, now: Date): ApiKey | undefined =>
  key && key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt) ? key : undefined
