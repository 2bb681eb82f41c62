// Sends mails to a mail server, or writes them to a folder as .eml files.
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { escapeHtml } from '../common/escape-html.ts'
import type { Mail } from '../store/keys/mails.ts'

export interface Mailer {
  /** Throws when the mail was not accepted. The id gives the Message-ID, so that a mail sent twice is shown once. */
  send(id: string, mail: Mail): Promise<void>
  close(): void
}

interface MailerOptions {
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

/**
 * Without a mail server nobody reads these files soon, so they must not keep working keys or sign-in links: a key is shown once, where
 * it was requested, and `lotline sign-in` prints a link. The first letters of a key stay, to tell keys apart.
 */
const maskKeys = (text: string): string =>
  text.replace(/(ll_(?:free|pro)_[0-9A-Za-z]{4}|\/account\/(?:sign-in|confirm)\/)[0-9A-Za-z]+/g, '$1…')

/** The last line of a mail whose link is left out. */
const insteadOfLink = (to: string): string =>
  `This service has no mail server, so this file leaves out the link. The operator prints one with: lotline sign-in ${to}`

const withoutSecrets = (mail: Mail): Mail => {
  const [text, html] = [maskKeys(mail.text), maskKeys(mail.html)]
  if (!/\/account\/(?:sign-in|confirm)\/…/.test(text)) return { ...mail, text, html }
  const line = insteadOfLink(mail.to)
  return { ...mail, text: `${text}\n\n${line}\n`, html: html.replace('</body>', `<p>${escapeHtml(line)}</p></body>`) }
}

const toFolder = (from: string, outboxDir: string): Mailer => {
  const transport = createTransport({ streamTransport: true, newline: 'unix' })
  return {
    send: async (id, mail) => {
      const { message } = await transport.sendMail(messageOf(id, withoutSecrets(mail), from))
      await mkdir(outboxDir, { recursive: true, mode: 0o700 })
      const file = join(outboxDir, `${id}.eml`)
      await writeFile(`${file}.part`, message, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
    close: () => transport.close(),
  }
}

/** Deletes the mails in the folder that were written before this time. Returns their number. */
export const pruneOutbox = async (outboxDir: string, before: Date): Promise<number> => {
  let deleted = 0
  for (const name of await readdir(outboxDir).catch(() => [])) {
    if (!/\.eml(?:\.part)?$/.test(name)) continue
    const file = join(outboxDir, name)
    if ((await stat(file)).mtime >= before) continue
    await rm(file, { force: true })
    deleted++
  }
  return deleted
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
