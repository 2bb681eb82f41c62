// Reads the market packs once for the whole test run.
import type { TestProject } from 'vitest/node'
import { useMarketPacks } from '../../src/bin/use-market-packs.ts'
import type { MarketPack } from '../../src/domain/packs/pack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    packs: readonly MarketPack[]
  }
}

export default function setup(project: TestProject) {
  project.provide('packs', useMarketPacks([]).packs)
}
