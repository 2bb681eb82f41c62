import { OperatorError } from '../common/operator-error.ts'
import { messageOf } from '../common/typed.ts'
import { isDatabaseUnavailable } from '../store/engine/unavailable.ts'

/** The operator ended a question with Ctrl-C or Ctrl-D. */
export class Canceled extends OperatorError {
  override readonly exitCode = 130
}

/** What a command prints when it fails. An error that the operator cannot fix is a bug and is printed with its stack. */
export const failureText = (error: unknown): string => {
  if (error instanceof OperatorError) return error.message
  if (isDatabaseUnavailable(error))
    return `The database stopped answering: ${messageOf(error)}. Run the command again when it is back.`
  return (error as Error).stack ?? String(error)
}
