// The signatures of a delivery: GitHub's scheme over the body (X-Service-Signature), and Standard Webhooks 1.0, which also
// covers the id and the time, so that an old delivery cannot be replayed.
import { createHmac } from 'node:crypto'

const secretPrefix = 'whsec_'

export interface Signed {
  eventId: string
  body: string
  at: Date
  secret: string
  /** Signs too, for 24 hours after a rotation. */
  previousSecret?: string
}

export const signatureHeaders = ({ eventId, body, at, secret, previousSecret }: Signed): Record<string, string> => {
  const timestamp = Math.floor(at.getTime() / 1000).toString()
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret]
  return {
    'x-service-signature': bodySignature(secret, body),
    ...(previousSecret !== undefined && { 'x-service-signature-previous': bodySignature(previousSecret, body) }),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((each) => standardSignature(each, `${eventId}.${timestamp}.${body}`)).join(' '),
  }
}

/** The key is the whole secret string as returned at registration. */
const bodySignature = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** The key is the decoded bytes of the secret. */
const standardSignature = (secret: string, content: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(content)
    .digest('base64')}`
