// The form of an API key: `ll_<plan>_` + 30 random base62 + 6 base62 of CRC32, so that a mistyped key is
// rejected without a lookup.
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { PlanName } from '../../wire/plans.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const form = /^ll_(free|pro)_[0-9A-Za-z]{36}$/

export const makeKey = (plan: Exclude<PlanName, 'demo'>): string => {
  const body = `ll_${plan}_${base62(randomLength)}`
  return body + checksum(body)
}

export const isWellFormedKey = (key: string): boolean =>
  form.test(key) && checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength)

/** Random base62 without bias: bytes of 248 and above are discarded, because 248 = 4 × 62. */
export const base62 = (length: number): string => {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  return text
}

const checksum = (text: string): string => {
  let value = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[value % 62] + digits
    value = Math.floor(value / 62)
  }
  return digits
}
