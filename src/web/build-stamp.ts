// Builds files again when one of those that they are made from has changed. A stamp beside the output, a hash of the inputs, shows it.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withFileLock } from '../embedded/file-lock.ts'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

export const stampOf = async (inputs: readonly string[]): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of (await Promise.all(inputs.map((each) => filesUnder(join(root, each))))).flat().sort()) {
    hash.update(relative(root, file))
    hash.update(await readFile(file).catch(() => ''))
  }
  return hash.digest('hex')
}

/** `build` writes the stamp last. It does not run where another process has built the files while this one waited for the lock. */
export const buildIfStale = async (
  { inputs, stampFile, lock }: { inputs: readonly string[]; stampFile: string; lock: string },
  build: (stamp: string) => Promise<unknown>,
): Promise<void> => {
  const stamp = await stampOf(inputs)
  const isFresh = async () => (await readFile(stampFile, 'utf8').catch(() => '')) === stamp
  if (await isFresh()) return
  await withFileLock(lock, async () => {
    if (!(await isFresh())) await build(stamp)
  })
}

export const filesUnder = async (path: string): Promise<string[]> => {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (!entries) return [path]
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
