// Which addresses and URLs a webhook may be sent to. Pure: the caller does the DNS lookup.
import ipaddr from 'ipaddr.js'

/** Why an address may not be connected to; undefined when it is a public one. */
export const nonPublicReason = (address: string): string | undefined => {
  if (!ipaddr.isValid(address)) return `${address} is not an address`
  const parsed = ipaddr.parse(address)
  return parsed.kind() === 'ipv4' ? ipv4Refusal(parsed as ipaddr.IPv4) : ipv6Refusal(parsed as ipaddr.IPv6)
}

/** The entries of IANA's IPv4 special-purpose registry that are not globally reachable. */
const ipv4Refused: readonly [string, string][] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved for protocols'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved or broadcast'],
]

/** Parts of global unicast (2000::/3) that are not globally reachable. Everything outside 2000::/3 is rejected. */
const ipv6Refused: readonly [string, string][] = [
  ['2001::/23', 'reserved for protocols, Teredo among them'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['3fff::/20', 'documentation'],
]

const ranges = <T extends ipaddr.IPv4 | ipaddr.IPv6>(
  table: readonly [string, string][],
  parse: (text: string) => [T, number],
) => table.map(([range, what]) => ({ range: parse(range), what }))
const ipv4Ranges = ranges(ipv4Refused, (text) => ipaddr.IPv4.parseCIDR(text))
const ipv6Ranges = ranges(ipv6Refused, (text) => ipaddr.IPv6.parseCIDR(text))
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

const ipv4Refusal = (address: ipaddr.IPv4): string | undefined => {
  const found = ipv4Ranges.find(({ range }) => address.match(range))
  return found && `${address} is not public (${found.what})`
}

const ipv6Refusal = (address: ipaddr.IPv6): string | undefined => {
  // An IPv4 address embedded in an IPv6 address is checked as the IPv4 address.
  if (address.isIPv4MappedAddress()) return ipv4Refusal(address.toIPv4Address())
  if (address.match(nat64)) return ipv4Refusal(new ipaddr.IPv4(address.toByteArray().slice(12)))
  if (address.zoneId) return `${address} is not public (link-local)`
  if (!address.match(globalUnicast)) return `${address} is not public`
  const found = ipv6Ranges.find(({ range }) => address.match(range))
  return found && `${address} is not public (${found.what})`
}

/** Why a name's addresses may not be connected to: if one of them is not public, the name is rejected, because any of them may be used. */
export const nonPublicReasonOfAny = (addresses: readonly string[]): string | undefined => {
  for (const address of addresses) {
    const refusal = nonPublicReason(address)
    if (refusal) return refusal
  }
  return undefined
}

/** Labels of letters, digits, hyphens and underscores, 63 at most, with no empty one. International names are already encoded. */
const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i

interface WebhookUrl {
  url: URL
  /** Without brackets and trailing dot; an address when the URL names one. */
  host: string
  literal: boolean
}

/** The URL as a browser reads it (so 0x7f.1, 2130706433 and full-width digits become plain addresses), or why a
 *  webhook may not be sent there. `allowPrivate` opens private addresses, plain http and low ports. */
export const webhookUrl = (text: string, allowPrivate: boolean): WebhookUrl | { refusal: string } => {
  const url = URL.parse(text)
  if (!url) return { refusal: `url must be an absolute https URL; "${text.slice(0, 100)}" is not one` }
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return { refusal: `url must start with https://; it starts with ${url.protocol}//` }
  if (url.username || url.password) return { refusal: 'url must not contain a user name or password' }
  const port = url.port === '' ? undefined : Number(url.port)
  if (!allowPrivate && port !== undefined && port < 1024)
    return { refusal: `url must use port 443 or one from 1024 up; it uses ${port}` }
  if (port === 0) return { refusal: 'url must not use port 0' }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') return { refusal: 'url must name a host' }
  const literal = ipaddr.isValid(host)
  if (!literal && !hostName.test(host))
    return { refusal: `url must name a valid host; "${host.slice(0, 100)}" is not one` }
  if (!allowPrivate) {
    if (host === 'localhost' || host.endsWith('.localhost'))
      return { refusal: `url must be public; ${host} is this machine` }
    const refusal = literal ? nonPublicReason(host) : undefined
    if (refusal) return { refusal: `url must be public: ${refusal}` }
  }
  url.hash = ''
  return { url, host, literal }
}
