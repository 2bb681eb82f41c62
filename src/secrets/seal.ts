// Encrypts secrets in the database and in the queue with AES-256-GCM under SECRET_KEY. An encrypted value is bound to its
// purpose, so it cannot be used for another.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Sealer {
  seal(purpose: string, text: string): Buffer
  open(purpose: string, sealed: Uint8Array): string
  /** A short signature for links in mails. */
  sign(purpose: string, text: string): string
  verify(purpose: string, text: string, token: string): boolean
}

const nonceLength = 12
const tagLength = 16

export const sealerOf = (secretKey: Buffer): Sealer => {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) => {
    let key = keys.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secretKey, '', `lotline:${purpose}`, 32))
      keys.set(purpose, key)
    }
    return key
  }
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', keyFor(`sign:${purpose}`))
      .update(text)
      .digest('base64url')
      .slice(0, 32)
  return {
    seal: (purpose, text) => {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce)
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open: (purpose, sealed) => {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, nonceLength))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      try {
        return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new Error('A secret cannot be decrypted: SECRET_KEY is not the key it was encrypted with.', { cause })
      }
    },
    sign,
    verify: (purpose, text, token) => {
      const right = Buffer.from(sign(purpose, text))
      const given = Buffer.from(token)
      return right.length === given.length && timingSafeEqual(right, given)
    },
  }
}
