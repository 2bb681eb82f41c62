/** An error the operator can fix. The command line prints its message without a stack and exits with code 1. */
export class OperatorError extends Error {}
