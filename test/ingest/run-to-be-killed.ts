// The child process of kill.test.ts: runs one ingest for the given database and folder.
import { useMarketPacks } from '../../src/bin/use-market-packs.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { config, highValueUsd, today } from './feed.ts'

useMarketPacks([])
const [socketDir, database, folder] = process.argv.slice(2)
const address = { socketDir: socketDir!, database: database! }
const store = openDatabase(address)
const queue = await openQueue(address)
console.log('begins')
await runIngest({ ...store, queue }, config('permits'), { now: today, folder: folder!, highValueUsd })
console.log('completed')
await queue.close()
await store.close()
