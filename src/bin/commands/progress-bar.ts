// A line on the terminal that says how far a load is, how fast, and how long it will take.
import type { Progress } from '../../ingest/run.ts'

export interface ProgressBar {
  show(progress: Progress): void
  clear(): void
}

/** Drawn at most ten times a second; nothing at all without a terminal. */
export const progressBar = (
  name: string,
  terminal: { write(text: string): unknown; columns?: number } | undefined,
  clock = () => performance.now(),
): ProgressBar => {
  if (!terminal) return { show: () => {}, clear: () => {} }
  const began = clock()
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    show: (progress) => {
      const now = clock()
      if (now - drawnAt < 100) return
      drawnAt = now
      terminal.write(
        `\r\x1b[K${progressLine(name, progress, (now - began) / 1000).slice(0, (terminal.columns ?? 80) - 1)}`,
      )
    },
    clear: () => terminal.write('\r\x1b[K'),
  }
}

export const progressLine = (name: string, { rows, refused, share }: Progress, seconds: number): string => {
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0
  const counts = `${rows.toLocaleString('en-US')} rows${refused > 0 ? `, ${refused.toLocaleString('en-US')} refused` : ''}, ${rate.toLocaleString('en-US')}/s`
  if (share === undefined || share <= 0) return `${name} ${counts}`
  const filled = Math.round(share * 20)
  const left = Math.round((seconds * (1 - share)) / share)
  return `${name} [${'█'.repeat(filled)}${'·'.repeat(20 - filled)}] ${Math.round(share * 100)} % ${counts}, ${left < 60 ? `${left} s` : `${Math.round(left / 60)} min`} left`
}
