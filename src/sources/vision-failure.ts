/** Why a call brought nothing, and whether asking again can help. */
export class VisionFailure extends Error {
  readonly passing: boolean
  readonly retryAfterMs: number | undefined
  constructor(message: string, passing: boolean, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'VisionFailure'
    this.passing = passing
    this.retryAfterMs = retryAfterMs
  }
  waitMs(backoffMs: number): number | undefined {
    return this.passing ? Math.max(this.retryAfterMs ?? 0, backoffMs) : undefined
  }
}
