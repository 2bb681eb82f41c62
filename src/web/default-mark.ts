// The mark on figures that depend on a default assumption, and the list that explains it.
import type { DefaultAssumption } from '../contract/assumption.ts'
import { type Html, html } from './html.ts'

/** Links to the list of defaults. Nothing where no default is used. */
export const defaultMark = (used: boolean, list = 'defaults'): Html =>
  used
    ? html` <a class="default-mark" href="#${list}" title="Depends on a default assumption that is not set for this market">*</a>`
    : html``

/** `used`: the names that are shown now; a visitor who replaces an assumption hides it. All by default. */
export const defaultsList = (
  defaults: readonly DefaultAssumption[],
  list = 'defaults',
  used: readonly string[] = defaults.map(({ name }) => name),
): Html =>
  defaults.length === 0
    ? html``
    : html`<div class="note defaults" id="${list}"${used.length > 0 ? '' : html` hidden`}><p>* Depends on default assumptions that are not set for this market<span class="defaults-link"> (<a href="/docs/methods/proforma#default-assumptions">how to set them</a>):</span><span class="print-only">. </span></p><ul>${defaults.map(({ name, text }) => html`<li data-default-name="${name}"${used.includes(name) ? '' : html` hidden`}>${text}</li>`)}</ul></div>`
