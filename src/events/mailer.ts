// Sends mails to a mail server, or writes them to a folder as .eml files.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mail } from '../store/keys/mails.ts'

export interface Mailer {
  /** Throws when the mail was not accepted. The id gives the Message-ID, so that a mail sent twice is shown once. */
  send(id: string, mail: Mail): Promise<void>
  close(): void
}

export interface MailerOptions {
  smtpUrl?: string
  from: string
  outboxDir: string
}

export const openMailer = ({ smtpUrl, from, outboxDir }: MailerOptions): Mailer =>
  smtpUrl === undefined ? toFolder(from, outboxDir) : toServer(from, smtpUrl)

const toServer = (from: string, smtpUrl: string): Mailer => {
  // A server that does not respond counts as down; the queue retries.
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
  return {
    send: async (id, mail) => {
      const { rejected } = await transport.sendMail(messageOf(id, mail, from))
      if (rejected?.length) throw new Error('the mail server rejected the recipient')
    },
    close: () => transport.close(),
  }
}

const toFolder = (from: string, outboxDir: string): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    send: async (id, mail) => {
      const { message } = await transport.sendMail(messageOf(id, mail, from))
      await mkdir(outboxDir, { recursive: true, mode: 0o700 })
      const file = join(outboxDir, `${id}.eml`)
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
    close: () => transport.close(),
  }
}

const messageOf = (id: string, { to, subject, text, html, headers }: Mail, from: string) => ({
  from,
  to,
  subject,
  text,
  html,
  headers,
  messageId: `<${id}@${/@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'lotline'}>`,
})
