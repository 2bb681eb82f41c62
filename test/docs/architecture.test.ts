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
