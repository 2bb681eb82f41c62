// Runs an operation for a page, with the input and output types of its description.

import { checkAccess } from '../operations/check-access.ts'
import type { Context, Implementation } from '../operations/context.ts'
import { implementations } from '../operations/list.ts'
import type { InputOf, Operation, OutputOf } from '../wire/operation.ts'

const byName = new Map<string, Implementation>(implementations.map((each) => [each.operation.name, each]))

export const runOperation = <O extends Operation>(
  operation: O,
  context: Context,
  input: InputOf<O>,
): Promise<OutputOf<O>> => {
  const implementation = byName.get(operation.name)
  if (!implementation) throw new Error(`Operation ${operation.name} has no implementation.`)
  checkAccess(operation, context.caller)
  return implementation.run(context, input) as Promise<OutputOf<O>>
}
