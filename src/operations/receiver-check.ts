// May events go there? Asked at registration, so that a mistake shows at once; every connection asks again.
import { lookup } from 'node:dns/promises'
import { badRequest } from '../contract/errors.ts'
import { answerRefusal, webhookUrl } from '../contract/public-address.ts'

/** A name server that hangs must not hold up the registration. */
const lookupTimeoutMs = 3_000

export const checkReceiver = async (
  text: string,
  allowPrivate: boolean,
): Promise<{ url: string; warnings: string[] }> => {
  const checked = webhookUrl(text, allowPrivate)
  if ('refusal' in checked) throw badRequest(`${checked.refusal}.`)
  const url = checked.url.href
  if (checked.literal) return { url, warnings: [] }
  const addresses = await addressesOf(checked.host)
  if (addresses.length === 0)
    return {
      url,
      warnings: [`${checked.host} does not resolve at the moment: deliveries will fail until it does.`],
    }
  const refusal = allowPrivate ? undefined : answerRefusal(addresses)
  if (refusal) throw badRequest(`url must be public: ${checked.host} resolves to an address that is not: ${refusal}.`)
  return { url, warnings: [] }
}

const addressesOf = async (host: string): Promise<string[]> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string[]>((done) => {
    timer = setTimeout(() => done([]), lookupTimeoutMs)
  })
  const found = lookup(host, { all: true }).then(
    (answers) => answers.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, late]).finally(() => clearTimeout(timer))
}
