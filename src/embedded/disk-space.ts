// Whether the disk of the embedded database has room for further writes.
import { statfs } from 'node:fs/promises'

/** Four segments of PostgreSQL's write-ahead log. With less, the next write may fail or stop the server. */
const minFreeBytes = 64 * 2 ** 20

export const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export const diskProblem = async (folder: string, free = freeBytes): Promise<string | undefined> =>
  (await free(folder)) < minFreeBytes ? 'the disk of the database is full' : undefined
