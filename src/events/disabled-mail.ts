import { mailParts } from '../common/mail-document.ts'
import type { Mail } from '../store/keys/mails.ts'
import type { DisabledEndpoint } from '../store/webhooks/deliveries.ts'

/** Tells the owner of an endpoint that it is disabled, and how to enable it again. */
export const endpointDisabledMail = ({ id, url, email, reason }: DisabledEndpoint, publicUrl: string): Mail => ({
  kind: 'endpoint-disabled',
  to: email,
  ...mailParts({
    title: 'Your Lotline webhook endpoint is disabled',
    blocks: [
      { type: 'paragraph', text: `We no longer send events to this endpoint, because ${reason}:` },
      { type: 'code', text: url },
      {
        type: 'paragraph',
        text: `You can read the events of the last 90 days at GET ${publicUrl}/api/v1/events. When the receiver works again, enable the endpoint:`,
      },
      { type: 'code', text: `curl -X POST -H "x-api-key: YOUR_KEY" ${publicUrl}/api/v1/webhooks/${id}/enable` },
      {
        type: 'paragraph',
        text: `To see the attempts and responses: GET ${publicUrl}/api/v1/webhooks/${id}/deliveries`,
      },
      { type: 'links', links: [{ label: 'Webhooks', url: `${publicUrl}/docs/webhooks` }] },
    ],
  }),
})
