import { expect, test } from 'vitest'
import { type MailDocument, mailHtml, mailText } from '../../src/common/mail-document.ts'
import { endpointDisabledMail } from '../../src/events/outcome-recorder.ts'
import { confirmMail, keyMail } from '../../src/operations/mail-texts.ts'
import { type Digest, digestDocument } from '../../src/watches/newsletter-text.ts'

const digestText = (digest: Digest, unsubscribe: string) => mailText(digestDocument(digest, unsubscribe))
const digestHtml = (digest: Digest, unsubscribe: string) => mailHtml(digestDocument(digest, unsubscribe))

const url = 'https://lotline.test'

const digest = {
  market: 'sf-peninsula',
  week: { name: '2026-W46', from: '2026-11-09', to: '2026-11-15' },
  publicUrl: url,
  signals: [
    {
      id: 'p_1',
      address: '9 <Oak> St',
      city: 'Palo Alto',
      price: 2_400_000,
      teardownScore: 31,
      teardownGrade: 'A',
      returnPct: -4.2,
    },
  ],
  permits: [{ permitId: 'B 1', city: 'Palo Alto', citySlug: 'palo-alto', valuation: 900_000, issuedOn: '2026-11-12' }],
  heat: [{ asOf: '2026-11-13', heatIndex: 66.2 }],
  sample: true,
  days: new Map([['sf-peninsula', '2026-08-31']]),
} as const

const mails = {
  key: keyMail(
    'a@example.com',
    { id: 'key_1', key: 'llk_1', lastFour: 'lk_1', createdAt: new Date('2026-11-16') },
    `${url}/account/confirm/t`,
    url,
  ),
  confirm: confirmMail('a@example.com', 'Nantucket', {
    confirm: `${url}/confirm/1`,
    unsubscribe: `${url}/unsubscribe/1`,
  }),
  disabled: endpointDisabledMail(
    {
      id: 'wh_1',
      url: 'https://x.test/hook?a=1&b=2',
      email: 'a@example.com',
      reason: 'it failed for 5 days',
      confirmed: true,
    },
    url,
  ),
  newsletter: { text: digestText(digest, `${url}/u`), html: digestHtml(digest, `${url}/u`) },
}

/** Words, numbers and URLs, without the marks of either form. */
const factsIn = (text: string): string[] =>
  [
    ...new Set(
      text
        .toLowerCase()
        .replace(/[▁▂▃▄▅▆▇█·]/g, ' ')
        .match(/https?:\/\/[^\s"]+|[\w$%.,−<>&@-]+/g) ?? [],
    ),
  ].sort()

const visible = (html: string): string =>
  html
    .replace(/<head>.*?<\/head>/s, ' ')
    .replace(/<p [^>]*>Lotline<\/p>/, ' ')
    .replace(/<a [^>]*href="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')

test.each(Object.entries(mails))('the text and the HTML of the %s mail hold the same facts', (_, { text, html }) => {
  // The text form marks items with a hyphen and labels with a colon.
  const clean = (facts: string[]) =>
    [...new Set(facts.map((fact) => fact.replace(/[.,:-]+$/, '')))].filter(Boolean).sort()
  expect(clean(factsIn(visible(html)))).toEqual(clean(factsIn(text)))
})

test('HTML is escaped, has a dark theme, and loads nothing', () => {
  const document: MailDocument = {
    title: '<b>',
    blocks: [{ type: 'button', label: '"', url: 'https://x.test/?a="&b' }],
  }
  expect(mailText(document)).toContain('https://x.test/?a="&b')
  expect(mailHtml(document)).not.toContain('<b>')
  for (const { html } of Object.values(mails)) {
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).not.toMatch(/<img|<script|<link|url\(|@import/)
  }
})

test('the key mail does not claim that only the recipient knows the key', () => {
  expect(mails.key.text).not.toMatch(/no one else/i)
  expect(mails.key.text).toContain('That person can use the key too, so do not confirm it: delete it.')
})
