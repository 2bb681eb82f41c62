// Reads the market packs once for the whole test run, and keeps the files that tests write in one folder, which is deleted at the end.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { useMarketPacks } from '../../src/bin/use-market-packs.ts'
import type { MarketPack } from '../../src/domain/packs/pack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    packs: readonly MarketPack[]
    filesDir: string
  }
}

export default function setup(project: TestProject) {
  project.provide('packs', useMarketPacks([]).packs)
  const filesDir = mkdtempSync(join(tmpdir(), 'lotline-files-'))
  project.provide('filesDir', filesDir)
  return () => rm(filesDir, { recursive: true, force: true })
}
