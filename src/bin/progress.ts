// One line of progress on a terminal; silent when piped.

export interface ProgressLine {
  show(share: number, step: string): void
  done(): void
}

const width = 24

export const progressLine = (out: NodeJS.WriteStream): ProgressLine => {
  const started = Date.now()
  let shown = false
  let last = 0
  return {
    show: (share, step) => {
      const now = Date.now()
      if (!out.isTTY || (shown && now - last < 80)) return
      shown = true
      last = now
      const filled = Math.round(Math.min(1, Math.max(0, share)) * width)
      const seconds = ((now - started) / 1000).toFixed(0)
      const line = `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${String(Math.round(share * 100)).padStart(3)} %  ${step}  ${seconds} s`
      out.write(`\r\x1b[2K${line.slice(0, (out.columns ?? 100) - 1)}`)
    },
    done: () => {
      if (shown) out.write('\r\x1b[2K')
      shown = false
    },
  }
}
