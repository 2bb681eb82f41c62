import { Command } from 'commander'
import { OperatorError } from '../../common/operator-error.ts'
import type { Services } from '../../operations/context.ts'
import { hideBuilder } from '../../store/permits/builders.ts'
import { withOpened } from '../with-opened.ts'

export const buildersCommand = ({
  openServices,
}: {
  openServices(): Promise<Services & { close(): Promise<void> }>
}): Command => {
  const action = (hidden: boolean) => async (id: string) => {
    const names = await withOpened(openServices, ({ db }) => hideBuilder(db, id, hidden))
    if (names === 0) throw new OperatorError(`There is no builder "${id}". Its id is at the end of its page's address.`)
    process.stdout.write(`${id} is ${hidden ? 'hidden' : 'shown'}.\n`)
  }
  const command = new Command('builders').description('Hide a builder, or show it again.')
  command.command('hide <id>').description('No longer serve a builder; its permits stay.').action(action(true))
  command.command('show <id>').description('Serve a hidden builder again.').action(action(false))
  return command
}
