// `npm run faults`: makes small faults, the same number in each area, and reports which of them no test notices.
//   --count N   how many (180)   --seed N   another choice   --only PART   files whose path contains PART
//   --area A    only this area (repeat it for several)
//   --seconds N tries tests of N seconds of processor time for each fault; without it, every test that runs the line
//   --lines DIR where it keeps which lines each test runs, from one run to the next
// A fault in a line that no test runs survives. Up to 12 faults are tried at once, if no test of one runs a line of another.
// Texts but SQL, comments and types are left out. Nothing else is, so a few faults change nothing that a test could notice.
// Works in a copy of the checkout, so an interrupted run leaves nothing behind.
import { execFileSync, spawnSync } from 'node:child_process'
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
import { createVitest, type TestSpecification } from 'vitest/node'
import type { LinesRun } from './lines-run.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '180' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    area: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: 'Infinity' },
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
  /test\/(bin|bench|scheduled|tools|backtest)\/|web\/browser\.test|chaos|kill\.test|upgrade\.test|docs-examples/

/** Faults that are tried at once. */
const maxTogether = 12

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

/** Types are checked by the compiler, not by tests. After a template in a template, a comment may look like SQL. */
const isNoCode = (line: string): boolean =>
  /^\s*(import|(export )?(type|interface) \w|\/?\*|\/\/|.*\w\?: true\b)/.test(line)

const faultsIn = (file: string, source: string): Fault[] => [
  ...faultsOf(file, source, withoutTexts(source), mistakes),
  ...faultsOf(file, source, onlySql(source), sqlMistakes),
]

const faultsOf = (file: string, source: string, code: string, kinds: typeof mistakes): Fault[] =>
  kinds.flatMap(([pattern, wrong]) =>
    [...code.matchAll(pattern)].flatMap(({ index, 0: found }) => {
      const line = code.slice(code.lastIndexOf('\n', index) + 1, code.indexOf('\n', index + 1))
      // A space may have been part of a text.
      return isNoCode(line) || source.slice(index, index + found.length) !== found
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

// One Vitest for the whole run.
const vitest = await createVitest('test', { root: copy, watch: false, reporters: [{}] })
const configure = (change: object) => {
  for (const { config } of vitest.projects) Object.assign(config, change)
}
const tests = (await vitest.globTestSpecifications()).filter(({ moduleId }) => !leftOut.test(moduleId))

const nameOf = ({ moduleId }: TestSpecification): string => moduleId.slice(copy.length + 1)

/** The tests of the list that failed, and whether the process that runs them ended or hung. */
const failing = async (specs: TestSpecification[], mostMs?: number) => {
  vitest.state.clearErrors()
  const end = () => spawnSync('pkill', ['-P', String(process.pid), '-f', 'vitest'])
  const hangs = mostMs === undefined ? undefined : setTimeout(end, mostMs)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs)
  clearTimeout(hangs)
  const failed = testModules.filter((module) => module.state() === 'failed').map(({ moduleId }) => moduleId)
  return { failed: new Set(failed), ended: unhandledErrors.length > 0 }
}

// Which lines each test runs, kept from one run of this program to the next. A test that is newer than its lines runs now. One that
// fails without a fault would notice every fault, so it is left out.
const linesFile = (spec: TestSpecification): string => join(values.lines, `${nameOf(spec)}.json`)
const unknown = tests.filter(
  (spec) =>
    !existsSync(linesFile(spec)) || statSync(linesFile(spec)).mtimeMs < statSync(join(root, nameOf(spec))).mtimeMs,
)
process.env.LOTLINE_LINES = values.lines
// Cached code has no positions to read the lines from.
process.env.NODE_DISABLE_COMPILE_CACHE = '1'
const setup = join(copy, 'scripts/lines-run.ts')
for (const { config } of vitest.projects) config.setupFiles.unshift(setup)
configure({ maxWorkers: 2, retry: 0 })
const unsound = unknown.length > 0 ? (await failing(unknown)).failed : new Set<string>()
for (const spec of unknown.filter(({ moduleId }) => unsound.has(moduleId))) {
  rmSync(linesFile(spec), { force: true })
  process.stdout.write(`${nameOf(spec)} fails without a fault and is left out\n`)
}
for (const { config } of vitest.projects) config.setupFiles.shift()
delete process.env.NODE_DISABLE_COMPILE_CACHE
configure({ maxWorkers: 1 })
const runs = tests.flatMap((spec) => {
  if (!existsSync(linesFile(spec))) return []
  const { seconds, lines } = JSON.parse(readFileSync(linesFile(spec), 'utf8')) as LinesRun
  const of = new Map(Object.entries(lines).map(([file, all]) => [file, new Set(all)]))
  return [{ spec, seconds, of, all: [...of.values()].reduce((sum, each) => sum + each.size, 1) }]
})
type Run = (typeof runs)[number]

/** A fault with the tests that are tried next and later. */
interface Trial {
  fault: Fault
  area: string
  line: number
  /** What uses a file that has only constants, so that nothing runs its lines. */
  users?: readonly string[]
  next: readonly Run[]
  later: readonly Run[]
}
const isRun = ({ fault: { file }, line, users }: Trial, { of }: Run): boolean =>
  users ? users.some((each) => of.get(each)?.size) : of.get(file)?.has(line) === true

/** Whole pages and answers of a town, which notice most. */
const isWide = ({ spec }: Run): boolean => nameOf(spec) === 'test/web/kept-pages.test.ts'

/** Those first that are fast and run little but the file of the fault, then the wide one, as many as take `--seconds`. */
const trialOf = (fault: Fault, area: string): Trial => {
  const { file, at } = fault
  const line = readFileSync(join(copy, file), 'utf8')
    .slice(0, at + 1)
    .split('\n').length
  const users = runs.some(({ of }) => of.get(file)?.size)
    ? undefined
    : files.filter((each) => readFileSync(join(root, each), 'utf8').includes(`/${basename(file)}'`))
  const trial = { fault, area, line, users, next: [], later: [] }
  const share = ({ of, all, seconds }: Run) =>
    (users ?? [file]).reduce((sum, each) => sum + (of.get(each)?.size ?? 0), 0) / all / seconds
  let seconds = Number(values.seconds)
  const ranked = runs.filter((run) => isRun(trial, run)).sort((a, b) => share(b) - share(a))
  const [next, ...others] = ranked
  const later = others
    .sort((a, b) => Number(isWide(b)) - Number(isWide(a)))
    .filter((run) => {
      if (run.seconds > seconds) return false
      seconds -= run.seconds
      return true
    })
  return { ...trial, next: next ? [next] : [], later }
}

/**
 * Loading the modules takes longer than most tests. So faults are tried together if the first test of each runs no line of another,
 * and one that its first test does not notice is tried alone with all others in one run.
 */
const together = ([first, ...others]: readonly Trial[]): Trial[] => {
  const batch = [first!]
  if (first!.next.length > 1) return batch
  for (const trial of others)
    if (
      batch.length < maxTogether &&
      trial.next.length === 1 &&
      batch.every((each) => !isRun(each, trial.next[0]!) && !isRun(trial, each.next[0]!))
    )
      batch.push(trial)
  return batch
}

/** The trials whose test fails. If the process ended, each is repeated alone, and one that ends it alone is noticed. */
interface Noticed {
  trial: Trial
  by: string
}
const noticed = async (batch: readonly Trial[]): Promise<readonly Noticed[]> => {
  const changed = Map.groupBy(batch, ({ fault }) => join(copy, fault.file))
  const sources = new Map([...changed.keys()].map((path) => [path, readFileSync(path, 'utf8')]))
  const write = (textOf: (path: string) => string) => {
    for (const path of changed.keys()) writeFileSync(path, textOf(path))
  }
  write((path) =>
    changed
      .get(path)!
      .toSorted((a, b) => b.fault.at - a.fault.at)
      .reduce(
        (text, { fault: { at, length, with: wrong } }) => text.slice(0, at) + wrong + text.slice(at + length),
        sources.get(path)!,
      ),
  )
  const specs = batch.flatMap(({ next }) => next.map(({ spec }) => spec))
  // Some of the faults are loops without an end. A test that waits takes longer than its processor time.
  const mostMs =
    180_000 + 8_000 * batch.reduce((sum, { next }) => next.reduce((all, { seconds }) => all + seconds, sum), 0)
  configure({ bail: batch.length === 1 ? 1 : 0 })
  const { failed, ended } = await failing(specs, mostMs).finally(() => write((path) => sources.get(path)!))
  const found = batch.flatMap((trial) => {
    const by = trial.next.find(({ spec }) => failed.has(spec.moduleId))
    return by || (ended && batch.length === 1) ? [{ trial, by: nameOf((by ?? trial.next[0]!).spec) }] : []
  })
  if (!ended || batch.length === 1) return found
  const alone: Noticed[] = []
  for (const each of batch) alone.push(...(await noticed([each])))
  return alone
}

const figures = new Map(entered.map(([area]) => [area, { caught: 0, of: 0 }]))
const figure = ({ caught, of }: { caught: number; of: number }) =>
  `${caught} of ${of} caught (${Math.round((100 * caught) / Math.max(1, of))}%)`
let tried = 0
const report = ({ fault: { file, at, length, with: wrong }, area, line }: Trial, by?: string) => {
  const counts = figures.get(area)!
  counts.of += 1
  if (by) counts.caught += 1
  const was = readFileSync(join(copy, file), 'utf8').slice(at, at + length)
  process.stdout.write(
    `${++tried}/${chosen.length} ${by ? 'caught  ' : 'SURVIVED'} ${file}:${line}: ${was.trim()} → ${wrong.trim()}${by ? ` (${by})` : ''}\n`,
  )
}
let open = chosen.map(({ fault, area }) => trialOf(fault, area))
while (open.length > 0) {
  for (const trial of open) if (trial.next.length === 0) report(trial)
  open = open.filter(({ next }) => next.length > 0)
  if (open.length === 0) break
  const batch = together(open)
  const found = new Map((await noticed(batch)).map(({ trial, by }) => [trial, by]))
  for (const [trial, by] of found) report(trial, by)
  open = open
    .filter((trial) => !found.has(trial))
    .map((trial) => (batch.includes(trial) ? { ...trial, next: trial.later, later: [] } : trial))
}
for (const [area, counts] of figures) process.stdout.write(`${area}: ${figure(counts)}\n`)
const sum = (name: 'caught' | 'of') => [...figures.values()].reduce((total, each) => total + each[name], 0)
process.stdout.write(`seed ${values.seed}: ${figure({ caught: sum('caught'), of: sum('of') })}\n`)
await vitest.close()
