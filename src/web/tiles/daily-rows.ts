// How many distinct rows tiles have shown to each client today, so that nobody copies the data through the map.
import { hash } from 'node:crypto'

interface DailyRows {
  /** The rows this client may still see: those seen before, and new ones up to the limit. */
  allowed<Row extends { key: string }>(client: string, day: string, rows: readonly Row[]): Row[]
}

/** Clients are forgotten in the order they came when there are more: memory stays bounded at about 80 MB. */
const mostClients = 5_000

export const dailyRows = (limit: number): DailyRows => {
  let today = ''
  let seen = new Map<string, Set<number>>()
  return {
    allowed: (client, day, rows) => {
      if (day !== today) [today, seen] = [day, new Map()]
      let keys = seen.get(client)
      if (!keys) {
        if (seen.size >= mostClients) seen.delete(seen.keys().next().value as string)
        keys = new Set()
        seen.set(client, keys)
      }
      return rows.filter(({ key }) => {
        const id = Number.parseInt(hash('sha1', key, 'hex').slice(0, 12), 16)
        if (keys.has(id)) return true
        if (keys.size >= limit) return false
        keys.add(id)
        return true
      })
    },
  }
}
