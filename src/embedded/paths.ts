// The folders of the embedded server's files and socket, and the user it runs as.
import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

export type ServerUser = ReturnType<typeof serverUser>

/** The user `nobody`, so that no user has to be created. */
const nobody = 65534

/** For root another user: PostgreSQL refuses to run as root. */
export const serverUser = () =>
  process.getuid?.() === 0 ? { asNobody: true, spawn: { uid: nobody, gid: nobody } } : { asNobody: false, spawn: {} }

export const ownedBy = async (path: string, { asNobody }: ServerUser): Promise<void> => {
  if (asNobody) await chown(path, nobody, nobody)
}

/** Used instead of a folder that only root can enter. */
export const sharedFolder = '/var/lib/lotline'

/** The folder of the server's files. Its user must be able to enter it, so a root-only home is replaced. */
export const databaseFolderFor = async (dataDir: string, { asNobody }: ServerUser): Promise<string> => {
  await mkdir(dataDir, { recursive: true })
  if (!asNobody || (await reachableByAll(dataDir))) return dataDir
  const name = `${basename(dirname(dataDir))}-${digest(dataDir).slice(0, 8)}`
  return makeReadableFolder(join(sharedFolder, name))
}

/** Whether every folder of the path can be entered by any user. */
export const reachableByAll = async (path: string): Promise<boolean> => {
  for (let dir = path; ; dir = dirname(dir)) {
    if (((await stat(dir)).mode & 0o001) === 0) return false
    if (dir === dirname(dir)) return true
  }
}

/** chmod, because mkdir's mode is reduced by the umask. */
export const makeReadableFolder = async (path: string): Promise<string> => {
  await mkdir(path, { recursive: true })
  for (let dir = path; dir.startsWith(sharedFolder); dir = dirname(dir)) await chmod(dir, 0o755)
  return path
}

/** The path of a socket may have 107 bytes, including its file name. */
const maxSocketDirLength = 80

/** Next to the data if the path is short enough, otherwise in the temporary folder, where it must belong to us. */
export const socketFolder = async (home: string, files: string, as: ServerUser): Promise<string> => {
  const near = join(home, 'run')
  const dir =
    near.length <= maxSocketDirLength
      ? near
      : join(tmpdir(), `lotline-${process.getuid?.() ?? 0}-${digest(files).slice(0, 12)}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const found = await lstat(dir)
  const owners = [process.getuid?.(), ...(as.asNobody ? [nobody] : [])]
  if (!found.isDirectory() || (process.getuid && !owners.includes(found.uid)))
    throw new Error(`${dir} belongs to another user. Remove it, or set DATA_DIR to a shorter path.`)
  await chmod(dir, 0o700)
  await ownedBy(dir, as)
  return dir
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
