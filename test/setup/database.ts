// A new database for each test file, cloned from the migrated template.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../src/store/engine/queue.ts'
import { testServer } from './server.ts'

/** Creates a migrated database without rows and returns its address. */
export const newDatabase = (): Promise<{ socketDir: string; database: string }> => createDatabase('template lotline')

/** Creates a database that was never migrated. */
export const bareDatabase = (): Promise<{ socketDir: string; database: string }> => createDatabase('')

const createDatabase = async (template: string) => {
  const socketDir = await testServer()
  const database = `test_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
  await client.connect()
  await client.query(`create database ${database} ${template}`)
  await client.end()
  return { socketDir, database }
}

/** The database URL of such an address, for programs that are configured with one. */
export const urlOf = ({ socketDir, database }: { socketDir: string; database: string }): string =>
  `postgres://lotline@/${database}?host=${encodeURIComponent(socketDir)}`

/** Opens a fresh database before the file's tests and closes it after them. */
export const useDatabase = (): (() => Database) => {
  let open: Database
  beforeAll(async () => {
    open = openDatabase(await newDatabase())
  })
  afterAll(() => open?.close())
  return () => open
}

/** Like `useDatabase`, with the queue. */
export const useDatabaseWithQueue = () => {
  let open: Database & { queue: Queue; address: Awaited<ReturnType<typeof newDatabase>> }
  beforeAll(async () => {
    const address = await newDatabase()
    open = { ...openDatabase(address), queue: await openQueue(address), address }
  })
  afterAll(async () => {
    await open?.queue.close()
    await open?.close()
  })
  return () => open
}
