// HTML templates that escape by default: a value in html`…` is escaped unless it was made by html`…` or raw().
import { escapeHtml } from '../common/escape-html.ts'

const trusted = Symbol('html')

export interface Html {
  readonly [trusted]: string
}

export type HtmlValue = string | number | Html | undefined | null | false | readonly HtmlValue[]

export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html => {
  let text = strings[0]!
  for (let index = 0; index < values.length; index++) text += rendered(values[index]) + strings[index + 1]!
  return raw(text)
}

/** Marks text as HTML: rendered Markdown of our own files, JSON in a data block. Never use it for text from a feed. */
export const raw = (text: string): Html => ({ [trusted]: text })

export const textOf = (value: Html): string => value[trusted]

const rendered = (value: HtmlValue): string => {
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (value === undefined || value === null || value === false) return ''
  if (isList(value)) return value.map(rendered).join('')
  return value[trusted]
}

const isList = (value: HtmlValue): value is readonly HtmlValue[] => Array.isArray(value)

/** Structured data for search engines. `<` is escaped, so the JSON cannot close the script element. */
export const dataBlock = (value: unknown): Html =>
  html`<script type="application/ld+json">${raw(JSON.stringify(value).replace(/</g, '\\u003c'))}</script>`
