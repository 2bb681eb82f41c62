/** Why a call failed, and whether a retry may succeed. */
export class VisionFailure extends Error {
  readonly transient: boolean
  readonly retryAfterMs: number | undefined
  constructor(message: string, transient: boolean, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'VisionFailure'
    this.transient = transient
    this.retryAfterMs = retryAfterMs
  }
  waitMs(backoffMs: number): number | undefined {
    return this.transient ? Math.max(this.retryAfterMs ?? 0, backoffMs) : undefined
  }
}
