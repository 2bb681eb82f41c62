import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/architecture.md'), 'utf8')

test('every file that the architecture page names exists', () => {
  const named = [...page.matchAll(/`([a-z-]+\/[\w./-]+\.ts)`/g)].map((match) => match[1]!)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((path) => ![join(root, 'src', path), join(root, path)].some(existsSync))).toEqual([])
})

test('every folder of src is in the table of layers', async () => {
  const folders = (await readdir(join(root, 'src'), { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const table = page.slice(page.indexOf('| Layer |'), page.indexOf('More rules'))
  expect(folders.filter(({ name }) => !table.includes(`\`${name}\``)).map(({ name }) => name)).toEqual([])
})

test('every test that runs weekly is in the scheduled run', async () => {
  const workflow = await readFile(join(root, '.github/workflows/scheduled.yml'), 'utf8')
  const paths = /LOTLINE_WEEKLY=1 npx vitest run (.+)/.exec(workflow)![1]!.split(' ')
  const files = (await readdir(join(root, 'test'), { recursive: true })).filter((name) => name.endsWith('.test.ts'))
  const weekly: string[] = []
  for (const name of files)
    if (/process\.env\.LOTLINE_WEEKLY/.test(await readFile(join(root, 'test', name), 'utf8')))
      weekly.push(`test/${name}`)
  expect(weekly.length).toBeGreaterThan(5)
  expect(weekly.filter((name) => !paths.some((path) => name.startsWith(path)))).toEqual([])
})
