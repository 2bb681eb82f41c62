// The agent tools as an npm package that the service itself serves, so that nobody has to trust a name in a public registry.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { buildIfStale, root, stampOf } from './build-stamp.ts'

const packed = join(root, 'dist/lotline-mcp.tgz')
const stampFile = join(root, 'dist/lotline-mcp.stamp')

export const agentPackagePath = '/downloads/lotline-mcp.tgz'

export const mountDownloads = (app: FastifyInstance): void => {
  app.get(agentPackagePath, { config: { needsNoSlot: true } }, async (_request, reply) => {
    const { bytes, etag } = await agentPackage()
    return reply
      .headers({ etag, 'cache-control': 'public, max-age=300' })
      .header('content-disposition', 'attachment; filename="lotline-mcp.tgz"')
      .type('application/gzip')
      .send(bytes)
  })
}

interface Packed {
  bytes: Buffer
  etag: string
}

let reading: Promise<Packed> | undefined

/** Built by the first request after the source changed; a failure is tried again. */
const agentPackage = (): Promise<Packed> => {
  reading ??= read().catch((error: unknown) => {
    reading = undefined
    throw error
  })
  return reading
}

const read = async (): Promise<Packed> => {
  // In a process of its own, because bundling would keep this one from answering.
  await buildIfStale({ inputs, stampFile, lock: `${packed}.lock` }, () =>
    promisify(execFile)(process.execPath, [join(root, 'scripts/build-agent.ts')], { cwd: root }),
  )
  const bytes = await readFile(packed)
  return { bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url').slice(0, 20)}"` }
}

/** What the package is built from. The lock file represents the libraries. */
const inputs = [
  'src/agent',
  'src/client',
  'src/common',
  'src/domain',
  'src/criteria',
  'src/wire',
  'src/bin/lotline-mcp.ts',
  'src/bin/run-mcp.ts',
  'data',
  'scripts/build-agent.ts',
  'scripts/publishable.ts',
  'scripts/packages/lotline-mcp.md',
  'package.json',
  'package-lock.json',
]

export const agentStamp = (): Promise<string> => stampOf(inputs)
