// What a client's address is counted as: an IPv4 address, or an IPv6 /64, since one customer holds all of one.
import type { IncomingMessage } from 'node:http'
import { all, compile } from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

export const clientOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const { parts } = parsed as ipaddr.IPv6
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Where a request comes from, as the framework finds it: past the trusted proxies, the nearest of those they forward for. */
export const addressBehind = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const trust = compile([...trustedProxies])
  return (request) => all(request, trust).at(-1) ?? ''
}
