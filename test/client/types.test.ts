// The published types, compiled as a program of a customer would be.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operationTypes } from '../../scripts/client-types.ts'

const { text } = operationTypes()

test('no field of the published types is unknown or any', () => {
  expect(text.split('\n').filter((line) => /\bunknown\b|\bany\b/.test(line.replace(/"[^"]*"|\/\*.*/g, '')))).toEqual([])
})

test('a nullable number is a number or null', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotline-types-'))
  try {
    writeFileSync(join(folder, 'types.d.ts'), text)
    writeFileSync(
      join(folder, 'program.ts'),
      `import type { FeedEvent, operations, Permit } from './types.d.ts'
declare const permit: Permit
declare const list: (typeof operations)['listMarketSignals']['output']
declare const event: FeedEvent
export const valuation: number | null = permit.valuation
export const architect: string | null = permit.architect
export const next: number | null = list.pagination.nextOffset
export const cursor: string | null = list.pagination.nextCursor
export const price: number | undefined = event.event === 'listing.created' ? event.data.price : undefined
`,
    )
    const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
    const flags = [
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
      '--ignoreConfig',
    ]
    execFileSync(process.execPath, [tsc, ...flags, 'program.ts'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
