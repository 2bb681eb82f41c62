import { expect, test } from 'vitest'
import { runProgram } from './program.ts'

const script = `
  import { openLogger } from './src/api/logging.ts'
  import { watchRejections } from './src/bin/unhandled-rejections.ts'
  import { Registry } from 'prom-client'
  const registry = new Registry()
  watchRejections({ log: openLogger('info', { write: (line) => console.log(JSON.stringify(JSON.parse(line).err)) }), registry })
  const brokenJob = async () => { throw new Error('left alone') }
  brokenJob()
  setTimeout(async () => console.log(await registry.metrics()), 20)`

test('a rejection that no code handles is logged with its stack and counted, and the process goes on', async () => {
  const program = runProgram(process.execPath, ['--input-type=module', '-e', script])
  expect(await program.ended, program.output()).toBe(0)
  expect(program.output()).toMatch(/left alone.*at brokenJob/)
  expect(program.output()).toContain('lotline_unhandled_rejections_total 1')
})
