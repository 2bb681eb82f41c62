import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDatabase, urlOf } from '../../setup/database.ts'
import { run, runToEnd } from '../program.ts'

const SECRET_KEY = '11'.repeat(32)
/** The folder for the program's temporary files. */
let TMPDIR: string
beforeEach(async () => {
  TMPDIR = await mkdtemp(join(tmpdir(), 'lotline-own-'))
})
afterEach(() => rm(TMPDIR, { recursive: true, force: true }))

const left = async () => (await readdir(TMPDIR)).filter((name) => name.startsWith('lotline-sample-'))

test('an unreachable database is reported, and no files are left behind', { timeout: 600_000 }, async () => {
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/x'
  const { code, output } = await runToEnd(['sample', 'load'], { DATABASE_URL, SECRET_KEY, TMPDIR })
  expect(code).toBe(1)
  expect(output).toMatch(
    /The PostgreSQL server cannot be used \(.*ECONNREFUSED.*\)\. Start it, or correct DATABASE_URL\.\n$/,
  )
  expect(output).not.toMatch(/\.ts:\d|node_modules/)
  expect(await left()).toEqual([])
})

test('SIGTERM during the load leaves no files behind', { timeout: 600_000 }, async () => {
  const { child, ended } = run(['sample', 'load'], { DATABASE_URL: urlOf(await newDatabase()), SECRET_KEY, TMPDIR })
  await expect.poll(left, { timeout: 60_000 }).toHaveLength(1)
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
  expect(await left()).toEqual([])
})
