/** What the operator can put right: shown without a stack, exit code 1. */
export const expected = (message: string): Error => Object.assign(new Error(message), { expected: true })
