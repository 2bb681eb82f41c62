import { Type } from 'typebox'
import { flag, integer, literals, optional, orNull, succeeded, text } from '../../common/shape.ts'
import { describe } from '../operation.ts'
import { historyWindow } from '../pagination.ts'
import { planNames } from '../plans.ts'
import { examplePlace } from './examples.ts'
import { market } from './paging.ts'
import { done } from './resource.ts'

const email = text('E-mail address', { format: 'email', maxLength: 254 })

const KeyIssued = Type.Object({
  success: succeeded,
  key: text('The API key, shown once'),
  tier: literals(planNames, 'Plan of the key'),
  id: text('Identifier of the key; not a secret'),
})

export const createKey = describe({
  name: 'create_key',
  title: 'Get a free key',
  tag: 'Keys',
  method: 'POST',
  path: '/v1/keys',
  access: 'open',
  summary: 'Issues a free API key, shown once and emailed to you; five a day per IP address.',
  input: Type.Object({ email }),
  output: KeyIssued,
  example: {
    input: { email: 'you@example.com' },
    output: { success: true, key: 'll_free_0123456789abcdefghijABCDEFGHIJ012345', tier: 'free', id: 'key_8Zr1' },
  },
})

export const rotateKey = describe({
  name: 'rotate_key',
  title: 'Rotate this key',
  tag: 'Keys',
  method: 'POST',
  path: '/v1/keys/rotate',
  strict: true,
  summary:
    'Replaces the key used for this call with a new one; for 24 hours the old key can still read but not write, or it stops working at once with expireNow.',
  description:
    'The old key cannot register endpoints, rotate secrets or be rotated again. Webhook endpoints move to the new key. If the old key was stolen, send expireNow and check the list of endpoints.',
  input: Type.Object({
    expireNow: optional.flag(
      'true: the old key stops working at once. Defaults to false: it can still read for 24 hours',
    ),
  }),
  output: Type.Object({
    ...KeyIssued.properties,
    previousKeyExpiresAt: text('When the old key stops working', { format: 'date-time' }),
  }),
  example: {
    input: {},
    output: {
      success: true,
      key: 'll_free_0123456789abcdefghijABCDEFGHIJ012345',
      tier: 'free',
      id: 'key_9Aa2',
      previousKeyExpiresAt: '2026-11-16T06:00:00.000Z',
    },
  },
  errors: [403],
})

export const deleteKey = describe({
  name: 'delete_key',
  title: 'Delete this key',
  tag: 'Keys',
  method: 'DELETE',
  path: '/v1/keys/current',
  summary: 'Revokes the key used for this call immediately.',
  input: Type.Object({}),
  output: done,
  example: { input: {}, output: { success: true } },
})

export const getUsage = describe({
  name: 'get_usage',
  title: 'Usage and limits',
  tag: 'Keys',
  path: '/v1/usage',
  summary: 'Plan, limits and requests left in the current minute for the key used.',
  input: Type.Object({}),
  output: Type.Object({
    success: succeeded,
    data: Type.Object({
      plan: literals(planNames, 'Plan of the key'),
      limits: Type.Object({
        maxResults: integer('Largest page'),
        requestsPerMinute: integer('Requests per minute'),
        webhooks: flag('Whether the plan has webhooks'),
      }),
      remaining: integer('Requests left in the current window'),
      windowResetsInSeconds: integer('Seconds until the window resets'),
      historyWindow,
      promotionEndsAt: orNull(Type.String({ format: 'date-time' }), 'When early access ends; null without it'),
      keyId: optional.text('Identifier of the key; not a secret'),
      createdAt: optional.text('When the key was issued', { format: 'date-time' }),
    }),
  }),
  example: {
    input: {},
    output: {
      success: true,
      data: {
        plan: 'free',
        limits: { maxResults: 25, requestsPerMinute: 30, webhooks: false },
        remaining: 28,
        windowResetsInSeconds: 41,
        historyWindow: { days: 30, oldestDate: '2026-10-16' },
        promotionEndsAt: null,
        keyId: 'key_8Zr1',
        createdAt: '2026-11-01T09:30:00.000Z',
      },
    },
  },
})

export const subscribe = describe({
  name: 'subscribe',
  title: 'Newsletter',
  tag: 'Newsletter',
  method: 'POST',
  path: '/v1/subscribe',
  access: 'open',
  summary: 'Sends a link that confirms a subscription to a market’s weekly newsletter.',
  input: Type.Object({
    email,
    source: optional.text('Where the subscriber came from, for example the page with the form', {
      maxLength: 100,
      examples: ['footer'],
    }),
    market,
  }),
  output: done,
  example: { input: { email: 'you@example.com', market: examplePlace.market }, output: { success: true } },
})
