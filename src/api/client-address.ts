// What a client's address is counted as: an IPv4 address, or an IPv6 /64, since one customer holds all of one.
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
