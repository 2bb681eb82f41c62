// Keys seen lately, so that a request costs no query. A change to a key arrives by NOTIFY and drops it here at
// once; while notifications cannot be heard nothing is remembered.
import { isWellFormedKey } from '../contract/api-key.ts'
import type { Db } from '../store/database.ts'
import { type ApiKey, hashOf, keyByHash } from '../store/keys.ts'

export interface KnownKeys {
  /** Synchronous when the key is remembered. Undefined when there is no such valid key. */
  find(key: string, now: Date): ApiKey | undefined | Promise<ApiKey | undefined>
  forget(hashHex: string): void
  /** Remembers from now on, or stops and forgets all. */
  trust(heard: boolean): void
}

const most = 50_000

export const knownKeys = (db: Db): KnownKeys => {
  const known = new Map<string, ApiKey>()
  let trusted = false
  // Raised by every change, so that a look-up begun before a change is not remembered after it.
  let generation = 0
  return {
    find: (key, now) => {
      if (!isWellFormedKey(key)) return undefined
      const hash = hashOf(key)
      const id = hash.toString('latin1')
      const remembered = known.get(id)
      if (remembered) return valid(remembered, now)
      const begun = generation
      return keyByHash(db, hash).then((found) => {
        if (found && trusted && begun === generation) {
          if (known.size >= most) known.delete(known.keys().next().value!)
          known.set(id, found)
        }
        return valid(found, now)
      })
    },
    forget: (hashHex) => {
      generation++
      known.delete(Buffer.from(hashHex, 'hex').toString('latin1'))
    },
    trust: (heard) => {
      trusted = heard
      generation++
      known.clear()
    },
  }
}

const valid = (key: ApiKey | undefined, now: Date): ApiKey | undefined =>
  key && key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt) ? key : undefined
