// The notice at the top of every page: sample data is shown, or data is still loading.
import type { Services } from '../operations/context.ts'
import { hasSampleData } from '../operations/data-status.ts'

export type Notice = 'sample' | 'loading'

/** Looked up at most this often, because every page shows it. */
const lifetimeMs = 30_000

/** When the database does not answer, pages are still served, with the last known notice. */
export const noticeReader = (
  services: Services,
  loading: () => Promise<boolean> = async () => false,
): (() => Promise<Notice | undefined>) => {
  let last: { readAt: number; notice?: Notice } | undefined
  return async () => {
    if (last && performance.now() - last.readAt < lifetimeMs) return last.notice
    try {
      // Not cached: loading ends within seconds, and the page reloads to see it.
      if (await loading()) return 'loading'
      last = { readAt: performance.now(), notice: (await hasSampleData(services)) ? 'sample' : undefined }
    } catch {
      // The next request tries again.
    }
    return last?.notice
  }
}
