// `npm run faults`: makes small faults in the pure folders, one at a time, and reports which of them no test notices.
//   --count N   how many (60)   --seed N   another choice   --only PART   files whose path contains PART
// Texts, comments and types are left out. Nothing else is, so a few faults change nothing that a test could notice.
// Works in a copy of the checkout, so an interrupted run leaves nothing behind.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})

/** Rules that a test can check without a database: criteria, laws, pro forma, addresses, plans. */
const pure =
  /^src\/(criteria\/|domain\/address\/|wire\/plans|common\/spelling|laws\/us-|laws\/(accessory|parcel)|intelligence\/(proforma|site|scores)\/|intelligence\/(statistics\/rank-score|market\/heat\.|condition\/condition\.))/

/** What replaces what. Each is a mistake that a person makes. */
const mistakes: readonly (readonly [RegExp, string])[] = [
  [/ >= /g, ' > '],
  [/ <= /g, ' < '],
  [/ > (?!=)/g, ' >= '],
  [/ < (?!=)/g, ' <= '],
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ (?=[\w(])/g, ' - '],
  [/ - (?=[\w(])/g, ' + '],
  [/ \* /g, ' / '],
  [/Math\.min\(/g, 'Math.max('],
  [/Math\.max\(/g, 'Math.min('],
  [/\btrue\b/g, 'false'],
  [/(?<![\w.])100(?![\w.])/g, '101'],
  [/(?<![\w.])0\.5(?!\w)/g, '0.6'],
]

interface Fault {
  file: string
  at: number
  length: number
  with: string
}

/** Comments and texts become spaces, so that positions stay and no fault is in a text. */
const withoutTexts = (source: string): string =>
  source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?![ *])(?:[^/\\\n]|\\.)+\/[gimsuy]*/g,
    (text) => text.replace(/[^\n]/g, ' '),
  )

/** Types are checked by the compiler, not by tests. */
const isType = (line: string): boolean =>
  /^\s*(import|export (type|interface)|type|interface)\b|=>\s*\w+(\[\])?$/.test(line)

const faultsIn = (file: string, source: string): Fault[] => {
  const code = withoutTexts(source)
  return mistakes.flatMap(([pattern, wrong]) =>
    [...code.matchAll(pattern)].flatMap(({ index, 0: found }) => {
      const line = code.slice(code.lastIndexOf('\n', index) + 1, code.indexOf('\n', index + 1))
      return isType(line) ? [] : [{ file, at: index, length: found.length, with: wrong }]
    }),
  )
}

/** The same seed gives the same choice (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

const root = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => pure.test(file) && file.includes(values.only))
const next = random(Number(values.seed))
const chosen = files
  .flatMap((file) => faultsIn(file, readFileSync(join(root, file), 'utf8')))
  .map((fault) => ({ fault, order: next() }))
  .sort((a, b) => a.order - b.order)
  .slice(0, Number(values.count))
  .map(({ fault }) => fault)

const copy = mkdtempSync(join(tmpdir(), 'lotline-faults-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
for (const file of execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n'))
  cpSync(join(root, file), join(copy, file))
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

// One Vitest for the whole run, which transforms only the changed file again.
const vitest = await createVitest('test', { root: copy, watch: false, project: ['fast'], reporters: [{}] })
const tests = await vitest.globTestSpecifications()

const importsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/ from '(\.[^'\n]+\.ts)'/g)].map(([, to]) => join(dirname(path), to!))

/** How many imports lead from a test to a file; undefined if none do. */
const distance = (from: string, to: string): number | undefined => {
  const steps = new Map([[from, 0]])
  for (const [path, step] of steps) {
    if (path === to) return step
    for (const next of importsOf(path)) if (!steps.has(next)) steps.set(next, step + 1)
  }
  return undefined
}

/** The tests without a database that import the file, at most twelve: those of its folder first, then the nearest. */
const testsBeside = (file: string) =>
  tests
    .flatMap((spec) => {
      const steps = distance(spec.moduleId, join(copy, file))
      const isOfFolder = dirname(spec.moduleId) === join(copy, dirname(file).replace(/^src/, 'test'))
      return steps === undefined ? [] : [{ spec, steps: isOfFolder ? 0 : steps }]
    })
    .sort((a, b) => a.steps - b.steps)
    .slice(0, 12)
    .map(({ spec }) => spec)

const fails = async (spec: (typeof tests)[number]): Promise<boolean> => {
  vitest.state.clearErrors()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([spec])
  // The modules of earlier runs are in the list too.
  return testModules.some((module) => module.moduleId === spec.moduleId && !module.ok()) || unhandledErrors.length > 0
}

/** One test file at a time, up to the first that fails. */
const noticed = async (file: string): Promise<boolean> => {
  for (const spec of testsBeside(file)) if (await fails(spec)) return true
  return false
}

// A test that fails anyway would catch every fault.
for (const spec of new Set(chosen.flatMap(({ file }) => testsBeside(file))))
  if (await fails(spec)) {
    process.stderr.write(`${spec.moduleId.slice(copy.length + 1)} fails without a fault: repair it first.\n`)
    process.exit(1)
  }

let caught = 0
for (const [index, fault] of chosen.entries()) {
  const path = join(copy, fault.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.slice(0, fault.at) + fault.with + source.slice(fault.at + fault.length))
  vitest.invalidateFile(path)
  const found = await noticed(fault.file)
  writeFileSync(path, source)
  vitest.invalidateFile(path)
  if (found) caught += 1
  const line = source.slice(0, fault.at).split('\n').length
  const was = source.slice(fault.at, fault.at + fault.length).trim()
  process.stdout.write(
    `${index + 1}/${chosen.length} ${found ? 'caught  ' : 'SURVIVED'} ${fault.file}:${line}: ${was} → ${fault.with.trim()}\n`,
  )
}
process.stdout.write(
  `${caught} of ${chosen.length} caught (${Math.round((100 * caught) / Math.max(1, chosen.length))}%)\n`,
)
await vitest.close()
