// The agent tools and the typed client as npm packages that the service itself serves, so that nobody has to trust a name in a public registry.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { keysOf, valueAt } from '../common/typed.ts'
import { buildIfStale, root, stampOf } from './build-stamp.ts'

/** What each package is built from. The lock file represents the libraries. */
const contract = ['src/client', 'src/common', 'src/domain', 'src/criteria', 'src/wire']
const manifest = ['scripts/publishable.ts', 'package.json', 'package-lock.json']
const packages = {
  'lotline-mcp': {
    script: 'scripts/build-agent.ts',
    inputs: ['src/agent', 'src/bin/lotline-mcp.ts', 'src/bin/run-mcp.ts', 'data', 'scripts/packages/lotline-mcp.md'],
  },
  // Its types are written by the compiler, which only an installation with the development packages has.
  'lotline-client': {
    script: 'scripts/build-client.ts',
    inputs: ['scripts/client-types.ts', 'scripts/packages/lotline-client.md'],
  },
}
type PackageName = keyof typeof packages
const packageNames = keysOf(packages)

export const packagePath = (name: PackageName): string => `/downloads/${name}.tgz`

export const mountDownloads = (app: FastifyInstance): void => {
  for (const name of packageNames)
    app.get(packagePath(name), { config: { needsNoSlot: true } }, async (_request, reply) => {
      const { bytes, etag } = await packageOf(name)
      return reply
        .headers({ etag, 'cache-control': 'public, max-age=300' })
        .header('content-disposition', `attachment; filename="${name}.tgz"`)
        .type('application/gzip')
        .send(bytes)
    })
}

const reading = new Map<PackageName, ReturnType<typeof read>>()

/** Built by the first request after the source changed; a failure is tried again. */
const packageOf = (name: PackageName) =>
  valueAt(reading, name, () =>
    read(name).catch((error: unknown) => {
      reading.delete(name)
      throw error
    }),
  )

const read = async (name: PackageName) => {
  const packed = join(root, `dist/${name}.tgz`)
  // In a process of its own, because bundling would keep this one from answering.
  await buildIfStale({ inputs: inputsOf(name), stampFile: stampFile(name), lock: `${packed}.lock` }, () =>
    promisify(execFile)(process.execPath, [join(root, packages[name].script)], { cwd: root }),
  )
  const bytes = await readFile(packed)
  return { bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url').slice(0, 20)}"` }
}

/** Written by the script that builds the package. */
export const stampFile = (name: PackageName): string => join(root, `dist/${name}.stamp`)

export const packageStamp = (name: PackageName): Promise<string> => stampOf(inputsOf(name))

const inputsOf = (name: PackageName): readonly string[] => [
  ...contract,
  ...manifest,
  packages[name].script,
  ...packages[name].inputs,
]
