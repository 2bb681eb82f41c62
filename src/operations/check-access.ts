// Whether a caller may run an operation: its plan, and whether its key was replaced. The API and the pages use the same rule.
import { demoKeyForbidden, notPro, notProPlan, replacedKey } from '../common/errors.ts'
import type { Operation } from '../wire/operation.ts'
import type { Caller } from './context.ts'

export const checkAccess = (operation: Operation, { plan, limits, key }: Caller): void => {
  if (operation.access === 'ownKey' && !key) throw demoKeyForbidden(operation.tag.toLowerCase())
  if (operation.access === 'pro' && !limits.webhooks) throw notPro()
  if (operation.access === 'proPlan' && plan !== 'pro') throw notProPlan()
  if (changesData(operation) && key && key.id !== key.currentKeyId) throw replacedKey()
}

/** Revoking the key itself is always allowed. */
const changesData = ({ method, name, onlyReads }: Operation): boolean =>
  method !== 'GET' && !onlyReads && name !== 'delete_key'
