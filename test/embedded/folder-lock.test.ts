import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withFolderLock } from '../../src/embedded/folder-lock.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lotline-lock-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

test('two at once work one after the other', async () => {
  const order: string[] = []
  const work = (name: string) =>
    withFolderLock(join(dir, 'lock'), async () => {
      order.push(`${name} in`)
      await new Promise(setImmediate)
      order.push(`${name} out`)
    })
  await Promise.all([work('a'), work('b')])
  expect(order.map((each) => each.split(' ')[1])).toEqual(['in', 'out', 'in', 'out'])
})

test('a lock left by a process that died is taken, signed or not', async () => {
  const lock = join(dir, 'lock')
  await mkdir(lock)
  await writeFile(join(lock, 'pid'), '999999999')
  expect(await withFolderLock(lock, async () => 'signed')).toBe('signed')
  await mkdir(lock)
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(lock, longAgo, longAgo)
  expect(await withFolderLock(lock, async () => 'unsigned')).toBe('unsigned')
})
