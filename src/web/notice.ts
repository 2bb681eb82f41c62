// The notices at the top of every page: sample data is shown, data is still loading, values are those of a past day.
import type { Services } from '../operations/context.ts'
import { hasSampleData, marketDays } from '../operations/data-status.ts'

export interface Notice {
  kind?: 'sample' | 'loading'
  /** Markets that were assessed as of a past day, with that day. */
  days: ReadonlyMap<string, string>
}

/** Looked up at most this often, because every page shows it. */
const lifetimeMs = 30_000

/** When the database does not answer, pages are still served, with the last known notice. */
export const noticeReader = (
  services: Services,
  loading: () => Promise<boolean> = async () => false,
): (() => Promise<Notice>) => {
  let last: { readAt: number; notice: Notice } | undefined
  return async () => {
    if (last && performance.now() - last.readAt < lifetimeMs) return last.notice
    try {
      // Not cached: loading ends within seconds, and the page reloads to see it.
      if (await loading()) return { kind: 'loading', days: new Map() }
      const [sample, days] = await Promise.all([hasSampleData(services.db), marketDays(services)])
      last = { readAt: performance.now(), notice: { ...(sample ? { kind: 'sample' } : {}), days } }
    } catch {
      // The next request tries again.
    }
    return last?.notice ?? { days: new Map() }
  }
}
