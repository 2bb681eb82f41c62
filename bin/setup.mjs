// Installs the packages when they are missing or older than the lock file: for `npm start` without those for development, unless
// they are there. Plain JavaScript, so that any Node runs it.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installed = join(root, 'node_modules', '.package-lock.json')
const lock = join(root, 'package-lock.json')
const hasDevelopment = existsSync(join(root, 'node_modules', 'vitest'))
const serviceOnly = process.argv[1]?.endsWith('start.mjs') && !hasDevelopment
const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs

if (!isCurrent || !(serviceOnly || hasDevelopment)) {
  process.stderr.write('Installing packages (once, about a minute)…\n')
  const npm = process.env.npm_execpath
  // `ci` removes all packages first, also those of a service that runs from this folder, so missing ones are added by `install`.
  const command = isCurrent ? ['install', '--no-save'] : ['ci', ...(serviceOnly ? ['--omit=dev'] : [])]
  const args = [...command, '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' })
  if (status !== 0) {
    process.stderr.write(
      'The packages could not be installed; the reason is above. Installing needs a network connection.\n',
    )
    process.exit(status ?? 1)
  }
}
