// What can be done with a page: share its URL and print it. Both need JavaScript, and are hidden without it.
import { type Html, type HtmlValue, html } from './html.ts'

const shareButton = (className: string): Html =>
  html`<button type="button" class="${className}" data-share-page>Share</button>`

const printButton = (className: string): Html =>
  html`<button type="button" class="${className}" data-print>Print</button>`

/**
 * `own`: links of the page itself, which work without JavaScript; `saving`: those to the account; `choice`: what sharing asks first.
 */
export const pageActions = (own: Html = html``, saving: Html = html``, choice?: Html): Html =>
  html`<div class="page-actions"><span data-live="compare">${own}</span> ${saving} <span data-live="share">${choice ?? shareButton('button quiet')}</span> ${printButton('button quiet')}</div>`

/** Of a list, after its count. */
export const listActions = (...links: HtmlValue[]): Html => listActionsWith(undefined, ...links)

export const listActionsWith = (choice: Html | undefined, ...links: HtmlValue[]): Html =>
  html`<span class="list-actions">${links.filter(Boolean).map((link) => html` · ${link}`)} ${choice && html`· ${choice}`}<span class="scripted">${choice ? '' : html` · ${shareButton('link')}`} · ${printButton('link')}</span></span>`
