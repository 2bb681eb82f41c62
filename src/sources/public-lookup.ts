// Looking a name up so that only public addresses can be connected to. Done where the connection is made: a name looked up
// before could mean another address by then.
import { lookup } from 'node:dns'
import { addressRefusal } from '../contract/public-address.ts'

/** For undici's `connect.lookup`; `refused` makes the error of a name that has no public address. */
export const publicLookup = (refused: (host: string) => Error): typeof lookup =>
  ((host: string, options: object, done: (error: Error | null, ...rest: unknown[]) => void) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error)
      const open = addresses.filter(({ address }) => addressRefusal(address) === undefined)
      if (open.length === 0) return done(refused(host))
      if ((options as { all?: boolean }).all) return done(null, open)
      return done(null, open[0]!.address, open[0]!.family)
    })) as typeof lookup
