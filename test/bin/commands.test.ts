import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, sql } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { packFolder } from '../packs/pack-folder.ts'
import { newDatabase, urlOf } from '../setup/database.ts'
import { dataFolder, run, runToEnd } from './program.ts'

const secret = '11'.repeat(32)
let dir: string
let env: Record<string, string>
beforeAll(async () => {
  dir = await dataFolder()
  env = { DATA_DIR: dir, DATABASE_URL: urlOf(await newDatabase()), SECRET_KEY: secret }
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const json = async (args: string[], given = env) => {
  const { code, output } = await runToEnd([...args, '--json'], given)
  expect(code, output).toBe(0)
  return JSON.parse(output)
}

test('keys are created, listed without being shown, rotated and revoked', { timeout: 600_000 }, async () => {
  const one = await json(['keys', 'create', '--plan', 'pro', '--email', 'pro@example.com'])
  expect(one).toMatchObject({
    success: true,
    tier: 'pro',
    key: expect.stringMatching(/^ll_pro_/),
    id: expect.stringMatching(/^key_/),
  })
  const three = await json(['keys', 'create', '--plan', 'free', '--email', 'f@example.com', '--count', '3'])
  expect(three).toHaveLength(3)
  const listed = await json(['keys', 'list', '--email', 'pro@example.com'])
  expect(listed).toEqual([expect.objectContaining({ id: one.id, plan: 'pro', state: 'active' })])
  expect(JSON.stringify(listed)).not.toContain(one.key)
  const rotated = await json(['keys', 'rotate', one.id])
  expect(rotated.key).not.toBe(one.key)
  expect(await json(['keys', 'revoke', rotated.id])).toEqual({ success: true, id: rotated.id })
  const again = await runToEnd(['keys', 'revoke', rotated.id], env)
  expect([again.code, again.output]).toEqual([
    1,
    `There is no active key ${rotated.id}. List the keys with: lotline keys list\n`,
  ])
})

test('a backup is restored by another process into an empty database', { timeout: 600_000 }, async () => {
  // As the daily backup does: into a folder, where older ones and what a killed one left are deleted, and nothing else.
  const folder = join(dir, 'daily')
  await mkdir(folder)
  const [older, newer] = ['lotline-2026-01-01T000000Z.backup', 'lotline-2999-01-01T000000Z.backup']
  for (const name of [older, newer, `${older}.partial`, 'mine.backup']) await writeFile(join(folder, name), '')
  const taken = await json(['backup', folder, '--keep', '2'])
  const kept = await readdir(folder)
  expect(kept.sort()).toEqual([expect.stringMatching(/^lotline-20\d\d-/), newer, 'mine.backup'])
  const file = join(folder, kept[0]!)
  expect(taken.tables['public.api_key'].rows).toBeGreaterThan(0)
  const target = { ...env, DATABASE_URL: urlOf(await newDatabase()) }
  const again = await runToEnd(['backup', file], env)
  expect([again.code, again.output]).toEqual([1, expect.stringContaining('--force')])
  const nowhere = await runToEnd(['export', 'sales', join(dir, 'none', 'x.csv'), '--format', 'csv'], env)
  expect([nowhere.code, nowhere.output]).toEqual([
    1,
    expect.stringMatching(/^.*Cannot write .*Name a file in a folder/s),
  ])
  expect(nowhere.output).not.toContain('    at ')
  const noFolder = await runToEnd(['backup', file, '--keep', '2'], env)
  expect([noFolder.code, noFolder.output]).toEqual([1, expect.stringContaining('--keep needs an existing folder')])
  expect(await json(['restore', file], target)).toEqual(taken)
  const listed = await json(['keys', 'list'], target)
  expect(listed).toHaveLength(taken.tables['public.api_key'].rows)
  const twice = await runToEnd(['restore', file], target)
  expect(twice.code).toBe(1)
  expect(twice.output).toMatch(/^The database is not empty/)
})

test('doctor reports each check and fails when one does', { timeout: 600_000 }, async () => {
  const well = await json(['doctor'])
  expect(well.healthy).toBe(true)
  const names = well.checks.map(({ name }: { name: string }) => name)
  expect(names).toEqual([
    'node',
    'disk',
    'secret key',
    'engine',
    'database',
    'migrations',
    'secrets',
    'data',
    'feeds',
    'accuracy',
    'statements',
    'locks',
    'tables',
    'replicas',
    'backup',
    'markets',
    'sources',
    'redis',
    'smtp',
  ])
  const rowsOf = (name: string) => well.checks.find((each: { name: string }) => each.name === name).rows
  expect([rowsOf('replicas'), rowsOf('backup')]).toEqual([[], [expect.objectContaining({ rows: expect.any(Number) })]])
  expect(rowsOf('tables')[0]).toMatchObject({ name: expect.stringMatching(/^(g\d\d|public|pgboss)\./), grown: null })
  const newer = urlOf(await newDatabase())
  const written = openDatabase({ connectionString: newer })
  await migrate(written)
  await sql`insert into public.migration (scope, name, hash) values ('g00', '9999_newer.sql', 'x')`.execute(written.db)
  await written.close()
  // The broken pack is in the report only: a warning at the start would make the output no JSON.
  const ill = await runToEnd(['doctor', '--json'], {
    ...env,
    DATABASE_URL: newer,
    PACKS_DIR: packFolder({ pack: { timeZone: 'America/Springfield' } }),
    REDIS_URL: 'redis://127.0.0.1:1',
    SMTP_URL: 'smtp://127.0.0.1:1',
  })
  expect(ill.code).toBe(1)
  const failed = JSON.parse(ill.output).checks.filter(({ state }: { state: string }) => state === 'fail')
  expect(failed.map(({ name }: { name: string }) => name)).toEqual(['migrations', 'markets', 'redis', 'smtp'])
  expect(failed[0].detail).toMatch(/9999_newer\.sql\. A newer .* Start the version of Lotline that wrote this database/)
  expect(failed[1].detail).toMatch(/pack\.json:10: timeZone/)
})

test('the program lists its commands', { timeout: 600_000 }, async () => {
  const { code, output } = await runToEnd(['--help'])
  expect(code).toBe(0)
  const commands = [...output.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1]!)
  expect(commands).toEqual(expect.arrayContaining(['serve', 'keys', 'backup', 'restore', 'doctor']))
})

test('a command whose reader closes the pipe ends quietly', async () => {
  for (const args of [['doctor'], ['keys', 'list', '--json']]) {
    const program = run(args, env)
    program.child.stdout!.destroy()
    expect([await program.ended, program.output()]).toEqual([0, ''])
  }
})
