// Resolves host names that users chose. The system resolver occupies one of libuv's four threads per lookup, so a few names
// whose servers never respond would block every other lookup and all file work. This one queries the name servers
// directly, without a thread, with a timeout and a limit on concurrent lookups.
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { limiter } from '../common/limiter.ts'
import { codeOf, valueAt } from '../common/typed.ts'

interface DnsLookupOptions {
  /** Also uses the system resolver with its hosts file and search list, which know private names. For local trials. */
  allowPrivate: boolean
  /** Name servers to use instead of the system's. */
  servers?: readonly string[]
  timeoutMs?: number
}

type DnsLookup = (host: string) => Promise<LookupAddress[]>

/** For one lookup, both address families together. */
const defaultTimeoutMs = 3_000
/** Wait for the second address family after the first has responded; RFC 8305 suggests 50 ms. */
const secondFamilyMs = 250
/** Concurrent lookups: each uses a socket. `slow` limits names that recently did not respond, all together. */
const concurrency = { all: 256, slow: 64 }
const maxSlowNames = 10_000

/** Rejects with ENOTFOUND for a name without an address, and with EAI_AGAIN when the lookup failed. */
export const openDnsLookup = ({ allowPrivate, servers, timeoutMs = defaultTimeoutMs }: DnsLookupOptions): DnsLookup => {
  const inFlight = new Map<string, Promise<LookupAddress[]>>()
  const slow = new Set<string>()
  const slots = limiter({ total: concurrency.all })

  const withSlot = async (host: string) => {
    const kind = slow.has(host) ? 'slow' : 'all'
    const release = await slots.take(kind, concurrency[kind])
    try {
      const found = await ask(host, servers, timeoutMs)
      slow.delete(host)
      return found
    } catch (error) {
      if (codeOf(error) === 'EAI_AGAIN') {
        slow.add(host)
        if (slow.size > maxSlowNames) slow.delete(slow.values().next().value!)
      }
      throw error
    } finally {
      release()
    }
  }

  const find = (host: string) => {
    if (!allowPrivate) return withSlot(host)
    const fromSystem = () => lookup(host, { all: true, order: 'verbatim' })
    // A single label is a name of this machine or network, which no public server knows.
    if (/^[^.]*$|\.(?:localhost|local)$/i.test(host)) return fromSystem()
    return withSlot(host).catch(fromSystem)
  }

  return (host) => {
    const name = host.replace(/\.$/, '')
    return valueAt(inFlight, name, () => find(name).finally(() => inFlight.delete(name)))
  }
}

const ask = async (host: string, servers: readonly string[] | undefined, timeoutMs: number) => {
  // One resolver per lookup, because cancel() ends all lookups of a resolver.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 })
  if (servers) resolver.setServers(servers)
  let timer = setTimeout(() => resolver.cancel(), timeoutMs)
  const hurry = (found: LookupAddress[]) => {
    clearTimeout(timer)
    timer = setTimeout(() => resolver.cancel(), secondFamilyMs)
    return found
  }
  const family = (addresses: Promise<string[]>, family: 4 | 6) =>
    addresses.then((found) => hurry(found.map((address) => ({ address, family }))))
  const answers = await Promise.allSettled([family(resolver.resolve4(host), 4), family(resolver.resolve6(host), 6)])
  clearTimeout(timer)
  const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  if (found.length > 0) return found
  const codes = answers.map((each) => (each.status === 'rejected' ? (each.reason as NodeJS.ErrnoException).code : ''))
  // EBADNAME: not a valid host name.
  const absent = codes.every((code) => code === '' || /^(?:ENOTFOUND|ENODATA|EBADNAME)$/.test(code ?? 'unknown'))
  throw Object.assign(new Error(`${host} ${absent ? 'has no address' : 'could not be looked up'}`), {
    code: absent ? 'ENOTFOUND' : 'EAI_AGAIN',
  })
}
