// Builds the browser part with Vite when anything it is made of has changed since the last build.
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { withFileLock } from '../embedded/file-lock.ts'
import { browserEntries } from './assets.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Where the built part lies; made by us, so not in version control. */
export const builtDir = join(root, 'dist/web')

/** What goes into the bundle. The lock file stands for the libraries. */
const ingredients = [
  'src/web/browser',
  'src/web/charts',
  'src/web/formats.ts',
  'src/web/html.ts',
  'src/intelligence/proforma-arithmetic.ts',
  'package-lock.json',
]

export interface BuildResult {
  dir: string
  built: boolean
}

export const buildBrowser = async (dir: string = builtDir): Promise<BuildResult> => {
  const stamp = await stampOf()
  const fresh = async () => (await readFile(join(dir, 'stamp'), 'utf8').catch(() => '')) === stamp
  if (await fresh()) return { dir, built: false }
  return withFileLock(`${dir}.build.lock`, async () => {
    // Whoever held the lock before may have built it.
    if (await fresh()) return { dir, built: false }
    // Built beside and moved into place, so that a half-built folder is never served.
    const beside = `${dir}.new`
    await rm(beside, { recursive: true, force: true })
    await bundle(beside)
    await compressAll(join(beside, 'assets'))
    await writeFile(join(beside, 'stamp'), stamp)
    await rm(dir, { recursive: true, force: true })
    await rename(beside, dir)
    return { dir, built: true }
  })
}

const bundle = async (outDir: string) => {
  const { build } = await import('vite')
  await build({
    root,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    publicDir: false,
    base: '/',
    build: {
      outDir,
      emptyOutDir: true,
      manifest: 'manifest.json',
      target: 'es2023',
      modulePreload: { polyfill: false },
      // Data addresses would need exceptions in the content security policy.
      assetsInlineLimit: 0,
      // The map library alone is larger than Vite's limit; it is loaded by the explore page only.
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: browserEntries.map((entry) => join(root, `src/web/browser/${entry}.ts`)),
        // Whoever starts the service need not hear that a slow machine is slow.
        checks: { bundlerTimings: false },
      },
    },
  })
}

const stampOf = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of (await Promise.all(ingredients.map((each) => filesUnder(join(root, each))))).flat().sort()) {
    hash.update(relative(root, file))
    hash.update(await readFile(file))
  }
  return hash.digest('hex')
}

const filesUnder = async (path: string): Promise<string[]> => {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (!entries) return [path]
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Compressed once here rather than on every request. Fonts are compressed already. */
const compressAll = async (dir: string) => {
  const files = (await filesUnder(dir)).filter((file) => /\.(js|mjs|css|json|svg)$/.test(file))
  for (const file of files) {
    const bytes = await readFile(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeFile(`${file}.br`, await toBrotli(bytes, { params }))
    await writeFile(`${file}.gz`, await toGzip(bytes, { level: 9 }))
  }
}
