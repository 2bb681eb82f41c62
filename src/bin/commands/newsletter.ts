import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import { mailHtml, mailText } from '../../common/mail-document.ts'
import { OperatorError } from '../../common/operator-error.ts'
import type { MarketId } from '../../domain/facts.ts'
import { marketIds, marketOf } from '../../domain/packs/markets.ts'
import type { Services } from '../../operations/context.ts'
import { decisionTexts } from '../../operations/deal-homes.ts'
import { inTransaction } from '../../store/engine/database.ts'
import { eraseSubscriber } from '../../store/keys/newsletter.ts'
import { composeDigest, isEmpty, sendNewsletter, weekOf } from '../../watches/newsletter.ts'
import { digestDocument } from '../../watches/newsletter-text.ts'
import { withOpened } from '../with-opened.ts'
import { subcommands } from './arguments.ts'

interface NewsletterDeps {
  openServices(): Promise<Services & { close(): Promise<void> }>
  highValueUsd(): number
}

interface IssueOptions {
  market: MarketId
  week?: string
}

export const newsletterCommand = ({ openServices, highValueUsd }: NewsletterDeps): Command => {
  const choiceOf = ({ market, week }: IssueOptions, now: Date) => {
    const chosen = weekOf(week, now)
    if (!chosen) throw new OperatorError(`--week must be an ISO week, for example 2026-W46; it is "${week}".`)
    return { market, week: chosen, highValueUsd: highValueUsd() }
  }
  const openAll = async () => ({ ...(await openServices()), decisionsOf: decisionTexts })
  const send = async (options: IssueOptions) => {
    const now = new Date()
    const choice = choiceOf(options, now)
    const { queued, empty } = await withOpened(openAll, (services) => sendNewsletter(services, choice, now))
    const text = empty
      ? `No data for ${options.market} in ${choice.week.name}: nothing was queued.`
      : `Queued ${queued} ${queued === 1 ? 'mail' : 'mails'} for ${choice.week.name}.`
    return { json: { success: true, week: choice.week.name, queued, empty }, text }
  }
  const preview = async (options: IssueOptions & { out: string }) => {
    const choice = choiceOf(options, new Date())
    const digest = await withOpened(openAll, (services) => composeDigest(services, choice))
    const write = options.out.endsWith('.txt') ? mailText : mailHtml
    await writeFile(options.out, write(digestDocument(digest, `${digest.publicUrl}/unsubscribe/example`)))
    const [week, empty] = [choice.week.name, isEmpty(digest)]
    const text = `Wrote ${options.out} (${week}${empty ? ', no data' : ''}).`
    return { json: { success: true, week, file: options.out, empty }, text }
  }
  const erase = async (email: string) => {
    const erased = await withOpened(openServices, ({ db }) => inTransaction(db, (tx) => eraseSubscriber(tx, email)))
    if (erased === 0) throw new OperatorError(`${email} is not a subscriber.`)
    return { json: { success: true, erased }, text: `Deleted ${erased} subscriptions of ${email}.` }
  }
  const command = new Command('newsletter').description(
    'Send or preview the weekly newsletter, or delete a subscriber.',
  )
  const add = subcommands(command)
  add('send', 'Queue the weekly issue for every subscriber who has not received it.', send, ofIssue)
  add('preview', 'Write the weekly issue to a file: text for .txt, otherwise HTML.', preview, (sub) =>
    ofIssue(sub.requiredOption('--out <file>', 'file to write')),
  )
  add('erase', 'Delete a subscriber: the subscriptions and all newsletter mails, sent or queued.', erase, (sub) =>
    sub.argument('<email>', 'email address of the subscriber'),
  )
  return command
}

const ofIssue = (command: Command) =>
  command
    .requiredOption('--market <market>', marketIds().join(' or '), knownMarket)
    .option('--week <week>', 'ISO week, for example 2026-W46; defaults to the last complete week')

const knownMarket = (text: string): MarketId => {
  const market = marketOf(text)
  if (!market) throw new InvalidArgumentError(`It must be one of ${marketIds().join(', ')}`)
  return market
}
