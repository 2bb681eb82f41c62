// Stops this process when npm is stopped. npm passes a signal to the shell it started us with, and that shell ends without
// passing it on: without this, SIGTERM to `npm start` or `npx lotline ingest` would leave the command running.
// Only under npm: a server that a terminal started in the background must outlive that terminal.

const pollMs = 500

export const stopWithNpm = () => {
  if (!process.env.npm_command) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    // Once: a second signal would end the process without an orderly stop.
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, pollMs).unref()
}
