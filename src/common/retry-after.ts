/** Seconds a Retry-After header asks to wait: a number of seconds or a date. Undefined when it says neither. */
export const retryAfterSeconds = (header: string | readonly string[] | null | undefined, now: number) => {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim()
  if (!text) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
