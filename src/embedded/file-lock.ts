// One process at a time, by an exclusive lock on a file. The operating system holds the lock and releases it when the
// process ends, also when it is killed, so there is no stale lock to detect and no process id to trust. Node offers such
// locks only through SQLite: an open exclusive transaction on an empty database is one.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { messageOf } from '../common/typed.ts'
import { UnusableServer } from '../store/engine/server-check.ts'

interface FileLockOptions {
  /** After this long the caller is told who holds the lock. */
  noticeAfterMs?: number
  /** After this long waiting ends with an error. */
  maxWaitMs?: number
  retryMs?: number
  notify?: (line: string) => void
}

/** The lock file stays: removing it would let another process lock a new file of the same name beside the old one. */
export const withFileLock = async <T>(
  path: string,
  work: () => Promise<T>,
  { noticeAfterMs = 2_000, maxWaitMs = 60_000, retryMs = 100, notify = toStderr }: FileLockOptions = {},
): Promise<T> => {
  await mkdir(dirname(path), { recursive: true })
  const started = performance.now()
  let noticed = false
  let release = tryLock(path)
  while (!release) {
    const waited = performance.now() - started
    if (waited > maxWaitMs)
      throw new UnusableServer(
        `${path} was still locked after ${Math.round(waited / 1000)} s, by ${holderOf(path)}. If that process hangs, stop it and try again.`,
      )
    if (!noticed && waited > noticeAfterMs) {
      noticed = true
      notify(`Waiting for ${path}, locked by ${holderOf(path)}…`)
    }
    await wait(retryMs)
    release = tryLock(path)
  }
  try {
    return await work()
  } finally {
    release()
  }
}

/** Returns the function that releases the lock, or undefined while another holds it. */
const tryLock = (path: string): (() => void) | undefined => {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    database.exec('begin exclusive')
  } catch (error) {
    database?.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined
    throw new UnusableServer(
      `${path} cannot be locked: ${messageOf(error)}. Lotline must be able to write it; if it is damaged, stop every Lotline process that uses this folder, delete the file and start again.`,
      { cause: error },
    )
  }
  const held = database
  // The note only serves messages. A full disk must not leave the lock held with nobody to release it.
  ifPossible(() => writeFileSync(holderFile(path), `process ${process.pid} since ${new Date().toISOString()}`))
  return () => {
    ifPossible(() => rmSync(holderFile(path), { force: true }))
    held.close()
  }
}

/** Undefined after an error, on which nothing depends. */
const ifPossible = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const sqliteBusy = 5

/** Only for messages, and in a file of its own: a process that closes the lock file loses its lock (POSIX). */
const holderFile = (path: string) => `${path}.holder`

const holderOf = (path: string): string => ifPossible(() => readFileSync(holderFile(path), 'utf8')) ?? 'another process'

const toStderr = (line: string) => void process.stderr.write(`${line}\n`)
