// One process at a time, by a folder: making one either succeeds or finds it there. A lock whose process is gone is taken.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export const withFolderLock = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  await mkdir(dirname(path), { recursive: true })
  while (!(await taken(path))) await wait(100)
  try {
    return await work()
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

const taken = async (path: string): Promise<boolean> => {
  try {
    await mkdir(path)
    await writeFile(join(path, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const pid = Number(await readFile(join(path, 'pid'), 'utf8').catch(() => ''))
  // Just made, its pid not written yet: it is somebody's.
  if (!pid) return false
  if (!alive(pid)) await rm(path, { recursive: true, force: true })
  return false
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
