// What can be done with a page: share its URL and print it. Both need JavaScript, and are hidden without it.
import { type Html, type HtmlValue, html } from './html.ts'

const shareAndPrint = (className: string, between = ''): Html =>
  html`<button type="button" class="${className}" data-share-page>Share</button>${between} <button type="button" class="${className}" data-print>Print</button>`

/** `own`: links of the page itself, which work without JavaScript; `saving`: those to the account. */
export const pageActions = (own: Html = html``, saving: Html = html``): Html =>
  html`<div class="page-actions"><span data-live="compare">${own}</span> ${saving} ${shareAndPrint('button quiet')}</div>`

/** Of a list, after its count. */
export const listActions = (...links: HtmlValue[]): Html =>
  html`<span class="list-actions">${links.filter(Boolean).map((link) => html` · ${link}`)}<span class="scripted"> · ${shareAndPrint('link', ' ·')}</span></span>`
