// Photos of listings. They are on hosts of the listing service, so a page loads them only if the operator names these hosts.
import type { PropertyDetail } from '../wire/property.ts'
import { plural } from './formats.ts'
import { type Html, html } from './html.ts'

/** True for a host in the list, and for the subdomains of a host that is given as `*.example.com`. */
export const isPhotoHost = (url: string, hosts: readonly string[]): boolean => {
  const { host } = new URL(url)
  return hosts.some((each) => (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each))
}

const shownPhotos = 12

export const listingSection = (data: PropertyDetail, hosts: readonly string[]): Html => {
  const { address, listingUrl, photos = [] } = data
  const urls = photos.filter((url) => isPhotoHost(url, hosts)).slice(0, shownPhotos)
  if (!listingUrl && photos.length === 0) return html``
  return html`<section class="listing-links" aria-label="Listing">${
    urls.length > 0
      ? html`<ul class="photos" tabindex="0" aria-label="Photos of ${address}">${urls.map((url, at) => html`<li><a href="${url}" rel="${outbound}"><img src="${url}" alt="Photo ${at + 1} of ${photos.length}: ${address}" width="320" height="214" loading="${at < 3 ? 'eager' : 'lazy'}" decoding="async" referrerpolicy="no-referrer"></a></li>`)}</ul>`
      : ''
  }<p>${linksOf(data, urls.length)}</p></section>`
}

const outbound = 'noopener nofollow'

const linksOf = ({ listingUrl, photos = [] }: PropertyDetail, shown: number): Html => {
  const hidden = photos.length - shown
  if (listingUrl)
    return html`<a href="${listingUrl}" rel="${outbound}">${hidden > 0 ? `Photos on the listing page (${photos.length})` : 'Listing page'}</a>`
  if (hidden === 0) return html`${plural(photos.length, 'photo')}`
  return html`${plural(photos.length, 'photo')}: ${photos.slice(0, shownPhotos).map((url, at) => html`<a href="${url}" rel="${outbound}">${at + 1}</a> `)}`
}
