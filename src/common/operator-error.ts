/** An error the operator can fix. The command line prints its message without a stack and exits with its code. */
export class OperatorError extends Error {
  readonly exitCode: number = 1
}
