// The format of a backup file: gzip over records of a kind, a length and a payload. The manifest comes last, so that a truncated
// file is detected.
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { OperatorError } from '../../common/operator-error.ts'
import { codeOf } from '../../common/typed.ts'

/** H: header, T: table, D: data of the table, M: manifest. */
export type RecordKind = 'H' | 'T' | 'D' | 'M'

export class UnusableBackup extends OperatorError {}

export type BackupWriter = ReturnType<typeof writeBackup>

const prefixLength = 5

export const writeBackup = (file: string) => {
  const partial = `${file}.partial`
  const gzip = createGzip()
  const out = createWriteStream(partial, { mode: 0o600 })
  const done = new Promise<void>((resolve, reject) => {
    out.on('finish', resolve)
    out.on('error', reject)
    gzip.on('error', reject)
  })
  done.catch(() => {})
  gzip.pipe(out)
  return {
    write: async (kind: RecordKind, payload: Buffer | object) => {
      const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
      const prefix = Buffer.alloc(prefixLength)
      prefix.write(kind, 0, 'latin1')
      prefix.writeUInt32BE(bytes.length, 1)
      gzip.write(prefix)
      if (!gzip.write(bytes)) await Promise.race([new Promise((go) => gzip.once('drain', go)), done])
    },
    /** Syncs the file to disk and gives it its final name, so that a file with that name is always complete. */
    finish: async () => {
      gzip.end()
      await done
      await syncToDisk(partial)
      await rename(partial, file)
      await syncToDisk(dirname(file))
    },
    abandon: async () => {
      gzip.destroy()
      out.destroy()
      await rm(partial, { force: true })
    },
  }
}

const syncToDisk = async (path: string) => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function* readBackup(file: string): AsyncGenerator<{ kind: RecordKind; payload: Buffer }> {
  const raw = createReadStream(file)
  const unzipped: Readable = raw.pipe(createGunzip())
  raw.on('error', (error) => unzipped.destroy(error))
  let buffered: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of unzipped) {
      buffered = buffered.length === 0 ? (chunk as Buffer) : Buffer.concat([buffered, chunk as Buffer])
      while (buffered.length >= prefixLength) {
        const end = prefixLength + buffered.readUInt32BE(1)
        if (buffered.length < end) break
        yield { kind: buffered.toString('latin1', 0, 1) as RecordKind, payload: buffered.subarray(prefixLength, end) }
        buffered = buffered.subarray(end)
      }
    }
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT') throw new UnusableBackup(`There is no file ${file}.`)
    if (code?.startsWith('Z_')) throw new UnusableBackup(`${file} is not a Lotline backup, or is damaged or truncated.`)
    throw cause
  }
  if (buffered.length > 0) throw new UnusableBackup(`${file} is truncated.`)
}
