// `npm start`: set up, then serve, in one process, so that a signal to npm reaches the service.
import './setup.mjs'

process.argv.splice(2, 0, 'serve')
await import('./lotline.mjs')
