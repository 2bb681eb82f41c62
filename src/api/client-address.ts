// What a client's address is counted as: an IPv4 address, or an IPv6 /64, since one customer has all of a /64.
import ipaddr from 'ipaddr.js'

export const clientOf = (address: string): string => {
  let client = recent.get(address)
  if (client === undefined) {
    client = parse(address)
    if (recent.size >= maxRecent) recent.clear()
    recent.set(address, client)
  }
  return client
}

/** Parsing an address costs more than the rest of authentication, and most addresses come again. */
const recent = new Map<string, string>()
const maxRecent = 10_000

const parse = (address: string): string => {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const { parts } = parsed as ipaddr.IPv6
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
