// `npm start`: set up, then serve, in one process.
import './setup.mjs'

// A signal to npm ends npm's shell, which hands nothing on. When the one that started us is gone, we have been told to stop.
const startedBy = process.ppid
setInterval(() => {
  if (process.ppid !== startedBy) process.kill(process.pid, 'SIGTERM')
}, 500).unref()

process.argv.splice(2, 0, 'serve')
await import('./lotline.mjs')
