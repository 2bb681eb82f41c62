// A part of a long page. On a phone only its heading shows until it is opened; wide screens and paper always show all of it.
import { type Html, html } from './html.ts'

/** A link to `#id` opens it: the target is inside the part. */
export const collapsible = (title: string, id: string, body: Html): Html =>
  html`<details class="fold"><summary><h2>${title}</h2></summary><div id="${id}">${body}</div></details>`
