// `npm run faults`: makes small faults, one at a time, the same number in each area, and reports which of them no test notices.
//   --count N   how many (180)   --seed N   another choice   --only PART   files whose path contains PART
//   --area A    only this area (repeat it for several)   --seconds N  tests to try for each fault, by their time (60)
//   --lines DIR which lines each test runs, kept from one run to the next; a fault in a line that no test runs survives
// Texts but SQL, comments and types are left out. Nothing else is, so a few faults change nothing that a test could notice.
// Works in a copy of the checkout, so an interrupted run leaves nothing behind.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node'
import type { LinesRun } from './lines-run.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '180' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    area: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '60' },
    lines: { type: 'string', default: join(tmpdir(), 'lotline-lines') },
  },
})

/** `pure`: rules that a test can check without a database: criteria, laws, pro forma, addresses, plans. */
const areas: Readonly<Record<string, RegExp>> = {
  pure: /^src\/(criteria\/|domain\/address\/|wire\/plans|common\/spelling|laws\/us-|laws\/(accessory|parcel)|intelligence\/(proforma|site|scores)\/|intelligence\/(statistics\/rank-score|market\/heat\.|condition\/condition\.))/,
  store: /^src\/store\/(?!engine\/schema)/,
  operations: /^src\/operations\//,
  api: /^src\/api\//,
  // What runs in a browser is tested in one, which takes minutes for each fault.
  web: /^src\/web\/(?!browser\/)/,
  events: /^src\/events\//,
  ingest: /^src\/ingest\//,
}

/** Tests of other programs, of kills at random moments, and in a browser: too slow for one fault, or they fail at times. */
const leftOut =
  /test\/(bin|bench|scheduled|tools|backtest)\/|browser\.test|chaos|kill\.test|upgrade\.test|docs-examples/

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

/** The same for SQL. */
const sqlMistakes: readonly (readonly [RegExp, string])[] = [
  [/ and (?!not )/g, ' or '],
  [/ is null\b/g, ' is not null'],
  [/ is not null\b/g, ' is null'],
  [/ >= /g, ' > '],
  [/ <= /g, ' < '],
  [/ > (?!=)/g, ' >= '],
  [/ < (?!=)/g, ' <= '],
  [/ <> /g, ' = '],
  [/ desc\b/g, ''],
  [/ nulls last\b/g, ' nulls first'],
  [/\bleft join /g, 'join '],
  [/\bnot exists\b/g, 'exists'],
  [/\bgreatest\(/g, 'least('],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
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

/** `sql` or a function of store/engine/database.ts that runs a statement. */
const sqlTemplate =
  /\b(?:sql(?:<[^`]{0,300}?>)?|(?:rowsOf|knownRows|firstRow|onlyRow|valuesOf|firstValue|onlyValue|anyRow|execute)(?:<[^`]{0,900}?>)?\([\w.]+\))`(?:[^`\\]|\\.)*`/g

/** Only the SQL of a file; everything else becomes spaces. */
const onlySql = (source: string): string => {
  let at = 0
  let kept = ''
  for (const { index, 0: text } of source.matchAll(sqlTemplate)) {
    kept += source.slice(at, index).replace(/[^\n]/g, ' ') + text.replace(/--.*$/gm, (each) => ' '.repeat(each.length))
    at = index + text.length
  }
  return kept + source.slice(at).replace(/[^\n]/g, ' ')
}

/** Types are checked by the compiler, not by tests. */
const isType = (line: string): boolean =>
  /^\s*(import|export (type|interface)|type|interface)\b|=>\s*\w+(\[\])?$/.test(line)

const faultsIn = (file: string, source: string): Fault[] => [
  ...faultsOf(file, source, withoutTexts(source), mistakes),
  ...faultsOf(file, source, onlySql(source), sqlMistakes),
]

const faultsOf = (file: string, source: string, code: string, kinds: typeof mistakes): Fault[] =>
  kinds.flatMap(([pattern, wrong]) =>
    [...code.matchAll(pattern)].flatMap(({ index, 0: found }) => {
      const line = code.slice(code.lastIndexOf('\n', index) + 1, code.indexOf('\n', index + 1))
      // A space may have been part of a text.
      return isType(line) || source.slice(index, index + found.length) !== found
        ? []
        : [{ file, at: index, length: found.length, with: wrong }]
    }),
  )

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
  .filter((file) => file.endsWith('.ts') && file.includes(values.only))
const next = random(Number(values.seed))
const entered = Object.entries(areas).filter(([area]) => values.area.length === 0 || values.area.includes(area))
const chosen = entered
  .map(([area, pattern]) =>
    files
      .filter((file) => pattern.test(file))
      .flatMap((file) => faultsIn(file, readFileSync(join(root, file), 'utf8')))
      .map((fault) => ({ fault, area, order: next() }))
      .sort((a, b) => a.order - b.order)
      .slice(0, Math.ceil(Number(values.count) / entered.length)),
  )
  // One of each area in turn, so that a run that is interrupted has entered every area.
  .flatMap((all) => all.map((each, turn) => ({ ...each, turn })))
  .sort((a, b) => a.turn - b.turn)

const copy = mkdtempSync(join(tmpdir(), 'lotline-faults-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
for (const file of execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n'))
  cpSync(join(root, file), join(copy, file))
// Its own caches and locks, so that tests can run in the checkout meanwhile.
mkdirSync(join(copy, 'node_modules'))
for (const name of readdirSync(join(root, 'node_modules')))
  if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))

// One Vitest for the whole run, which transforms only the changed file again.
let order: string[] = []
class AsChosen extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => order.indexOf(a.moduleId) - order.indexOf(b.moduleId))
  }
}
const vitest = await createVitest('test', {
  root: copy,
  watch: false,
  bail: 1,
  reporters: [{}],
  sequence: { sequencer: AsChosen },
})
// Starting a process and loading the modules takes longer than most files.
for (const { config } of vitest.projects) Object.assign(config, { maxWorkers: 1, retry: 0 })
const tests = (await vitest.globTestSpecifications()).filter(({ moduleId }) => !leftOut.test(moduleId))

/** Which lines each test runs. A test that is newer than its lines runs first, to find them. */
const nameOf = ({ moduleId }: TestSpecification): string => moduleId.slice(copy.length + 1)
const linesFile = (spec: TestSpecification): string => join(values.lines, `${nameOf(spec)}.json`)
const unknown = tests.filter(
  (spec) =>
    !existsSync(linesFile(spec)) || statSync(linesFile(spec)).mtimeMs < statSync(join(root, nameOf(spec))).mtimeMs,
)
if (unknown.length > 0) {
  process.env.LOTLINE_LINES = values.lines
  const setup = join(copy, 'scripts/lines-run.ts')
  for (const { config } of vitest.projects)
    Object.assign(config, { maxWorkers: 2, bail: 0, setupFiles: [setup, ...config.setupFiles] })
  await vitest.runTestSpecifications(unknown)
  for (const { config } of vitest.projects)
    Object.assign(config, { maxWorkers: 1, bail: 1, setupFiles: config.setupFiles.filter((each) => each !== setup) })
}
const runs = tests.flatMap((spec) => {
  if (!existsSync(linesFile(spec))) return []
  const { seconds, lines } = JSON.parse(readFileSync(linesFile(spec), 'utf8')) as LinesRun
  const of = new Map(Object.entries(lines).map(([file, all]) => [file, new Set(all)]))
  return [{ spec, seconds, of, all: [...of.values()].reduce((sum, each) => sum + each.size, 1) }]
})

/** The tests that run the line, those first that run little but its file, as many as take `--seconds`. */
const testsOf = ({ file, at }: Fault) => {
  const line = readFileSync(join(copy, file), 'utf8')
    .slice(0, at + 1)
    .split('\n').length
  // The users of a file that has only constants run none of its lines.
  const only = runs.some(({ of }) => (of.get(file)?.size ?? 0) > 0)
    ? [file]
    : files.filter((each) => readFileSync(join(root, each), 'utf8').includes(`/${basename(file)}'`))
  let left = Number(values.seconds)
  return runs
    .flatMap(({ spec, seconds, of, all }) => {
      const isRun = only[0] === file ? of.get(file)?.has(line) : only.some((each) => of.get(each)?.size)
      const share = only.reduce((sum, each) => sum + (of.get(each)?.size ?? 0), 0) / all
      return isRun ? [{ spec, seconds, share }] : []
    })
    .sort((a, b) => b.share - a.share)
    .filter(({ seconds }, index) => {
      left -= seconds
      return left > 0 || index === 0
    })
    .map(({ spec }) => spec)
}

/** The tests of the list that ran and failed. They run in one process, in this order, up to the first that fails. */
const failing = async (specs: typeof tests): Promise<typeof tests> => {
  vitest.state.clearErrors()
  order = specs.map(({ moduleId }) => moduleId)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs)
  // The modules of earlier runs are in the list too.
  const failed = new Set(testModules.filter((module) => module.state() === 'failed').map(({ moduleId }) => moduleId))
  const found = specs.filter(({ moduleId }) => failed.has(moduleId))
  return found.length > 0 || unhandledErrors.length === 0 ? found : specs.slice(0, 1)
}

/** A test that fails without a fault would notice every one. */
const failsAnyway = new Map<string, boolean>()
const isSound = async (spec: (typeof tests)[number]): Promise<boolean> => {
  const known = failsAnyway.get(spec.moduleId)
  if (known !== undefined) return !known
  const fault = (await failing([spec])).length > 0
  failsAnyway.set(spec.moduleId, fault)
  if (fault) process.stdout.write(`${spec.moduleId.slice(copy.length + 1)} fails without a fault and is left out\n`)
  return !fault
}

/** Up to the first test that fails with the fault and not without it. Returns its name. */
const noticedBy = async (fault: Fault): Promise<string | undefined> => {
  const path = join(copy, fault.file)
  const source = readFileSync(path, 'utf8')
  const write = (text: string) => {
    writeFileSync(path, text)
    vitest.invalidateFile(path)
  }
  let left = testsOf(fault)
  try {
    while (left.length > 0) {
      write(source.slice(0, fault.at) + fault.with + source.slice(fault.at + fault.length))
      const [spec] = await failing(left)
      if (!spec) return undefined
      write(source)
      if (await isSound(spec)) return spec.moduleId.slice(copy.length + 1)
      left = left.filter(({ moduleId }) => failsAnyway.get(moduleId) !== true)
    }
    return undefined
  } finally {
    write(source)
  }
}

const figures = new Map(entered.map(([area]) => [area, { caught: 0, of: 0 }]))
const figure = ({ caught, of }: { caught: number; of: number }) =>
  `${caught} of ${of} caught (${Math.round((100 * caught) / Math.max(1, of))}%)`
for (const [index, { fault, area }] of chosen.entries()) {
  const by = await noticedBy(fault)
  const counts = figures.get(area)!
  counts.of += 1
  if (by) counts.caught += 1
  const source = readFileSync(join(copy, fault.file), 'utf8')
  const line = source.slice(0, fault.at).split('\n').length
  const was = source.slice(fault.at, fault.at + fault.length).trim()
  process.stdout.write(
    `${index + 1}/${chosen.length} ${by ? 'caught  ' : 'SURVIVED'} ${fault.file}:${line}: ${was} → ${fault.with.trim()}${by ? ` (${by})` : ''}\n`,
  )
}
for (const [area, counts] of figures) process.stdout.write(`${area}: ${figure(counts)}\n`)
const sum = (name: 'caught' | 'of') => [...figures.values()].reduce((total, each) => total + each[name], 0)
process.stdout.write(`seed ${values.seed}: ${figure({ caught: sum('caught'), of: sum('of') })}\n`)
await vitest.close()
