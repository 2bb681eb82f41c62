// Stops this process when npm is stopped. npm passes a signal to the shell it started us with, and that shell ends without
// passing it on: without this, SIGTERM to `npm start` or `npx lotline ingest` would leave the command running.
// A killed npm leaves that shell waiting for us; Linux tells when the shell has another parent.
// Only under npm: a server that a terminal started in the background must outlive that terminal.

import { readFileSync } from 'node:fs'

const pollMs = 500

const parentOf = (pid) => {
  try {
    return /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

export const stopWithNpm = () => {
  if (!process.env.npm_command) return
  const parent = process.ppid
  const npm = parentOf(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && parentOf(parent) === npm) return
    // Once: a second signal would end the process without an orderly stop.
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, pollMs).unref()
}
