// Looks up names that strangers chose. The system's own look-up occupies one of libuv's four threads until it ends, so a
// few names whose servers never answer would hold up every other look-up and all file work: these ask the name servers
// directly, without a thread, for a bounded time, so many at once.
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

export interface LookUpOptions {
  /** Asks the system as well, and so its hosts file and search list. For trying things out: it knows private names. */
  allowPrivate: boolean
  /** Name servers to ask instead of the system's. */
  servers?: readonly string[]
  timeoutMs?: number
}

export type LookUp = (host: string) => Promise<LookupAddress[]>

/** For one look-up, both families together. */
const longestMs = 3_000
/** The second family is waited for this long once the first has answered; RFC 8305 would have 50 ms. */
const secondFamilyMs = 250
/** Look-ups under way in all: each has a socket. Names that lately did not answer may take so many of them together. */
const atOnce = { all: 256, slow: 64 }
const slowNamesKept = 10_000

/** Fails with ENOTFOUND for a name that has no address, with EAI_AGAIN for one that could not be looked up. */
export const openLookUp = ({ allowPrivate, servers, timeoutMs = longestMs }: LookUpOptions): LookUp => {
  const underWay = new Map<string, Promise<LookupAddress[]>>()
  const slow = new Set<string>()
  const slots = { all: openSlots(atOnce.all), slow: openSlots(atOnce.slow) }

  const inTurn = async (host: string) => {
    const wasSlow = slow.has(host)
    const leave = [wasSlow && (await slots.slow()), await slots.all()]
    try {
      const found = await ask(host, servers, timeoutMs)
      slow.delete(host)
      return found
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAI_AGAIN') {
        slow.add(host)
        if (slow.size > slowNamesKept) slow.delete(slow.values().next().value!)
      }
      throw error
    } finally {
      for (const each of leave) if (each) each()
    }
  }

  const find = (host: string) => {
    if (!allowPrivate) return inTurn(host)
    const fromSystem = () => lookup(host, { all: true, order: 'verbatim' })
    // One label is a name of this machine or network: no public server knows it.
    if (/^[^.]*$|\.(?:localhost|local)$/i.test(host)) return fromSystem()
    return inTurn(host).catch(fromSystem)
  }

  return (host) => {
    const name = host.replace(/\.$/, '')
    let finding = underWay.get(name)
    if (!finding) {
      finding = find(name).finally(() => underWay.delete(name))
      underWay.set(name, finding)
    }
    return finding
  }
}

const ask = async (host: string, servers: readonly string[] | undefined, timeoutMs: number) => {
  // One for each look-up: cancelling is for all that a resolver has under way.
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
  // BADNAME: not a name that could be asked for.
  const absent = codes.every((code) => code === '' || /^(?:ENOTFOUND|ENODATA|EBADNAME)$/.test(code ?? 'unknown'))
  throw Object.assign(new Error(`${host} ${absent ? 'has no address' : 'could not be looked up'}`), {
    code: absent ? 'ENOTFOUND' : 'EAI_AGAIN',
  })
}

/** Enter by awaiting, leave by calling what that gave. */
const openSlots = (most: number) => {
  const waiting: (() => void)[] = []
  let taken = 0
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else taken--
  }
  return async (): Promise<() => void> => {
    if (taken < most) taken++
    else await new Promise<void>((done) => waiting.push(done))
    return leave
  }
}
