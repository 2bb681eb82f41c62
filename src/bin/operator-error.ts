/** An error the operator can fix. The command line prints its message without a stack and exits with its code. */
export class OperatorError extends Error {
  readonly exitCode: number = 1
}

/** The operator ended a question with Ctrl-C or Ctrl-D. */
export class Canceled extends OperatorError {
  override readonly exitCode = 130
}
