#!/usr/bin/env node
// Starts the program on Node 24, which runs TypeScript directly. An older Node runs this file only and starts the Node
// that is installed as a package.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopWithLauncher } from './stop-with-launcher.mjs'
import { stopWithNpm } from './stop-with-npm.mjs'

const requiredMajor = 24
const here = dirname(fileURLToPath(import.meta.url))
const major = Number(process.versions.node.split('.')[0])
stopWithNpm()
stopWithLauncher()

if (major >= requiredMajor) {
  // Caches the compiled code of some hundred files, which every command, child process and thread would compile again.
  const { enableCompileCache } = await import('node:module')
  // A service that must not write to its program names another folder.
  const cacheDir = process.env.NODE_COMPILE_CACHE || join(here, '../node_modules/.cache/lotline')
  enableCompileCache(cacheDir)
  // Worker threads only read this variable.
  process.env.NODE_COMPILE_CACHE = cacheDir
  if (process.argv[2] === 'serve') (await import('../src/bin/stop-signals.ts')).listenForStop()
  await import('../src/bin/lotline.ts')
} else {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const packaged = [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`]
    .map((name) => join(here, '../node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
    .find(existsSync)
  if (!packaged) {
    process.stderr.write(
      `Lotline needs Node ${requiredMajor} or later. This is ${process.version}, and there is no packaged Node for ${platform}-${process.arch}.\n` +
        'Run npm install without --omit=optional, or install Node 24.\n',
    )
    process.exit(1)
  }
  const child = spawn(packaged, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The channel closes when this process ends, however it ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
  })
}
