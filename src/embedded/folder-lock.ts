// One process at a time, by a folder: making one either succeeds or finds it there. A lock whose process is gone is taken.
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
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
  // Just made, its pid not written yet, it is somebody's; still without one after a while, that somebody died.
  const abandoned = pid ? !alive(pid) : await olderThan(path, unsignedMs)
  if (abandoned) await rm(path, { recursive: true, force: true })
  return false
}

const unsignedMs = 10_000

const olderThan = async (path: string, ms: number): Promise<boolean> => {
  const made = await stat(path).catch(() => undefined)
  return made !== undefined && Date.now() - made.mtimeMs > ms
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
