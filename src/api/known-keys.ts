// Keys seen lately, so that a request costs no query. A change to a key arrives by NOTIFY and drops it here at
// once; while notifications cannot be heard nothing is remembered.
import { isWellFormedKey } from '../contract/api-key.ts'
import type { Db } from '../store/engine/database.ts'
import { type ApiKey, hashOf, keyByHash } from '../store/keys/keys.ts'

export interface KnownKeys {
  /** Synchronous when the key is remembered. Undefined when there is no such valid key. */
  find(key: string, now: Date): ApiKey | undefined | Promise<ApiKey | undefined>
  /** The key if it is remembered and valid. */
  remembered(key: string, now: Date): ApiKey | undefined
  forget(hashHex: string): void
  /** Remembers from now on, or stops and forgets all. */
  trust(heard: boolean): void
}

const most = 50_000

export const knownKeys = (db: Db): KnownKeys => {
  // By the key itself, since hashing is a good part of what a ready answer costs; in memory only, never written anywhere.
  const known = new Map<string, { key: ApiKey; hashHex: string }>()
  const texts = new Map<string, string>()
  let trusted = false
  // Raised by every change, so that a look-up begun before a change is not remembered after it.
  let generation = 0
  const forget = (hashHex: string) => {
    known.delete(texts.get(hashHex) ?? '')
    texts.delete(hashHex)
  }
  const remember = (text: string, hash: Buffer, key: ApiKey) => {
    if (known.size >= most) forget(known.values().next().value!.hashHex)
    const hashHex = hash.toString('hex')
    known.set(text, { key, hashHex })
    texts.set(hashHex, text)
  }
  const remembered = (text: string, now: Date) => {
    const found = known.get(text)
    return found && valid(found.key, now)
  }
  return {
    find: (text, now) => {
      if (known.has(text)) return remembered(text, now)
      if (!isWellFormedKey(text)) return undefined
      const begun = generation
      const hash = hashOf(text)
      return keyByHash(db, hash).then((found) => {
        if (found && trusted && begun === generation) remember(text, hash, found)
        return valid(found, now)
      })
    },
    remembered,
    forget: (hashHex) => {
      generation++
      forget(hashHex)
    },
    trust: (heard) => {
      trusted = heard
      generation++
      known.clear()
      texts.clear()
    },
  }
}

const valid = (key: ApiKey | undefined, now: Date): ApiKey | undefined =>
  key && key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt) ? key : undefined
