// `npm start`: installs what is missing, then serves, in one process.
import './setup.mjs'

process.argv.splice(2, 0, 'serve')
await import('./lotline.mjs')
