// Which test files start PostgreSQL or the program, found by their imports. `npm run test:fast` runs the others.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A test that reaches one of these needs PostgreSQL, or starts it. */
const servers = [
  /^test\/setup\/server\.ts$/,
  /^test\/bin\/program\.ts$/,
  /^src\/embedded\/server\.ts$/,
  /^bench\/context\.ts$/,
]

/** Tests without a server that take long: markets generated and fitted, other processes, and compilers of other languages. */
const slow = [
  /^test\/.*backtest/,
  /^test\/tools\/sample\/(generate|leads|shipped|teardown)\.test\.ts$/,
  /^test\/intelligence\/valuation\/(after-repair|calibration|value-home)\.test\.ts$/,
  /^test\/embedded\/file-lock\.test\.ts$/,
  /^test\/docs\/webhooks\.test\.ts$/,
  /^test\/web\/docs-examples\.test\.ts$/,
]

export const startsServers = (file: string): boolean => {
  const path = normalize(file).replaceAll('\\', '/')
  return slow.some((each) => each.test(path)) || reaches(path, new Set())
}

const reaches = (file: string, seen: Set<string>): boolean => {
  if (servers.some((each) => each.test(file))) return true
  const at = join(import.meta.dirname, '../..', file)
  if (seen.has(file) || !file.startsWith('test/') || !existsSync(at)) return false
  seen.add(file)
  const imports = readFileSync(at, 'utf8').matchAll(/(?:from |import |import\()'(\.[^']+)'/g)
  return [...imports].some(([, path]) => reaches(normalize(join(dirname(file), path!)).replaceAll('\\', '/'), seen))
}
