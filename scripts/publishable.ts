// The files that each published package has in addition to its code.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import manifest from '../package.json' with { type: 'json' }

export const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
export const { version, license } = manifest

export const emptyFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

export const writeJson = (folder: string, name: string, value: unknown): void =>
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)

/** package.json, README and LICENSE; packs it as dist/<name>.tgz and says how large it is. */
export const finishPackage = (folder: string, name: string, details: Record<string, unknown>): void => {
  writeJson(folder, 'package.json', { name, version, license, type: 'module', ...details })
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(root, 'scripts/packages', `${name}.md`), join(folder, 'README.md'))
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', dist], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { filename: string; size: number; unpackedSize: number }[]
  renameSync(join(dist, packed!.filename), join(dist, `${name}.tgz`))
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  console.log(`${name} ${version}: ${kilobytes(packed!.size)} packed, ${kilobytes(packed!.unpackedSize)} unpacked`)
}

/** Of our package.json only the version goes into a bundle. */
export const versionOnly: Plugin = {
  name: 'version-only',
  enforce: 'pre',
  load: (id) => (id === join(root, 'package.json') ? JSON.stringify({ version }) : undefined),
}
