// The mark on figures that depend on a default assumption, and the list that explains it.
import type { DefaultAssumption } from '../domain/assumptions/assumption.ts'
import { type Html, html } from './html.ts'

/** Links to the list of defaults. Nothing where no default is used. */
export const defaultMark = (used: boolean, list = 'defaults'): Html =>
  used
    ? html` <a class="default-mark" href="#${list}" title="Depends on a default assumption that is not set for this market">*<span class="visually-hidden"> default assumptions</span></a>`
    : html``

export const defaultsList = (defaults: readonly DefaultAssumption[], list = 'defaults'): Html =>
  defaults.length === 0
    ? html``
    : html`<div class="note defaults" id="${list}"><p>* Depends on default assumptions that are not set for this market<span class="defaults-link"> (<a href="/docs/methods/proforma#default-assumptions">how to set them</a>):</span></p><ul>${defaults.map(({ text }) => html`<li>${text}</li>`)}</ul></div>`
