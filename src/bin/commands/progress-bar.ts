// Progress of a load: share done, rows per second, time left.
import type { Progress } from '../../ingest/run.ts'
import { bar, terminalLine } from '../progress.ts'

export const progressBar = (name: string, terminal: Parameters<typeof terminalLine>[0]) => {
  const line = terminalLine(terminal)
  const began = performance.now()
  return {
    show: (progress: Progress) => line.show(progressLine(name, progress, (performance.now() - began) / 1000)),
    clear: line.clear,
  }
}

export const progressLine = (name: string, { rows, rejected, share }: Progress, seconds: number): string => {
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0
  const counts = `${rows.toLocaleString('en-US')} rows${rejected > 0 ? `, ${rejected.toLocaleString('en-US')} rejected` : ''}, ${rate.toLocaleString('en-US')}/s`
  if (share === undefined || share <= 0) return `${name} ${counts}`
  const left = Math.round((seconds * (1 - share)) / share)
  return `${name} ${bar(share)} ${counts}, ${left < 60 ? `${left} s` : `${Math.round(left / 60)} min`} left`
}
