// The base map of MAP_PMTILES: one file, of which the browser reads byte ranges.
// https://docs.protomaps.com/pmtiles/
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Site } from '../site.ts'
import { tilesPerMinute } from './mount-tiles.ts'

export const pmtilesPath = '/map/base.pmtiles'

/** Larger ranges are not needed for a tile or a directory. */
const mostBytes = 16 * 1024 * 1024

/** Throws at start if the file is not a PMTiles archive of version 3. */
export const checkPmtiles = async (file: string): Promise<void> => {
  const handle = await open(file).catch((cause: unknown) => {
    throw new Error(`MAP_PMTILES: ${file} cannot be read.`, { cause })
  })
  try {
    const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0)
    if (buffer.toString('latin1', 0, 7) !== 'PMTiles' || buffer[7] !== 3)
      throw new Error(`MAP_PMTILES: ${file} is not a PMTiles archive of version 3. See docs/maps.md.`)
  } finally {
    await handle.close()
  }
}

export const mountPmtiles = (app: FastifyInstance, { mapPmtiles: file }: Site): void => {
  if (file === undefined) return
  const ownLimit = { bucket: 'tiles', perMinute: tilesPerMinute }
  app.get(pmtilesPath, { config: { ownLimit } }, async (request, reply) => {
    const { size, mtimeMs } = await stat(file)
    const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
    reply.header('accept-ranges', 'bytes').header('etag', etag).header('cache-control', 'public, max-age=3600')
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const start = Number(first)
    const end = Math.min(Number(last), size - 1)
    // The whole file can be gigabytes, so it is sent in ranges only.
    if (first === undefined || start > end || end - start >= mostBytes)
      return reply.code(416).header('content-range', `bytes */${size}`).send()
    return reply
      .code(206)
      .type('application/octet-stream')
      .header('content-range', `bytes ${start}-${end}/${size}`)
      .header('content-length', end - start + 1)
      .send(createReadStream(file, { start, end }))
  })
}
