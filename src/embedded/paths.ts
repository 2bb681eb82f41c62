// Where the embedded server's files and socket lie, and the user it runs as.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

export interface ServerUser {
  /** PostgreSQL refuses to run as root. */
  asNobody: boolean
  spawn: { uid?: number; gid?: number }
}

/** `nobody` everywhere it exists: it needs no user to be created. */
const nobody = 65534

export const serverUser = (): ServerUser =>
  process.getuid?.() === 0 ? { asNobody: true, spawn: { uid: nobody, gid: nobody } } : { asNobody: false, spawn: {} }

export const ownedBy = async (path: string, { asNobody }: ServerUser): Promise<void> => {
  if (asNobody) await chown(path, nobody, nobody)
}

/** Where what a root-only folder cannot hold goes. */
export const commonPlace = '/var/lib/lotline'

/** The server's user must be able to reach its files: a checkout in a root-only home is out of reach. */
export const homeFor = async (dataDir: string, { asNobody }: ServerUser): Promise<string> => {
  await mkdir(dataDir, { recursive: true })
  if (!asNobody || (await reachableByAll(dataDir))) return dataDir
  const name = `${basename(dirname(dataDir))}-${digest(dataDir).slice(0, 8)}`
  return openFolder(join(commonPlace, name))
}

/** Whether a server was ever made there, running or not. */
export const embeddedExists = async (dataDir: string): Promise<boolean> =>
  existsSync(join(await homeFor(resolve(dataDir), serverUser()), 'postgres', 'PG_VERSION'))

/** Every folder on the way may be entered by anyone. */
export const reachableByAll = async (path: string): Promise<boolean> => {
  for (let dir = path; ; dir = dirname(dir)) {
    if (((await stat(dir)).mode & 0o001) === 0) return false
    if (dir === dirname(dir)) return true
  }
}

/** Made and opened, whatever the umask: `mkdir`'s mode is cut by it. */
export const openFolder = async (path: string): Promise<string> => {
  await mkdir(path, { recursive: true })
  for (let dir = path; dir.startsWith(commonPlace); dir = dirname(dir)) await chmod(dir, 0o755)
  return path
}

/** A socket's path may be 107 bytes at most; the file's own name takes some of them. */
const longestSocketDir = 80

/** Beside the data where that is short enough, else in the temporary folder: ours alone, never one that stood there before. */
export const socketFolder = async (home: string, files: string, as: ServerUser): Promise<string> => {
  const near = join(home, 'run')
  const dir =
    near.length <= longestSocketDir
      ? near
      : join(tmpdir(), `lotline-${process.getuid?.() ?? 0}-${digest(files).slice(0, 12)}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const found = await lstat(dir)
  const owners = [process.getuid?.(), ...(as.asNobody ? [nobody] : [])]
  if (!found.isDirectory() || (process.getuid && !owners.includes(found.uid)))
    throw new Error(`${dir} belongs to somebody else. Remove it, or set DATA_DIR to a shorter path.`)
  await chmod(dir, 0o700)
  await ownedBy(dir, as)
  return dir
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
