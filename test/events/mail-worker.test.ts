import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MailWorker, openMailWorker } from '../../src/events/mail-worker.ts'
import { openMailer, pruneOutbox } from '../../src/events/mailer.ts'
import { sql } from '../../src/store/engine/database.ts'
import { enqueueMail, type Mail } from '../../src/store/keys/mails.ts'
import { silent, useEvents } from './open-events.ts'

const events = useEvents()

interface Accepted {
  to: string[]
  message: string
}
let servers: SMTPServer[] = []
let workers: MailWorker[] = []
beforeEach(async () => {
  await sql`delete from mail`.execute(events().db)
  await sql`delete from pgboss.job where name = 'mail'`.execute(events().db)
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.close(() => done()))))
  servers = []
  workers = []
})

/** A real SMTP server that records the messages it accepts. */
const mailServer = async (port: number, onData?: () => Error | undefined) => {
  const accepted: Accepted[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = onData?.()
        if (!refusal)
          accepted.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            message: Buffer.concat(chunks).toString(),
          })
        done(refusal)
      })
    },
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { accepted, port: (server.server.address() as AddressInfo).port }
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

const worker = (smtpUrl: string | undefined, outboxDir = '/nonexistent') => {
  const mailer = openMailer({ smtpUrl, from: 'Lotline <lotline@lotline.test>', outboxDir })
  const decisionsOf = async () => new Map<string, string>()
  const written = { publicUrl: 'http://lotline.test', decisionsOf, todayMail: async () => undefined }
  const opened = openMailWorker({ ...events(), ...written, mailer, log: silent })
  workers.push(opened)
  return opened
}

const keyMail: Mail = {
  kind: 'key',
  to: 'reader@example.com',
  subject: 'Your key – schön',
  text: 'The key is ll_free_SECRETSECRET',
  html: '<p>The key is <code>ll_free_SECRETSECRET</code></p>',
}
const enqueue = (mail: Partial<Mail> = {}) => enqueueMail(events().db, events(), { ...keyMail, ...mail })

const records = async () =>
  (
    await sql<{ attempts: number; sentAt: Date | null; lastError: string | null }>`
      select attempts, sent_at, last_error from mail order by queued_at`.execute(events().db)
  ).rows

const makeDue = () => sql`update pgboss.job set start_after = now() where name = 'mail'`.execute(events().db)

test('an email reaches a real SMTP server as text and HTML and is recorded as sent', async () => {
  const { accepted, port } = await mailServer(0)
  await enqueue({ headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } })
  expect(await worker(`smtp://127.0.0.1:${port}`).poll()).toBe(1)
  expect(accepted).toHaveLength(1)
  expect(accepted[0]!.to).toEqual(['reader@example.com'])
  const { message } = accepted[0]!
  expect(message).toContain('Content-Type: text/plain')
  expect(message).toContain('Content-Type: text/html')
  expect(message).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(message).toMatch(/Message-ID: <mail_\w+@lotline\.test>/)
  expect(await records()).toMatchObject([{ attempts: 1, sentAt: expect.any(Date), lastError: null }])
})

test('a mail server outage delays emails and loses none', async () => {
  const port = await freePort()
  for (let i = 0; i < 12; i++) await enqueue({ to: `reader${i}@example.com` })
  const mails = worker(`smtp://127.0.0.1:${port}`)
  for (let round = 0; round < 3; round++) {
    await makeDue()
    while ((await mails.poll()) > 0);
  }
  expect(await records()).toHaveLength(12)
  for (const record of await records())
    expect(record).toMatchObject({ attempts: 3, sentAt: null, lastError: expect.stringContaining('ECONNREFUSED') })
  const { accepted } = await mailServer(port)
  await makeDue()
  while ((await mails.poll()) > 0);
  expect(accepted.flatMap(({ to }) => to).sort()).toEqual(
    Array.from({ length: 12 }, (_, i) => `reader${i}@example.com`).sort(),
  )
  expect((await records()).every(({ sentAt }) => sentAt !== null)).toBe(true)
})

test('an email that the server rejects temporarily is retried with the same Message-ID', async () => {
  let refusals = 1
  const { accepted, port } = await mailServer(0, () =>
    refusals-- > 0 ? Object.assign(new Error('try later'), { responseCode: 451 }) : undefined,
  )
  await enqueue()
  const mails = worker(`smtp://127.0.0.1:${port}`)
  await mails.poll()
  expect(accepted).toHaveLength(0)
  await makeDue()
  await mails.poll()
  expect(accepted).toHaveLength(1)
  expect(await records()).toMatchObject([{ attempts: 2, sentAt: expect.any(Date) }])
})

test('each failure is followed by a longer wait, more than two days in total', async () => {
  await enqueue()
  const mails = worker(`smtp://127.0.0.1:${await freePort()}`)
  let total = 0
  let last = 0
  for (let round = 0; round < 41; round++) {
    await makeDue()
    if ((await mails.poll()) === 0) break
    const { rows } = await sql<{ wait: number; state: string }>`
      select extract(epoch from start_after - now()) as wait, state from pgboss.job where name = 'mail'`.execute(
      events().db,
    )
    if (rows[0]?.state !== 'retry') break
    last = rows[0].wait
    total += last
  }
  expect(last).toBeGreaterThan(3000)
  expect(total).toBeGreaterThan(48 * 3600)
})

test('without a mail server an email becomes an .eml file that only its owner can read', async () => {
  const dir = join(await mkdtemp(join(tmpdir(), 'lotline-mail-')), 'outbox')
  await enqueue()
  await worker(undefined, dir).poll()
  const files = await readdir(dir)
  expect(files).toEqual([expect.stringMatching(/^mail_\w+\.eml$/)])
  const file = join(dir, files[0]!)
  expect((await stat(file)).mode & 0o077).toBe(0)
})

test('the outbox shows only the beginning of a key, and old mails are deleted', async () => {
  const dir = join(await mkdtemp(join(tmpdir(), 'lotline-mail-')), 'outbox')
  await enqueue()
  await worker(undefined, dir).poll()
  const [name] = await readdir(dir)
  const text = decodeQuotedPrintable(await readFile(join(dir, name!), 'utf8'))
  expect(text).toContain('ll_free_SECR…')
  expect(text).not.toContain('SECRETSECRET')
  expect(text).not.toContain('lotline sign-in')
  const written = (await stat(join(dir, name!))).mtime
  expect(await pruneOutbox(dir, written)).toBe(0)
  expect(await pruneOutbox(dir, new Date(written.getTime() + 1))).toBe(1)
  expect(await readdir(dir)).toEqual([])
  expect(await pruneOutbox(join(dir, 'none'), new Date())).toBe(0)
})

test('the outbox keeps no working key of any plan', async () => {
  const dir = join(await mkdtemp(join(tmpdir(), 'lotline-mail-')), 'outbox')
  const keys = ['free', 'pro'].map((plan) => `ll_${plan}_${'S3CR'.repeat(8)}`)
  await enqueue({ text: keys.join(' '), html: `<body>${keys.join(' ')}</body>` })
  await worker(undefined, dir).poll()
  const text = decodeQuotedPrintable(await readFile(join(dir, (await readdir(dir))[0]!), 'utf8'))
  expect(text.match(/ll_free_S3CR…/g)).toHaveLength(2)
  expect(text.match(/ll_pro_S3CR…/g)).toHaveLength(2)
  expect(text).not.toContain('S3CRS3CR')
  await enqueue()
  await worker(undefined, dir).poll()
  expect(await readdir(dir)).toHaveLength(2)
})

test('a mail in the outbox that lost its link says how to get one', async () => {
  const dir = join(await mkdtemp(join(tmpdir(), 'lotline-mail-')), 'outbox')
  const link = 'http://lotline.test/account/confirm/Token123'
  await enqueue({ text: `Confirm: ${link}`, html: `<body><a href="${link}">Confirm</a></body>` })
  await worker(undefined, dir).poll()
  const text = decodeQuotedPrintable(await readFile(join(dir, (await readdir(dir))[0]!), 'utf8'))
  expect(text).not.toContain('Token123')
  expect(text.match(/prints one with: lotline sign-in \S+@/g)).toHaveLength(2)
})

const decodeQuotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

test('the content of an email is encrypted while queued and deleted once sent', async () => {
  const dump = async () =>
    JSON.stringify((await sql`select * from pgboss.job where name = 'mail'`.execute(events().db)).rows)
  await enqueue()
  expect(await dump()).toContain('sealed')
  expect(await dump()).not.toContain('SECRETSECRET')
  const { port } = await mailServer(0)
  await worker(`smtp://127.0.0.1:${port}`).poll()
  expect(await dump()).toBe('[]')
})
