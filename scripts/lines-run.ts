// A setup file of Vitest for faults.ts: writes which lines of src each test file runs, and its processor time, into LOTLINE_LINES.
import { mkdirSync, writeFileSync } from 'node:fs'
import { type Debugger, type Profiler, Session } from 'node:inspector'
import { dirname, join } from 'node:path'
import { afterAll, expect } from 'vitest'

export interface LinesRun {
  /** Processor time of the worker: unlike the time of day, it does not grow with the load of the machine. */
  seconds: number
  lines: Record<string, number[]>
}

/** Where the code of a module is, and its line in the source. */
type Places = readonly { at: number; line: number }[]
interface Script {
  places: Places
  /** Lines outside functions. Modules are loaded once, so what uses a module counts as having run them. */
  ofModule: readonly number[]
}

const root = join(import.meta.dirname, '../')
const shared = globalThis as { lotlineLines?: { session: Session; scripts: Map<string, Script> } }
shared.lotlineLines ??= { session: started(), scripts: new Map() }
const { session, scripts } = shared.lotlineLines
const began = process.cpuUsage()

function started(): Session {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return session
}

/** Within one thread the answer is there at once. */
const ask = <T>(method: string, params: object): T => {
  let answer: unknown
  session.post(method, params, (error, found) => {
    if (error) throw error
    answer = found
  })
  return answer as T
}

/** Node removes types without moving anything, so the lines of the code are those of the source. */
const placesIn = (code: string): Places => {
  let start = 0
  return code.split('\n').flatMap((text, row) => {
    const found = [...text.matchAll(/\S+/g)].map(({ index }) => ({ at: start + index, line: row + 1 }))
    start += text.length + 1
    return found
  })
}

const paint = (length: number, functions: readonly Profiler.FunctionCoverage[]): Int8Array => {
  const painted = new Int8Array(length)
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) painted.fill(count > 0 ? 1 : -1, startOffset, endOffset)
  return painted
}

const read = (id: string, inside: readonly Profiler.FunctionCoverage[]): Script => {
  ask('Debugger.enable', {})
  const { scriptSource } = ask<Debugger.GetScriptSourceReturnType>('Debugger.getScriptSource', { scriptId: id })
  const places = placesIn(scriptSource)
  const painted = paint(scriptSource.length, inside)
  const ofModule = places.filter(({ at }) => painted[at] === 0).map(({ line }) => line)
  return { places, ofModule }
}

afterAll(() => {
  const { result } = ask<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage', {})
  const lines: LinesRun['lines'] = {}
  for (const { scriptId, url, functions } of result) {
    const file = url.replace('file://', '')
    if (!file.startsWith(`${root}src/`)) continue
    // The function at the very start holds the whole module.
    const inside = functions.filter(({ ranges }) => ranges[0]!.startOffset > 0)
    const script = scripts.get(scriptId) ?? read(scriptId, inside)
    scripts.set(scriptId, script)
    const painted = paint((script.places.at(-1)?.at ?? 0) + 1, inside)
    const run = script.places.filter(({ at }) => painted[at] === 1).map(({ line }) => line)
    lines[file.slice(root.length)] = [...new Set(run.length > 0 ? [...run, ...script.ofModule] : [])]
  }
  ask('Debugger.disable', {})
  const path = join(process.env.LOTLINE_LINES!, `${expect.getState().testPath!.slice(root.length)}.json`)
  mkdirSync(dirname(path), { recursive: true })
  const { user, system } = process.cpuUsage(began)
  writeFileSync(path, JSON.stringify({ seconds: (user + system) / 1e6, lines } satisfies LinesRun))
})
