// Fetches a listing's photos for the vision model. Their URLs come from feeds, so each connection is checked: a feed must
// not make this server read from its own network.

import { isIP } from 'node:net'
import { Agent, request } from 'undici'
import { nonPublicReason } from '../common/public-address.ts'
import { publicLookup } from './public-lookup.ts'
import type { VisionPhoto } from './vision.ts'

export interface PhotoLimits {
  readonly maxPhotos?: number
  readonly maxBytes?: number
  readonly timeoutMs?: number
  /** For tests and local development only. */
  readonly allowPrivate?: boolean
}

/** A photo that cannot be loaded is skipped; the others are returned. */
export const loadPhotos = async (urls: readonly string[], limits: PhotoLimits = {}) => {
  const { maxPhotos = 8, maxBytes = 5 * 2 ** 20, timeoutMs = 15_000, allowPrivate = false } = limits
  const agent = new Agent({
    connections: 4,
    connect: { timeout: 10_000, ...(allowPrivate ? {} : { lookup: publicLookup(notPublic) }) },
  })
  const photos: VisionPhoto[] = []
  /** Skipped photos, with the reason. */
  const refused: { url: string; reason: string }[] = []
  try {
    for (const url of urls) {
      if (photos.length >= maxPhotos) break
      try {
        photos.push(await loadPhoto(url, agent, maxBytes, timeoutMs, allowPrivate))
      } catch (error) {
        refused.push({ url: url.replace(/\?.*$/s, ''), reason: error instanceof Error ? error.message : String(error) })
      }
    }
  } finally {
    await agent.destroy()
  }
  return { photos, refused }
}

const loadPhoto = async (
  url: string,
  agent: Agent,
  maxBytes: number,
  timeoutMs: number,
  allowPrivate: boolean,
): Promise<VisionPhoto> => {
  const address = new URL(url)
  if (address.protocol !== 'https:' && address.protocol !== 'http:')
    throw new Error(`${address.protocol} is not supported; a photo URL starts with https://`)
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const refusal = !allowPrivate && isIP(host) ? nonPublicReason(host) : undefined
  if (refusal) throw new Error(`${host} is not a public address: ${refusal}`)
  // undici does not follow redirects by default.
  const answer = await request(address, { dispatcher: agent, signal: AbortSignal.timeout(timeoutMs) })
  if (answer.statusCode !== 200) {
    await answer.body.dump({ limit: 65_536 })
    throw new Error(`the server returned ${answer.statusCode}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw new Error(`larger than ${maxBytes} bytes`)
    chunks.push(chunk as Uint8Array)
  }
  const bytes = Buffer.concat(chunks)
  const mediaType = mediaTypeOf(bytes)
  if (!mediaType) throw new Error('not a JPEG, PNG, WebP or GIF')
  return { bytes, mediaType }
}

/** Detected from the first bytes, because the declared content type is unreliable. */
const mediaTypeOf = (bytes: Buffer): VisionPhoto['mediaType'] | undefined => {
  const start = bytes.subarray(0, 12).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('\x89PNG\r\n')) return 'image/png'
  if (start.startsWith('RIFF') && start.slice(8) === 'WEBP') return 'image/webp'
  return start.startsWith('GIF8') ? 'image/gif' : undefined
}

const notPublic = (host: string) => new Error(`${host} is not a public address`)
