// The built browser part: which hashed file each entry became.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Assets {
  /** Folder served at /assets. */
  dir: string
  /** The address of an entry's script. */
  script(entry: BrowserEntry): string
  styles(entry: BrowserEntry): string[]
  /** What the browser should fetch early: the two fonts of every page. */
  fonts: string[]
}

export const browserEntries = ['site', 'explore', 'property', 'playground', 'signature'] as const
export type BrowserEntry = (typeof browserEntries)[number]

export const assetsPrefix = '/assets'

interface ManifestChunk {
  file: string
  css?: string[]
  assets?: string[]
  imports?: string[]
}

export const readAssets = (dir: string): Assets => {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Record<string, ManifestChunk>
  const chunkOf = (entry: BrowserEntry): ManifestChunk => {
    const chunk = manifest[`src/web/browser/${entry}.ts`]
    if (!chunk) throw new Error(`The browser build has no "${entry}": build it again.`)
    return chunk
  }
  const stylesOf = (chunk: ManifestChunk): string[] => [
    ...(chunk.imports ?? []).flatMap((name) => stylesOf(manifest[name]!)),
    ...(chunk.css ?? []),
  ]
  const address = (file: string) => `${assetsPrefix}/${file.replace(/^assets\//, '')}`
  const fonts = Object.values(manifest).filter((chunk) => /latin-wght-normal.*\.woff2$/.test(chunk.file))
  return {
    dir: join(dir, 'assets'),
    script: (entry) => address(chunkOf(entry).file),
    styles: (entry) => [...new Set(stylesOf(chunkOf(entry)))].map(address),
    fonts: [...new Set(fonts.map((chunk) => address(chunk.file)))],
  }
}
