import { Command, InvalidArgumentError, Option } from 'commander'
import { OperatorError } from '../../common/operator-error.ts'
import { readConfig } from '../../config.ts'
import { dayOf } from '../../domain/day.ts'
import { inTransaction } from '../../store/engine/database.ts'
import { insertKey, type ListedKey, listKeys, NotRotatable, revokeKey, rotateKey } from '../../store/keys/keys.ts'
import { promotionEnd } from '../../wire/plans.ts'
import { openStore, type Store } from '../open-store.ts'
import { type Column, textTable } from '../text-table.ts'
import { withOpened } from '../with-opened.ts'
import { subcommands, wholeNumber } from './arguments.ts'

export const keysCommand = (): Command => {
  const command = new Command('keys').description('Issue, list, rotate and revoke API keys.')
  const add = subcommands(command)
  const withId = (sub: Command) => sub.argument('<id>', 'key id from `lotline keys list`')
  add('create', 'Issue keys. Each is shown only once.', create, (sub) =>
    sub
      .addOption(new Option('--plan <plan>', 'plan of the key').choices(['free', 'pro']).default('pro'))
      .requiredOption('--email <address>', 'owner of the key', emailAddress)
      .option(
        '--count <n>',
        'number of keys; defaults to 1',
        wholeNumber('It must be a whole number from 1 to 100000.', 1, 100_000),
      ),
  )
  add('list', 'List keys, newest first. The keys themselves are not shown.', list, (sub) =>
    sub
      .option('--email <address>', 'only keys of this owner')
      .addOption(new Option('--plan <plan>', 'only keys of this plan').choices(['free', 'pro'])),
  )
  add('revoke', 'Revoke a key. It takes effect at once in every process.', revoke, withId)
  add('rotate', 'Issue a replacement for a key. The old key can read for 24 more hours.', rotate, (sub) =>
    withId(sub).option('--expire-now', 'make the old key stop working at once'),
  )
  return command
}

const create = async ({ plan, email, count }: { plan: 'free' | 'pro'; email: string; count?: number }) => {
  const promotionUntil = readConfig().EARLY_ACCESS ? promotionEnd(new Date()) : undefined
  const issued = await withStore((store) =>
    inTransaction(store.db, async (tx) => {
      const keys = []
      for (let i = 0; i < (count ?? 1); i++) {
        const { id, key } = await insertKey(tx, { plan, email, promotionUntil, confirmedAt: new Date() })
        keys.push({ success: true, key, tier: plan, id })
      }
      return keys
    }),
  )
  const note =
    issued.length === 1 ? 'Copy the key now. It is not shown again.' : 'Copy the keys now. They are not shown again.'
  return { json: count === undefined ? issued[0] : issued, text: textTable(issued, newKeyColumns), note }
}

const newKeyColumns: readonly Column<{ key: string; id: string; tier: string }>[] = [
  { title: 'API key', value: ({ key }) => key },
  { title: 'Id', value: ({ id }) => id },
  { title: 'Plan', value: ({ tier }) => tier },
]

const stateOf = ({ revokedAt, expiresAt }: ListedKey): string =>
  revokedAt ? 'revoked' : expiresAt ? (expiresAt < new Date() ? 'expired' : 'expiring') : 'active'

const list = async (options: { email?: string; plan?: string }) => {
  const keys = await withStore(({ db }) => listKeys(db, options))
  const json = keys.map((key) => ({ ...key, state: stateOf(key) }))
  return { json, text: keys.length === 0 ? 'No keys.' : textTable(keys, keyColumns) }
}

const keyColumns: readonly Column<ListedKey>[] = [
  { title: 'Id', value: ({ id }) => id },
  { title: 'Plan', value: ({ plan }) => plan },
  { title: 'Starts with', value: ({ hint }) => `${hint}…` },
  { title: 'Created', value: ({ createdAt }) => dayOf(createdAt) },
  { title: 'State', value: stateOf, color: (key) => (stateOf(key) === 'active' ? 'green' : 'dim') },
  { title: 'Owner', value: ({ email }) => email },
]

const revoke = async (id: string) => {
  const revoked = await withStore(({ db }) => revokeKey(db, id, new Date(), 'family'))
  if (!revoked) throw new OperatorError(`There is no active key ${id}. List the keys with: lotline keys list`)
  return { json: { success: true, id }, text: `Revoked ${id}.` }
}

const rotate = async (id: string, { expireNow }: { expireNow?: boolean }) => {
  const until = new Date(Date.now() + (expireNow ? 0 : 24 * 3600 * 1000))
  const { key, plan, ...issued } = await withStore(({ db }) => rotateKey(db, id, until)).catch((error: Error) => {
    throw error instanceof NotRotatable
      ? new OperatorError(`${error.message} List the keys with: lotline keys list`)
      : error
  })
  const printed = { key, tier: plan, id: issued.id }
  return {
    json: { success: true, ...printed, previousKeyExpiresAt: until },
    text: textTable([printed], newKeyColumns),
    note: `Copy the key now. It is not shown again. The old key ${id} ${expireNow ? 'has expired' : `can read until ${until.toISOString()}`}.`,
  }
}

const withStore = <T>(work: (store: Store) => Promise<T>): Promise<T> =>
  withOpened(() => openStore(readConfig(), { poolSize: 2 }), work)

export const emailAddress = (text: string): string => {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(text))
    throw new InvalidArgumentError('It must be an email address, for example you@example.com.')
  return text
}
