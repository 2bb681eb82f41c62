// Checks the address of a receiver within the DNS lookup of the connection itself: the checked address is the one
// connected to, so DNS rebinding has no effect.
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { nonPublicReasonOfAny, webhookUrl } from '../common/public-address.ts'
import { openDnsLookup } from '../sources/dns-lookup.ts'

class RejectedAddress extends Error {
  readonly code = 'ADDRESS_REFUSED'
}

/** Like the lookup of node:dns with `all: true`. */
export type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const overNetwork = (allowPrivate: boolean): Resolve => {
  const lookUp = openDnsLookup({ allowPrivate })
  return (host, done) => {
    lookUp(host).then(
      (addresses) => done(null, addresses),
      (error) => done(error, []),
    )
  }
}

export const guardedLookup =
  (allowPrivate: boolean, resolve: Resolve = overNetwork(allowPrivate)): LookupFunction =>
  (host, options, done) => {
    resolve(host, (error, addresses) => {
      if (error) return done(error, [])
      const refusal = allowPrivate ? undefined : nonPublicReasonOfAny(addresses.map(({ address }) => address))
      // Without the address: the owner of the endpoint reads this in its delivery log.
      if (refusal) return done(new RejectedAddress('the host name resolves to an address that is not public'), [])
      const [first] = addresses
      if (!first) return done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), [])
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }

/** A URL with an IP address needs no lookup, so it is checked here before every attempt. */
export const checkUrl = (text: string, allowPrivate: boolean): void => {
  const checked = webhookUrl(text, allowPrivate)
  if ('refusal' in checked) throw new RejectedAddress(checked.refusal)
}

export interface AgentOptions {
  allowPrivate: boolean
  timeoutMs: number
  /** For tests, like `ca`, a certificate authority that is trusted in addition. */
  resolve?: Resolve
  ca?: string
}

/** Connections for deliveries: checked addresses, verified certificates, no redirects (undici follows none by default). */
export const deliveryAgent = ({ allowPrivate, timeoutMs, resolve, ca }: AgentOptions): Agent =>
  new Agent({
    connect: { lookup: guardedLookup(allowPrivate, resolve), timeout: timeoutMs, ca },
    // Receivers close idle connections after 5 s or more; reusing one that is being closed fails the attempt.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    pipelining: 1,
  })
