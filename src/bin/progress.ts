// Progress on a terminal: one line that is rewritten. Prints nothing when the output is piped.
import type { Progress } from '../ingest/run.ts'

interface Terminal {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** Written at most ten times a second. */
export const terminalLine = (out: Terminal | undefined) => {
  if (!out?.isTTY) return { show: () => {}, clear: () => {} }
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    show: (text: string) => {
      const now = performance.now()
      if (now - drawnAt < 100) return
      drawnAt = now
      out.write(`\r\x1b[K${text.slice(0, (out.columns || 80) - 1)}`)
    },
    clear: () => {
      if (drawnAt !== Number.NEGATIVE_INFINITY) out.write('\r\x1b[K')
    },
  }
}

const width = 20

/** `[███·················] 17%` */
export const bar = (share: number): string => {
  const within = Math.min(1, Math.max(0, share))
  const filled = Math.round(within * width)
  return `[${'█'.repeat(filled)}${'·'.repeat(width - filled)}] ${Math.round(within * 100)}%`
}

/** Turns "done of total" of a market's step into a share and a step name. */
export const stepsOf =
  (market: string, show?: (share: number, step: string) => void) => (done: number, total: number, step: string) =>
    show?.(total > 0 ? done / total : 0, `${market}: ${step}`)

/** A line whose text has the seconds since the start. */
const timedLine = <Step extends unknown[]>(
  out: Terminal | undefined,
  textOf: (seconds: number, ...step: Step) => string,
) => {
  const line = terminalLine(out)
  const began = performance.now()
  return { ...line, show: (...step: Step) => line.show(textOf((performance.now() - began) / 1000, ...step)) }
}

export const stepLine = (out: Terminal | undefined) =>
  timedLine(out, (seconds, share: number, step: string) => `${bar(share)}  ${step}  ${Math.round(seconds)} s`)

export const progressBar = (name: string, out: Terminal | undefined) =>
  timedLine(out, (seconds, progress: Progress) => progressLine(name, progress, seconds))

export const progressLine = (name: string, { rows, rejected, share }: Progress, seconds: number): string => {
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0
  const counts = `${rows.toLocaleString('en-US')} rows${rejected > 0 ? `, ${rejected.toLocaleString('en-US')} rejected` : ''}, ${rate.toLocaleString('en-US')}/s`
  if (share === undefined || share <= 0) return `${name} ${counts}`
  const left = Math.round((seconds * (1 - share)) / share)
  return `${name} ${bar(share)} ${counts}, ${left < 60 ? `${left} s` : `${Math.round(left / 60)} min`} left`
}
