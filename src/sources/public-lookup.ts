// A lookup that returns only public addresses. It is part of the connection: a name resolved earlier could have another
// address by then.
import { lookup } from 'node:dns'
import { nonPublicReason } from '../common/public-address.ts'

/** For undici's `connect.lookup`; `rejected` creates the error for a name without a public address. */
export const publicLookup = (rejected: (host: string) => Error): typeof lookup =>
  ((host: string, options: object, done: (error: Error | null, ...rest: unknown[]) => void) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error)
      const open = addresses.filter(({ address }) => nonPublicReason(address) === undefined)
      if (open.length === 0) return done(rejected(host))
      if ((options as { all?: boolean }).all) return done(null, open)
      return done(null, open[0]!.address, open[0]!.family)
    })) as typeof lookup
