import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import type { MarketId } from '../../contract/facts.ts'
import { marketOf, markets } from '../../contract/markets.ts'
import { composeDigest, isEmpty, sendNewsletter, weekOf } from '../../events/newsletter.ts'
import { digestHtml, digestText } from '../../events/newsletter-text.ts'
import type { Services } from '../../operations/context.ts'
import { inTransaction } from '../../store/engine/database.ts'
import { eraseSubscriber } from '../../store/keys/newsletter.ts'
import { expected } from '../expected.ts'
import { using } from './using.ts'

export interface NewsletterDeps {
  openServices(): Promise<Services & { close(): Promise<void> }>
  highValueUsd(): number
}

interface IssueOptions {
  market: MarketId
  week?: string
  json?: boolean
}

export const newsletterCommand = ({ openServices, highValueUsd }: NewsletterDeps): Command => {
  const choiceOf = ({ market, week }: IssueOptions, now: Date) => {
    const chosen = weekOf(week, now)
    if (!chosen) throw expected(`There is no week ${week}: write it as 2026-W46.`)
    return { market, week: chosen, highValueUsd: highValueUsd() }
  }
  return new Command('newsletter')
    .description('Compose and send the weekly newsletter, or erase a subscriber.')
    .addCommand(
      issue(new Command('send'), 'Queue the week’s issue for every subscriber who has not had it.').action(
        async (options: IssueOptions) => {
          const now = new Date()
          const choice = choiceOf(options, now)
          const { queued, empty } = await using(openServices, (services) => sendNewsletter(services, choice, now))
          if (options.json) return print(JSON.stringify({ success: true, week: choice.week.name, queued, empty }))
          print(
            empty
              ? `Nothing is known of ${options.market} in ${choice.week.name}: nothing was queued.`
              : `Queued ${queued} mails for ${choice.week.name}.`,
          )
        },
      ),
    )
    .addCommand(
      issue(new Command('preview'), 'Write the week’s issue to a file; .txt for text, else HTML.')
        .requiredOption('--out <file>', 'where to')
        .action(async (options: IssueOptions & { out: string }) => {
          const choice = choiceOf(options, new Date())
          const digest = await using(openServices, (services) => composeDigest(services, choice))
          const write = options.out.endsWith('.txt') ? digestText : digestHtml
          await writeFile(options.out, write(digest, `${digest.publicUrl}/unsubscribe/example`))
          if (options.json)
            return print(
              JSON.stringify({ success: true, week: choice.week.name, file: options.out, empty: isEmpty(digest) }),
            )
          print(`Wrote ${options.out} (${choice.week.name}${isEmpty(digest) ? ', nothing known' : ''}).`)
        }),
    )
    .addCommand(
      new Command('erase')
        .description('Erase a subscriber: the subscriptions, and newsletter mails sent or waiting.')
        .argument('<email>', 'the address')
        .option('--json', 'print JSON')
        .action(async (email: string, { json }: { json?: boolean }) => {
          const erased = await using(openServices, ({ db }) => inTransaction(db, (tx) => eraseSubscriber(tx, email)))
          if (erased === 0) throw expected(`${email} is not a subscriber.`)
          print(json ? JSON.stringify({ success: true, erased }) : `Erased ${erased} subscriptions of ${email}.`)
        }),
    )
}

const issue = (command: Command, description: string) =>
  command
    .description(description)
    .requiredOption('--market <market>', markets.map(({ id }) => id).join(' or '), knownMarket)
    .option('--week <week>', 'ISO week, as 2026-W46; the last whole one unless told')
    .option('--json', 'print JSON')

const print = (text: string) => void process.stdout.write(`${text}\n`)

function knownMarket(text: string): MarketId {
  const market = marketOf(text)
  if (!market) throw new InvalidArgumentError(`one of ${markets.map(({ id }) => id).join(', ')}`)
  return market
}
