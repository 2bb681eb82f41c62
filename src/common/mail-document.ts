// A mail as a list of blocks. Its text part and its HTML part are made from the same blocks, so that both hold the same facts.
import { escapeHtml } from './escape-html.ts'

export type MailBlock =
  /** A paragraph. */
  | string
  | { type: 'heading' | 'notice' | 'code'; text: string }
  | { type: 'button'; label: string; url: string }
  | { type: 'items'; items: readonly MailItem[] }
  /** Columns from 0 to 100, with what they show in words. */
  | { type: 'bars'; text: string; values: readonly number[] }
  /** Small print at the end: URLs by label. */
  | { type: 'links'; links: Readonly<Record<string, string>> }

interface MailItem {
  title: string
  url: string
  facts: readonly MailFact[]
  /** A map around it. */
  map?: string
}

/** A loss is red, and nothing else is. */
export interface MailFact {
  text: string
  loss?: boolean
}

export interface MailDocument {
  title: string
  blocks: readonly MailBlock[]
}

/** A heading with its items; an empty list gives nothing. */
export const mailSection = (title: string, items: readonly MailItem[]): MailBlock[] =>
  items.length === 0
    ? []
    : [
        { type: 'heading', text: title },
        { type: 'items', items },
      ]

/** The parts of a mail; its title is the subject. */
export const mailParts = (document: MailDocument): { subject: string; text: string; html: string } => ({
  subject: document.title,
  text: mailText(document),
  html: mailHtml(document),
})

export const mailText = ({ title, blocks }: MailDocument): string => `${title}\n\n${blocks.map(textOf).join('\n\n')}\n`

const textOf = (block: MailBlock): string => {
  if (typeof block === 'string') return block
  switch (block.type) {
    case 'heading':
      return block.text.toUpperCase()
    case 'notice':
      return block.text
    case 'code':
      return indented(block.text)
    case 'button':
      return `${block.label}:\n${indented(block.url)}`
    case 'items':
      return block.items
        .map(
          ({ title, url, facts, map }) =>
            `- ${[title, ...facts.map(({ text }) => text)].join(' · ')}\n${indented(url)}${map ? `\n  Map: ${map}` : ''}`,
        )
        .join('\n')
    case 'bars':
      return `${block.text}\n${block.values.map(levelOf).join('')}`
    case 'links':
      return Object.entries(block.links)
        .map(([label, url]) => `${label}: ${url}`)
        .join('\n')
  }
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')

const levels = '▁▂▃▄▅▆▇█'
const levelOf = (value: number): string =>
  levels[Math.min(levels.length - 1, Math.floor((value / 100) * levels.length))] ?? ''

/** The colors of the site. Mail programs that know `prefers-color-scheme` use the dark ones at night. */
const dark = `@media (prefers-color-scheme: dark) {
.page { background: #15171a !important; color: #e8e6df !important; }
.sheet { background: #1c1f23 !important; border-color: #33373c !important; }
.soft { color: #a5a9ad !important; }
a, .link { color: #86c1ea !important; }
.button { background: #86c1ea !important; color: #0f1a22 !important; }
.notice { background: #332b1a !important; color: #dcb45c !important; }
.code { background: #22262a !important; }
.bar { background: #86c1ea !important; }
.rule { border-color: #33373c !important; }
.loss { color: #f08a66 !important; }
}`

const sans = "'Public Sans',system-ui,-apple-system,'Segoe UI',sans-serif"
const serif = "Newsreader,'Iowan Old Style',Palatino,Georgia,serif"

/** Tables and inline styles, since mail programs drop the rest. */
export const mailHtml = ({ title, blocks }: MailDocument): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>:root { color-scheme: light dark; }
${dark}</style></head>
<body class="page" style="margin:0;background:#fbfaf5;color:#1d2025;font:16px/1.5 ${sans}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="page" align="center" style="padding:24px 12px;background:#fbfaf5;color:#1d2025">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border:1px solid #dedbd0;border-radius:4px"><tr><td align="left" style="padding:24px;overflow-wrap:anywhere">
<p style="margin:0 0 12px;font:500 18px/1.2 ${serif}">Lotline</p>
<h1 style="margin:0 0 16px;font:500 26px/1.2 ${serif}">${escapeHtml(title)}</h1>
${blocks.map(htmlOf).join('\n')}
</td></tr></table></td></tr></table></body></html>`

const htmlOf = (block: MailBlock): string => {
  if (typeof block === 'string') return `<p style="margin:0 0 12px">${escapeHtml(block)}</p>`
  switch (block.type) {
    case 'heading':
      return `<h2 style="margin:24px 0 8px;font:500 20px/1.2 ${serif}">${escapeHtml(block.text)}</h2>`
    case 'notice':
      return `<p class="notice" style="margin:0 0 12px;padding:8px 12px;border-radius:4px;background:#f7eeda;color:#7a5600">${escapeHtml(block.text)}</p>`
    case 'code':
      return `<pre class="code" style="margin:0 0 12px;padding:12px;border-radius:4px;background:#f2efe5;font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(block.text)}</pre>`
    case 'button':
      return `<p style="margin:8px 0 16px"><a class="button" href="${escapeHtml(block.url)}" style="display:inline-block;padding:10px 18px;border-radius:4px;background:#1d5b86;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(block.label)}</a></p>`
    case 'items':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${block.items.map(rowOf).join('')}</table>`
    case 'bars':
      return `<p style="margin:0 0 8px">${escapeHtml(block.text)}</p>${barsOf(block.values)}`
    case 'links':
      return `<p class="soft" style="margin:24px 0 0;font-size:14px;color:#565c66">${Object.entries(block.links)
        .map(
          ([label, url]) => `<a class="link" href="${escapeHtml(url)}" style="color:#1d5b86">${escapeHtml(label)}</a>`,
        )
        .join(' · ')}</p>`
  }
}

const rowOf = ({ title, url, facts, map }: MailItem): string =>
  `<tr><td class="rule" style="padding:10px 0;border-top:1px solid #dedbd0"><a class="link" href="${escapeHtml(url)}" style="color:#1d5b86;font-weight:600">${escapeHtml(title)}</a>${map ? ` · <a class="link" href="${escapeHtml(map)}" style="color:#1d5b86">Map</a>` : ''}${factsOf(facts)}</td></tr>`

/** The first says why the item is in the mail. */
const factsOf = ([first, ...others]: readonly MailFact[]): string =>
  first === undefined
    ? ''
    : `<br><span style="font-size:14px">${factOf(first)}</span>${others.length > 0 ? `<span class="soft" style="font-size:14px;color:#565c66"> · ${others.map(factOf).join(' · ')}</span>` : ''}`

const factOf = ({ text, loss }: MailFact): string =>
  loss ? `<span class="loss" style="color:#a83417">${escapeHtml(text)}</span>` : escapeHtml(text)

/** Mail programs show neither SVG nor scripts. The sentence above says what the columns show. */
const barsOf = (values: readonly number[]): string =>
  `<table role="presentation" aria-hidden="true" cellpadding="0" cellspacing="2" style="border-collapse:separate"><tr>${values
    .map(
      (value) =>
        `<td valign="bottom" style="height:52px"><div class="bar" style="width:14px;height:${Math.max(2, Math.round(value / 2))}px;background:#1d5b86"></div></td>`,
    )
    .join('')}</tr></table>`
