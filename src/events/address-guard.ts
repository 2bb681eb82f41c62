// The check of a receiver's address happens inside the connector's own look-up: what is checked is what is connected
// to, so a name that answers differently a moment later (rebinding) gains nothing.
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { answerRefusal, webhookUrl } from '../contract/public-address.ts'
import { openLookUp } from '../sources/look-up.ts'

export class RefusedAddress extends Error {
  readonly code = 'ADDRESS_REFUSED'
}

/** As node:dns answers with `all: true`; another one can be given in tests. */
export type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const overNetwork = (allowPrivate: boolean): Resolve => {
  const lookUp = openLookUp({ allowPrivate })
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
      const refusal = allowPrivate ? undefined : answerRefusal(addresses.map(({ address }) => address))
      if (refusal) return done(new RefusedAddress(refusal), [])
      const [first] = addresses
      if (!first) return done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), [])
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }

/** A URL that names an address is connected to without a look-up, so it is checked here, before every attempt. */
export const checkUrl = (text: string, allowPrivate: boolean): void => {
  const checked = webhookUrl(text, allowPrivate)
  if ('refusal' in checked) throw new RefusedAddress(checked.refusal)
}

export interface AgentOptions {
  allowPrivate: boolean
  timeoutMs: number
  resolve?: Resolve
  /** Extra authorities to believe, in tests. */
  ca?: string
}

/** Connections for deliveries: checked addresses, verified certificates, no redirects (undici follows none unless told). */
export const deliveryAgent = ({ allowPrivate, timeoutMs, resolve, ca }: AgentOptions): Agent =>
  new Agent({
    connect: { lookup: guardedLookup(allowPrivate, resolve), timeout: timeoutMs, ca },
    // Receivers close idle connections at 5 s and up; reusing one that is being closed costs an attempt.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    pipelining: 1,
  })
