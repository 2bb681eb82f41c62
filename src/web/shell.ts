// The HTML document around every page: head, navigation, notice, footer.
import { pastDaysText } from '../domain/packs/markets.ts'
import type { BrowserEntry } from './assets.ts'
import { day } from './formats.ts'
import { type Html, html, textOf } from './html.ts'
import type { Notice } from './notice.ts'
import { pathWithQuery } from './query.ts'
import type { Site } from './site.ts'

export interface Page {
  title: string
  /** For search engines and link previews: one sentence. */
  description: string
  body: Html
  /** Extra scripts; every page loads `site`. */
  script?: BrowserEntry | readonly BrowserEntry[]
  /** Extra elements for the head, such as structured data. */
  head?: Html
  /** The canonical path for search engines, without query. */
  path: string
  /** What a link to this page has besides its path: previews of the link follow it. */
  shared?: Readonly<Record<string, string | number>>
  /** True for pages that search engines must not index. */
  private?: boolean
  status?: number
  /** The element with the id `content` is where the content begins: after a navigation inside the page. */
  hasContentId?: true
  /** `wide` uses the full width of the window. */
  layout?: 'wide'
}

export interface PageView {
  notice?: Notice
  /** The visitor has closed the sample notice: it is shown at the end of the page, and in print. */
  noticeClosed?: boolean
  theme?: 'light' | 'dark'
  /** Path and query as requested. Printed pages show it, so that a filtered list can be opened again. */
  url?: string
  /** The sets of a signed-in visitor, to switch between. */
  numbers?: { sets: readonly { id: string; name: string }[]; used: string | undefined; token: Html } | undefined
}

export const documentOf = (
  site: Site,
  page: Page,
  { notice, noticeClosed = false, theme, url: requested = '', numbers }: PageView,
): string => {
  const { assets, services } = site
  const title = page.path === '/' ? page.title : `${page.title} · Lotline`
  const url = `${services.publicUrl}${page.path}`
  const entries: BrowserEntry[] = ['site', ...[page.script ?? []].flat()]
  const styles = [...new Set(entries.flatMap((entry) => assets.styles(entry)))]
  const isCurrent = (href: string) => page.path === href || page.path.startsWith(`${href}/`)
  const navigation = site.pages.map(({ path, navigation: name }) =>
    name ? html`<a href="${path}"${isCurrent(path) ? html` aria-current="page"` : ''}>${name}</a>` : '',
  )
  return `<!doctype html>\n${textOf(html`<html lang="en"${theme ? html` data-theme="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.description}">
<link rel="canonical" href="${url}">
${page.private ? html`<meta name="robots" content="noindex">` : ''}
<meta property="og:title" content="${title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${services.publicUrl}${pathWithQuery(page.path, page.shared ?? {})}">
<meta property="og:site_name" content="Lotline">
<meta name="color-scheme" content="light dark">
${assets.fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`)}
${styles.map((style) => html`<link rel="stylesheet" href="${style}">`)}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${entries.map((entry) => html`<script type="module" src="${assets.script(entry)}"></script>`)}
${page.head}
</head>
<body${page.layout ? html` class="${page.layout}"` : ''}>
<a class="skip" href="#${page.hasContentId ? 'content' : 'main'}">Skip to content</a>
<header class="top">
<a class="mark" href="/"${page.path === '/' ? html` aria-current="page"` : ''}>${logo}Lotline</a>
${page.path === '/' || page.path === '/find' ? '' : headerFind}
<button type="button" class="button quiet menu" popovertarget="menu">Menu</button>
<nav aria-label="Main" id="menu" popover>${navigation}</nav>
${numbers && numbersSwitch(numbers, requested)}
<button type="button" class="theme" data-theme-toggle hidden aria-label="Switch between light and dark">${themeIcon}</button>
</header>
${noticeClosed ? '' : notice?.kind && notices[notice.kind]}
${pastNotice(notice)}
<main id="main">${page.body}</main>
${noticeClosed && notice?.kind && notices[notice.kind]}
<footer class="foot">
<p>Lotline is software you run yourself. Its figures are estimates: not an appraisal, not legal advice.</p>
<p class="print-only"><span data-page-url>${url}${queryOf(requested)}</span> · ${day(site.clock().toISOString())}</p>
<p><a href="/docs">Docs</a> <a href="/docs/reference">API reference</a> <a href="/openapi.json">OpenAPI</a> <a href="/llms.txt">llms.txt</a> <a href="/coverage">Data and sources</a></p>
</footer>
</body>
</html>`)}`
}

/** Pages with a large address box of their own leave this one out. */
const headerFind = html`<form class="find-small" role="search" aria-label="Address" action="/find" data-find><input name="address" type="search" maxlength="300" placeholder="Address" aria-label="Street address or parcel number" autocomplete="off"><ul data-suggestions hidden></ul></form>`

/** Works without JavaScript; with it, a choice is sent at once. */
const numbersSwitch = ({ sets, used, token }: NonNullable<PageView['numbers']>, url: string): Html =>
  html`<form class="numbers-switch" method="post" action="/account/assumption-sets/use">${token}<input type="hidden" name="back" value="${url}"><select name="item" aria-label="Numbers behind returns" data-send-choice><option value="">Market numbers</option>${sets.map(({ id, name }) => html`<option value="${id}"${id === used ? html` selected` : ''}>${name}</option>`)}</select><button class="button quiet">Use</button></form>`

const pastNotice = (notice: Notice | undefined): Html | '' =>
  notice && notice.days.size > 0
    ? html`<aside class="notice past" aria-label="Day of the values"><b>Values of the past.</b> ${pastDaysText(notice.days)}</aside>`
    : ''

const notices = {
  sample: html`<aside class="notice" aria-label="Sample data"><b>Sample data.</b> <span class="wide-only">This site includes generated properties, sales and permits that are not real.</span> <a href="/coverage#sources">See which sources are samples</a> <button type="button" data-close-notice hidden aria-label="Move this notice to the end of the page">×</button></aside>`,
  loading: html`<aside class="notice" aria-label="Loading"><span role="status"><b>Loading.</b> The sample data is still being loaded and scored, so this page is incomplete. It reloads every few seconds.</span></aside>`,
}

/** The logo: a lot with a dashed lot line. */
const logo = html`<svg class="glyph" viewBox="0 0 20 20" aria-hidden="true"><path d="M3 3v14h14"/><path class="dash" d="M3 3h14v14"/></svg>`

const themeIcon = html`<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z"/></svg>`

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none" stroke="#1d5b86" stroke-width="2.2"><path d="M3 3v14h14"/><path d="M3 3h14v14" stroke-dasharray="2.6 2.2"/></svg>`

/** The query string for the printed URL, without API keys or tokens. */
const queryOf = (url: string): string => {
  const params = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  for (const name of [...params.keys()]) if (/key|token|secret/i.test(name)) params.delete(name)
  return params.size > 0 ? `?${params}` : ''
}
