import { Command, InvalidArgumentError, Option } from 'commander'
import { readConfig } from '../../config.ts'
import { dayOf } from '../../contract/day.ts'
import { promotionEnd } from '../../contract/plans.ts'
import { inTransaction } from '../../store/engine/database.ts'
import { insertKey, type ListedKey, listKeys, NotRotatable, revokeKey, rotateKey } from '../../store/keys/keys.ts'
import { expected } from '../expected.ts'
import { openStore, type Store } from '../open-store.ts'
import { using } from './using.ts'

export const keysCommand = (): Command =>
  new Command('keys')
    .description('Issue, list, rotate and revoke API keys.')
    .addCommand(
      new Command('create')
        .description('Issue keys. They are shown once.')
        .addOption(new Option('--plan <plan>', 'plan of the key').choices(['free', 'pro']).default('pro'))
        .requiredOption('--email <address>', 'whom the key belongs to', emailAddress)
        .option('--count <n>', 'how many', wholeNumber)
        .option('--json', 'print JSON')
        .action(create),
    )
    .addCommand(
      new Command('list')
        .description('List keys, newest first, without revealing them.')
        .option('--email <address>', 'of this owner only')
        .addOption(new Option('--plan <plan>', 'of this plan only').choices(['free', 'pro']))
        .option('--json', 'print JSON')
        .action(list),
    )
    .addCommand(
      new Command('revoke')
        .description('Revoke a key at once, on every process.')
        .argument('<id>', 'its id, as `keys list` shows it')
        .option('--json', 'print JSON')
        .action(revoke),
    )
    .addCommand(
      new Command('rotate')
        .description('Issue a key in place of another, which works 24 hours more.')
        .argument('<id>', 'its id, as `keys list` shows it')
        .option('--json', 'print JSON')
        .action(rotate),
    )

const create = async (options: { plan: 'free' | 'pro'; email: string; count?: number; json?: boolean }) => {
  const { plan, email } = options
  const promotionUntil = readConfig().EARLY_ACCESS ? promotionEnd(new Date()) : undefined
  const made = await withStore((store) =>
    inTransaction(store.db, async (tx) => {
      const keys = []
      for (let i = 0; i < (options.count ?? 1); i++) {
        const { id, key } = await insertKey(tx, { plan, email, promotionUntil })
        keys.push({ success: true, key, tier: plan, id })
      }
      return keys
    }),
  )
  if (options.json) print(JSON.stringify(options.count === undefined ? made[0] : made))
  else for (const { key, id } of made) print(`${key}  ${id}`)
}

const list = async (options: { email?: string; plan?: string; json?: boolean }) => {
  const keys = await withStore(({ db }) => listKeys(db, options))
  if (options.json) return print(JSON.stringify(keys.map((key) => ({ ...key, state: stateOf(key) }))))
  if (keys.length === 0) return print('No keys.')
  for (const key of keys)
    print([key.id, key.plan.padEnd(4), `${key.hint}…`, dayOf(key.createdAt), stateOf(key), key.email].join('  '))
}

const stateOf = ({ revokedAt, expiresAt }: ListedKey): string =>
  revokedAt ? 'revoked' : expiresAt ? (expiresAt < new Date() ? 'expired' : 'expiring') : 'active'

const revoke = async (id: string, { json }: { json?: boolean }) => {
  const revoked = await withStore(({ db }) => revokeKey(db, id, new Date(), 'family'))
  if (!revoked) throw expected(`No key ${id} that is not revoked already. See: lotline keys list`)
  print(json ? JSON.stringify({ success: true, id }) : `Revoked ${id}.`)
}

const rotate = async (id: string, { json }: { json?: boolean }) => {
  const until = new Date(Date.now() + 24 * 3600 * 1000)
  const made = await withStore(({ db }) => rotateKey(db, id, until)).catch((error: Error) => {
    throw error instanceof NotRotatable ? expected(`${error.message} See: lotline keys list`) : error
  })
  const { key, plan } = made
  if (json) return print(JSON.stringify({ success: true, key, tier: plan, id: made.id, previousKeyExpiresAt: until }))
  print(`${key}  ${made.id}  (${id} works until ${until.toISOString()})`)
}

const withStore = <T>(work: (store: Store) => Promise<T>): Promise<T> =>
  using(() => openStore(readConfig(), { poolSize: 2 }), work)

const print = (text: string) => void process.stdout.write(`${text}\n`)

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 100_000)
    throw new InvalidArgumentError('a whole number from 1 to 100000')
  return number
}

function emailAddress(text: string): string {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(text)) throw new InvalidArgumentError('an e-mail address')
  return text
}
