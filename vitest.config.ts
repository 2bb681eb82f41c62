import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/postgres.ts'],
    setupFiles: ['test/setup/seed.ts', 'test/setup/packs.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores are what we promise to run on.
    maxWorkers: 2,
  },
})
