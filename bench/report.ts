// Figures on disk: bench/results.json, and the table in docs/performance.md between its markers.
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './figure.ts'

const resultsFile = join(import.meta.dirname, 'results.json')
const docsFile = join(import.meta.dirname, '../docs/performance.md')

export interface Results {
  machine: string
  figures: (Figure & { measuredOn: string })[]
}

export const committed = async (): Promise<Results> =>
  readFile(resultsFile, 'utf8').then(
    (text) => JSON.parse(text) as Results,
    () => ({ machine: '', figures: [] }),
  )

export const record = async (figures: readonly Figure[]): Promise<void> => {
  const measuredOn = new Date().toISOString().slice(0, 10)
  const results: Results = { machine: machine(), figures: merged((await committed()).figures, figures, measuredOn) }
  await writeFile(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  await writeTable(results)
}

/** Replaces the figures of the measured parts, removes those no longer measured, and keeps other parts unchanged. */
export const merged = (
  before: Results['figures'],
  figures: readonly Figure[],
  measuredOn: string,
): Results['figures'] => {
  const fresh = new Map(figures.map((figure) => [figure.name, { ...figure, measuredOn }]))
  const parts = new Set(figures.flatMap(({ name }) => partOf(name) ?? []))
  const kept = before.flatMap((figure) => {
    const again = fresh.get(figure.name)
    return again ? [again] : parts.has(partOf(figure.name) ?? '') ? [] : [figure]
  })
  const known = new Set(kept.map(({ name }) => name))
  return [...kept, ...[...fresh.values()].filter(({ name }) => !known.has(name))]
}

const partOf = (name: string): string | undefined => (name.includes(':') ? name.split(':')[0] : undefined)

/** Describes each figure whose ratio is worse by more than 20%, in the direction of its target. */
export const regressions = (figures: readonly Figure[], { figures: old }: Results): string[] =>
  figures.flatMap((figure) => {
    const before = old.find(({ name }) => name === figure.name)
    if (!before || !figure.target) return []
    const change = figure.ratio / before.ratio
    // 20% of zero is zero, so a figure that was zero is checked against its target only.
    const worse = before.ratio === 0 ? figure.met === false : figure.target.at === 'least' ? change < 0.8 : change > 1.2
    return worse ? [`${figure.name}: ratio ${figure.ratio}, was ${before.ratio}`] : []
  })

export const printed = (figure: Figure): string =>
  `${figure.name}: ${figure.ours} ${figure.unit}` +
  `${figure.rival === undefined ? '' : ` against ${figure.rival}, ratio ${figure.ratio}`}` +
  `${figure.target ? ` (${wanted(figure)}: ${figure.met ? 'met' : 'NOT MET'})` : ''} ±${Math.round(figure.spread * 100)}%${figure.note ? `  [${figure.note}]` : ''}`

const wanted = ({ target }: Figure): string =>
  target
    ? `${target.at === 'least' ? '≥' : '≤'} ${Number(target.value.toFixed(2))}${target.of === 'ratio' ? ' ×' : ''}`
    : ''

const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, load by autocannon`

const begin = '<!-- figures: written by npm run bench -->'
const end = '<!-- end of figures -->'

const writeTable = async ({ machine, figures }: Results): Promise<void> => {
  const page = await readFile(docsFile, 'utf8')
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`docs/performance.md has lost its markers ${begin}`)
  const isZero = ({ ours, target, met }: Figure) => ours === 0 && target?.value === 0 && met
  const lines = figures.flatMap((figure) => {
    if (isZero(figure)) return []
    const { name, ours, unit, rival, ratio, target, met, measuredOn } = figure
    const baseline = rival === undefined ? '' : `${shown(rival)} (× ${ratio.toFixed(2)})`
    const result = target ? (met ? wanted(figure) : `**${wanted(figure)}: not met**`) : ''
    return `| ${name} | ${shown(ours)} ${unit} | ${baseline} | ${result} | ${measuredOn} |`
  })
  const table = [
    `Machine: ${machine}.`,
    `Zero, as required: ${figures
      .filter(isZero)
      .map(({ name }) => name)
      .join('; ')}.`,
    '',
    '| Measurement | Lotline | Baseline (ratio) | Target | Measured |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
  await writeFile(docsFile, `${before}${begin}\n\n${table}\n\n${end}${after}`)
}

const shown = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 4 })
