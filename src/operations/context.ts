// What an operation is run with, and how one is implemented.

import type { InputOf, Operation, OutputOf } from '../contract/operation.ts'
import type { Plan, PlanName } from '../contract/plans.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { Db } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'

/** Who asks, and what their plan allows at this moment. */
export interface Caller {
  plan: PlanName
  limits: Plan
  /** Absent for the shared demo key and for callers without a key. */
  key?: { id: string; currentKeyId: string; email: string; createdAt: Date; promotionUntil: Date | null }
  /** What the client's address is counted as. */
  client: string
  /** Of the current minute, or of the day where an allowance is daily. */
  remaining: number
  windowResetsInSeconds: number
}

/** Longer-lived things an operation may use, put together in bin/. */
export interface Services {
  db: Db
  queue: Queue
  sealer: Sealer
  publicUrl: string
  earlyAccess: boolean
  webhookAllowPrivate: boolean
}

export interface Context extends Services {
  caller: Caller
  now: Date
}

export interface Implementation {
  operation: Operation
  run(context: Context, input: unknown): Promise<unknown>
}

export const implement = <O extends Operation>(
  operation: O,
  run: (context: Context, input: InputOf<O>) => Promise<OutputOf<O>>,
): Implementation => ({ operation, run: run as Implementation['run'] })
