// The context of an operation, and the type of its implementation.

import type { Sealer } from '../secrets/seal.ts'
import type { Db } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import type { InputOf, Operation, OutputOf } from '../wire/operation.ts'
import type { Plan, PlanName } from '../wire/plans.ts'
import type { Surface } from './listing-media.ts'

/** The caller of an operation and the present limits of its plan. */
export interface Caller {
  plan: PlanName
  limits: Plan
  /** Absent for the shared demo key and for callers without a key. */
  key?: {
    id: string
    /** The id of the first key in a chain of rotated keys. */
    family: string
    currentKeyId: string
    email: string
    createdAt: Date
    promotionUntil: Date | null
    /** Null until the owner of the mailbox confirms the key; it causes no mail before. */
    confirmedAt: Date | null
    /** Homes whose facts its owner has corrected, as far as known; see `ownFactsOf`. */
    ownFacts?: readonly string[]
  }
  /** The key that the client's address is counted under. */
  client: string
  /** Requests left in the current minute, or in the day if the allowance is daily. */
  remaining: number
  windowResetsInSeconds: number
}

/** A caller whose requests are not counted yet. */
export const callerOf = (plan: PlanName, limits: Plan, client: string, key?: Caller['key']): Caller => ({
  ...{ plan, limits, key, client },
  ...{ remaining: 0, windowResetsInSeconds: 0 },
})

/** Services that live as long as the process. bin/ creates them. */
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
  /** Where the answer is shown, which decides what sources permit. */
  surface: Surface
  /** Set for an export, which reads every page of a list. */
  bulk?: {
    /** Totals are counted up to this number; 0: not at all. */
    countTo: number
    /** Listings of these sources are not used. */
    hiddenSources: readonly string[]
  }
  idempotencyKey?: string | undefined
  /** The key whose own facts of a home the answer is computed with; without it, those of the caller's key. Such an answer is not shared. */
  desk?: string | undefined
}

/** A file that can be read in ranges. */
export interface ServedFile {
  name: string
  type: string
  bytes: number
  etag: string
  /** The bytes from `start` to `end`, which is included. */
  read(start: number, end: number): AsyncGenerator<Buffer>
}

export interface Implementation {
  operation: Operation
  run(context: Context, input: unknown): Promise<unknown>
  /** For an operation that also takes text/csv. */
  csv?: {
    /** Throws if the caller may not send it. Called before the body is read. */
    check(caller: Caller): void
    /** The answer as CSV, in pieces. */
    answer(context: Context, text: string): Promise<AsyncGenerator<string>>
    /** The same as work that is done later. */
    later(context: Context, text: string): Promise<{ data: { id: string } }>
  }
  /** For an operation that answers a file. */
  file?: (context: Context, input: unknown) => Promise<ServedFile>
}

/** With the types of one operation, for operations that build on another. */
export interface ImplementationOf<O extends Operation> extends Omit<Implementation, 'operation' | 'run'> {
  operation: O
  run(context: Context, input: InputOf<O>): Promise<OutputOf<O>>
}

export const implement = <O extends Operation>(
  operation: O,
  run: (context: Context, input: InputOf<O>) => Promise<OutputOf<O>>,
): ImplementationOf<O> => ({ operation, run })

export const isImplementation = (value: unknown): value is Implementation =>
  typeof value === 'object' && value !== null && 'operation' in value && 'run' in value
