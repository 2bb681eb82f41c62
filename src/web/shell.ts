// The page around every page: head, navigation, the sample notice, footer.
import type { BrowserEntry } from './assets.ts'
import { type Html, html, textOf } from './html.ts'
import type { Notice } from './notice.ts'
import type { Site } from './site.ts'

export interface Page {
  title: string
  /** For search engines and link previews: one sentence. */
  description: string
  body: Html
  /** The script this page needs beyond the one every page has. */
  script?: BrowserEntry
  /** Extra elements of the head: structured data, canonical address. */
  head?: Html
  /** Address without host; search engines are told this one. */
  path: string
  /** Kept out of search engines. */
  private?: boolean
  status?: number
  /** A class on the body, for pages that use the whole width. */
  layout?: 'wide'
}

export interface Viewing {
  notice?: Notice
  theme?: 'light' | 'dark'
  /** As asked for, with the query: what on paper leads back to the same list. */
  url?: string
}

const places = [
  ['/explore', 'Explore'],
  ['/permits', 'Permits'],
  ['/playground', 'Playground'],
  ['/docs', 'Docs'],
  ['/coverage', 'Coverage'],
] as const

export const documentOf = (site: Site, page: Page, { notice, theme, url = '' }: Viewing): string => {
  const { assets, services } = site
  const title = page.path === '/' ? page.title : `${page.title} · Lotline`
  const address = `${services.publicUrl}${page.path}`
  const query = page.private ? '' : queryOf(url)
  const entries: BrowserEntry[] = page.script ? ['site', page.script] : ['site']
  const styles = [...new Set(entries.flatMap((entry) => assets.styles(entry)))]
  const here = (href: string) => page.path === href || page.path.startsWith(`${href}/`)
  return `<!doctype html>\n${textOf(html`<html lang="en"${theme ? html` data-theme="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.description}">
<link rel="canonical" href="${address}">
${page.private ? html`<meta name="robots" content="noindex">` : ''}
<meta property="og:title" content="${title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="Lotline">
<meta name="color-scheme" content="light dark">
${assets.fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`)}
${styles.map((style) => html`<link rel="stylesheet" href="${style}">`)}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${entries.map((entry) => html`<script type="module" src="${assets.script(entry)}"></script>`)}
${page.head}
</head>
<body${page.layout ? html` class="${page.layout}"` : ''}>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="mark" href="/"${page.path === '/' ? html` aria-current="page"` : ''}>${mark}Lotline</a>
<nav aria-label="Main">${places.map(([href, name]) => html`<a href="${href}"${here(href) ? html` aria-current="page"` : ''}>${name}</a>`)}</nav>
<button type="button" class="theme" data-theme-toggle hidden aria-label="Switch between light and dark">${halfMoon}</button>
</header>
${notice && notices[notice]}
<main id="main">${page.body}</main>
<footer class="foot">
<p>Lotline is software you run yourself. Its figures are estimates with their working shown: not an appraisal, not legal advice.</p>
<p class="on-paper">${address}${query}</p>
<p><a href="/docs">Docs</a> <a href="/docs/reference">API reference</a> <a href="/openapi.json">OpenAPI</a> <a href="/llms.txt">llms.txt</a> <a href="/coverage">Data and sources</a></p>
</footer>
</body>
</html>`)}`
}

const notices = {
  sample: html`<p class="notice" role="note"><b>Sample data.</b> Every property, sale and permit shown here is generated, not real. <a href="/coverage">See what is loaded</a></p>`,
  loading: html`<p class="notice" role="status"><b>Loading.</b> The sample markets are being loaded and assessed; what you see is not complete yet. This page looks again every few seconds.</p>`,
}

/** A lot with its line: the square, and the dashed edge that decides everything. */
const mark = html`<svg class="glyph" viewBox="0 0 20 20" aria-hidden="true"><path d="M3 3v14h14"/><path class="dash" d="M3 3h14v14"/></svg>`

const halfMoon = html`<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z"/></svg>`

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none" stroke="#b23a1c" stroke-width="2.2"><path d="M3 3v14h14"/><path d="M3 3h14v14" stroke-dasharray="2.6 2.2"/></svg>`

/** For paper: what the page was asked, without a key that came with it. */
const queryOf = (url: string): string => {
  const asked = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  for (const name of [...asked.keys()]) if (/key|token|secret/i.test(name)) asked.delete(name)
  return asked.size > 0 ? `?${asked}` : ''
}
