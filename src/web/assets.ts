// Reads the manifest of the browser build: the hashed file name of each entry.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Assets = ReturnType<typeof readAssets>

export const browserEntries = ['site', 'explore', 'places', 'property', 'playground', 'docs', 'signature'] as const
export type BrowserEntry = (typeof browserEntries)[number]

export const assetsPrefix = '/assets'

interface ManifestChunk {
  file: string
  css?: string[]
  assets?: string[]
  imports?: string[]
}

export const readAssets = (dir: string) => {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Record<string, ManifestChunk>
  const chunkOf = (entry: BrowserEntry): ManifestChunk => {
    const chunk = manifest[`src/web/browser/${entry}.ts`]
    if (!chunk) throw new Error(`The browser build has no entry "${entry}". Delete dist/web and start again.`)
    return chunk
  }
  const stylesOf = (chunk: ManifestChunk): string[] => [
    ...(chunk.imports ?? []).flatMap((name) => stylesOf(manifest[name]!)),
    ...(chunk.css ?? []),
  ]
  const urlOf = (file: string) => `${assetsPrefix}/${file.replace(/^assets\//, '')}`
  const fonts = Object.values(manifest).filter((chunk) => /latin-wght-normal.*\.woff2$/.test(chunk.file))
  return {
    /** Folder served at /assets. */
    dir: join(dir, 'assets'),
    script: (entry: BrowserEntry) => urlOf(chunkOf(entry).file),
    styles: (entry: BrowserEntry) => [...new Set(stylesOf(chunkOf(entry)))].map(urlOf),
    /** The two fonts that every page uses, to be preloaded. */
    fonts: [...new Set(fonts.map((chunk) => urlOf(chunk.file)))],
  }
}
