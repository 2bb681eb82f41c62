import { messageOf } from '../common/typed.ts'
import { ConfigError } from '../config.ts'
import { ApiAlreadyRunning } from '../store/engine/api-lock.ts'
import { UnusableServer } from '../store/engine/server-check.ts'
import { isDatabaseUnavailable } from '../store/engine/unavailable.ts'

/** An error the operator can fix. The command line prints its message without a stack and exits with its code. */
export class OperatorError extends Error {
  readonly exitCode: number = 1
}

/** The operator ended a question with Ctrl-C or Ctrl-D. */
export class Canceled extends OperatorError {
  override readonly exitCode = 130
}

/** What a command prints when it fails. An error that the operator cannot fix is a bug and is printed with its stack. */
export const failureText = (error: unknown): string => {
  if ([OperatorError, ConfigError, UnusableServer, ApiAlreadyRunning].some((kind) => error instanceof kind))
    return messageOf(error)
  if (isDatabaseUnavailable(error))
    return `The database stopped answering: ${messageOf(error)}. Run the command again when it is back.`
  return (error as Error).stack ?? String(error)
}
