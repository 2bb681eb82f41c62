// Builds the browser files with Vite when one of their source files has changed since the last build.
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { browserEntries } from './assets.ts'
import { buildIfStale, filesUnder, root } from './build-stamp.ts'

/** Output folder of the build; not in version control. */
export const builtDir = join(root, 'dist/web')

/** Files and folders that the bundle is built from. The lock file represents the libraries. */
const inputs = [
  'src/web/browser',
  'src/web/charts',
  'src/web/formats.ts',
  'src/web/html.ts',
  'src/intelligence/proforma/proforma-arithmetic.ts',
  'package-lock.json',
]

export const buildBrowser = () =>
  buildIfStale({ inputs, stampFile: join(builtDir, 'stamp'), lock: `${builtDir}.build.lock` }, async (stamp) => {
    // Built in a separate folder and then renamed, so that a half-built folder is never served.
    const newDir = `${builtDir}.new`
    await rm(newDir, { recursive: true, force: true })
    await bundle(newDir)
    await compressAll(join(newDir, 'assets'))
    await writeFile(join(newDir, 'stamp'), stamp)
    await rm(builtDir, { recursive: true, force: true })
    await rename(newDir, builtDir)
  })

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
      // Inlined assets are data: URLs, which the content security policy does not allow for fonts and styles.
      assetsInlineLimit: 0,
      // The map library is larger than Vite's default limit; only the Explore page loads it.
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: browserEntries.map((entry) => join(root, `src/web/browser/${entry}.ts`)),
        // On a slow machine this prints a warning that an operator can do nothing about.
        checks: { bundlerTimings: false },
      },
    },
  })
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Compresses static files once, at build time. Fonts are already compressed. */
const compressAll = async (dir: string) => {
  const files = (await filesUnder(dir)).filter((file) => /\.(js|mjs|css|json|svg)$/.test(file))
  for (const file of files) {
    const bytes = await readFile(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeFile(`${file}.br`, await toBrotli(bytes, { params }))
    await writeFile(`${file}.gz`, await toGzip(bytes, { level: 9 }))
  }
}
