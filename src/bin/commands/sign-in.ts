import { Command } from 'commander'
import { readConfig, servedUrl } from '../../config.ts'
import { linkMinutes, operatorSignInLink } from '../../operations/account/sign-in.ts'
import { openStore } from '../open-store.ts'
import { OperatorError } from '../operator-error.ts'
import { withOpened } from '../with-opened.ts'
import { emailAddress } from './keys.ts'

export const signInCommand = (): Command =>
  new Command('sign-in')
    .description('Print a link that signs in to the account pages, for a service without a mail server.')
    .argument('<email>', 'address of a key', emailAddress)
    .option('--json', 'print JSON')
    .action(async (email: string, { json }: { json?: boolean }) => {
      const config = readConfig()
      const link = await withOpened(
        () => openStore(config, { poolSize: 2 }),
        ({ db }) => operatorSignInLink({ db, publicUrl: servedUrl(config) }, email, new Date()),
      )
      if (link === undefined)
        throw new OperatorError(
          `No key has the address ${email}. Create one with: lotline keys create --plan free --email ${email}`,
        )
      process.stdout.write(`${json ? JSON.stringify({ success: true, url: link }) : link}\n`)
      process.stderr.write(`The link works once, for ${linkMinutes} minutes.\n`)
    })
