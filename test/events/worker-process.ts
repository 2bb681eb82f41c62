// A delivery worker in its own process, to be killed: `node test/events/worker-process.ts '<json>'`.

import '../../bench/packs.ts'
import { openDeliveryWorker } from '../../src/events/delivery-worker.ts'
import { sealerOf } from '../../src/secrets/seal.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'

export interface WorkerProcess {
  socketDir: string
  database: string
  /** Hexadecimal. */
  secretKey: string
}

const { socketDir, database, secretKey } = JSON.parse(process.argv[2]!) as WorkerProcess
const complain = (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
const { db } = openDatabase({ socketDir, database })
const queue = await openQueue({
  socketDir,
  database,
  working: true,
  onError: (error) => complain({ error: error.message }, 'queue'),
})
const worker = openDeliveryWorker({
  db,
  queue,
  sealer: sealerOf(Buffer.from(secretKey, 'hex')),
  publicUrl: 'http://localhost',
  allowPrivate: true,
  version: 'bench',
  log: {
    info: complain,
    warn: complain,
    error: (fields, message) => complain({ ...fields, err: String((fields as { err?: unknown }).err) }, message),
  },
})
worker.start()
process.on('SIGTERM', () => {
  void worker.stop().then(() => process.exit(0))
})
process.send?.('started')
