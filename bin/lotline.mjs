#!/usr/bin/env node
// Finds the right Node, then starts the program. Lotline runs TypeScript as it stands, which takes Node 24; it is pinned
// among the packages, so an older Node on the machine only has to get this far.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const needed = 24
const here = dirname(fileURLToPath(import.meta.url))
const major = Number(process.versions.node.split('.')[0])

if (major >= needed) {
  // Compiled once: the program is some hundred files, and every command, child and thread would read them all anew.
  const { enableCompileCache, flushCompileCache } = await import('node:module')
  const compiled = join(here, '../node_modules/.cache/lotline')
  enableCompileCache(compiled)
  // Threads look here alone.
  process.env.NODE_COMPILE_CACHE = compiled
  // Early for the child that loads the sample, later for what is read last: a service may be killed before it could write.
  for (const ms of [1_000, 15_000]) setTimeout(flushCompileCache, ms).unref()
  if (process.argv[2] === 'serve') (await import('../src/bin/early-stop.ts')).listenForStop()
  await import('../src/bin/lotline.ts')
} else {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const pinned = [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`]
    .map((name) => join(here, '../node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
    .find(existsSync)
  if (!pinned) {
    process.stderr.write(
      `Lotline needs Node ${needed} or later; this is ${process.version}, and no pinned Node for ${platform}-${process.arch} is installed.\n` +
        'Run npm install without --omit=optional, or install Node 24 and try again.\n',
    )
    process.exit(1)
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
  })
}
