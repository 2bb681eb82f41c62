import { Command } from 'commander'
import { readConfig, servedUrl } from '../../config.ts'
import { linkMinutes, operatorSignInLink } from '../../operations/account/sign-in.ts'
import { openStore } from '../open-store.ts'
import { withOpened } from '../with-opened.ts'
import { printing } from './arguments.ts'
import { emailAddress } from './keys.ts'

export const signInCommand = (): Command =>
  printing(
    new Command('sign-in')
      .description(
        'Print a link that signs in to the account pages or creates an account, for a service without a mail server.',
      )
      .argument('<email>', 'address of the account', emailAddress),
    async (email: string) => {
      const config = readConfig()
      const { url, isNew } = await withOpened(
        () => openStore(config, { poolSize: 2 }),
        ({ db }) => operatorSignInLink({ db, publicUrl: servedUrl(config) }, email, new Date()),
      )
      if (isNew) process.stderr.write(`No account has the address ${email}: the link creates one.\n`)
      process.stderr.write(`The link works once, for ${linkMinutes} minutes.\n`)
      return { json: { success: true, url, isNew }, text: url }
    },
  )
