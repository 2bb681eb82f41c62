// What can be done with a page: share its URL and print it. Both need JavaScript, and are hidden without it.
import { type Html, html } from './html.ts'

/** `own`: links of the page itself, which work without JavaScript; `saving`: those to the account. */
export const pageActions = (own: Html = html``, saving: Html = html``): Html =>
  html`<div class="page-actions"><span data-live="compare">${own}</span> ${saving} <button type="button" class="button quiet" data-share-page hidden>Share</button> <button type="button" class="button quiet" data-print hidden>Print</button></div>`
