import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'
import { startsServers } from './test/setup/starts-servers.ts'

const files = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll('\\', '/')}`)

// Where there is enough memory, the databases of the tests are in it: to create one takes a fifth of the processor time, and none waits
// for a disk. All of a run take 5 GB.
const inMemory = '/dev/shm'
if (!process.env.TMPDIR && existsSync(inMemory) && process.availableMemory() > 12 * 2 ** 30) {
  const { bavail, bsize } = statfsSync(inMemory)
  if (bavail * bsize > 8 * 2 ** 30) process.env.TMPDIR = inMemory
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/setup/seed.ts', 'test/setup/packs.ts'],
    // Threads and processes that tests start load compiled code from the cache of the program.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/lotline') },
    // What a test polls for happens at once, but on a busy machine not within the default of one second.
    expect: { poll: { timeout: 30_000 } },
    // At the end the folder of the test databases is deleted, which takes more than the default of 10 s on a busy disk.
    teardownTimeout: 60_000,
    // Node runs the files itself: no transformation, and names of imports are bindings, not properties that hot code reads again.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          // Modules are loaded once per worker, which saves a third of the time.
          isolate: false,
          // Two cores are what we promise to run on.
          maxWorkers: 2,
          include: files.filter((file) => !startsServers(file)),
          globalSetup: ['test/setup/once.ts'],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          isolate: false,
          // These also wait: for a program to start, a database to stop, a time limit to pass. A third worker uses that time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          // Kills at random moments and timeouts of other processes: a failure must repeat, and the report counts the retry.
          retry: 1,
          include: files.filter(startsServers),
          setupFiles: ['test/setup/check-rows.ts'],
          globalSetup: ['test/setup/once.ts', 'test/setup/postgres.ts', 'test/setup/declared-rows.ts'],
          // A test that hangs must end. On a busy machine a test that works may need minutes.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
