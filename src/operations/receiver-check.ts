// Checks whether events may be sent to a URL. Called at registration, so that mistakes are reported at once. Every connection
// checks the address again.
import { badRequest } from '../common/errors.ts'
import { nonPublicReasonOfAny, webhookUrl } from '../common/public-address.ts'
import { openDnsLookup } from '../sources/dns-lookup.ts'

export const checkReceiver = async (text: string, allowPrivate: boolean, resolve = addressesOf) => {
  const checked = webhookUrl(text, allowPrivate)
  if ('refusal' in checked) throw badRequest(`${checked.refusal}.`)
  const url = checked.url.href
  if (checked.literal) return { url, warnings: [] }
  const addresses = await resolve(checked.host, allowPrivate)
  if (addresses.length === 0)
    return {
      url,
      warnings: [`${checked.host} does not resolve at the moment: deliveries will fail until it does.`],
    }
  const refusal = allowPrivate ? undefined : nonPublicReasonOfAny(addresses)
  // Without the address: it would tell a stranger about the network of this server.
  if (refusal) throw badRequest(`url must be public: ${checked.host} resolves to an address that is not.`)
  return { url, warnings: [] }
}

const lookUps = { public: openDnsLookup({ allowPrivate: false }), private: openDnsLookup({ allowPrivate: true }) }

const addressesOf = async (host: string, allowPrivate: boolean): Promise<string[]> => {
  const answers = await lookUps[allowPrivate ? 'private' : 'public'](host).catch(() => [])
  return answers.map(({ address }) => address)
}
