// Suggestions below the documentation search box. Without JavaScript the form opens the results page.
import { type DocsSection, searchDocs } from './docs-search.ts'

const form = document.querySelector<HTMLFormElement>('[data-docs-search]')
const input = form?.querySelector<HTMLInputElement>('input')
const list = form?.querySelector<HTMLElement>('[data-suggestions]')

let loading: Promise<DocsSection[]> | undefined
const sections = (): Promise<DocsSection[]> => {
  loading ??= fetch('/docs/search-index.json').then((response) => (response.ok ? response.json() : []))
  return loading
}

const suggest = async (): Promise<void> => {
  if (!input || !list) return
  const query = input.value
  const found = query.trim().length < 2 ? [] : searchDocs(await sections(), query).slice(0, 6)
  if (query !== input.value) return
  list.hidden = found.length === 0
  list.replaceChildren(
    ...found.map(({ page, heading, url }) => {
      const link = Object.assign(document.createElement('a'), { href: url, textContent: heading ?? page })
      const item = document.createElement('li')
      item.append(link)
      if (heading) item.append(Object.assign(document.createElement('small'), { textContent: page }))
      return item
    }),
  )
}

input?.addEventListener('focus', () => void sections())
input?.addEventListener('input', () => void suggest())
input?.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && list) list.hidden = true
  if (event.key === 'ArrowDown') {
    event.preventDefault()
    list?.querySelector('a')?.focus()
  }
})
list?.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') input?.focus()
  if (!step) return
  event.preventDefault()
  const links = [...list.querySelectorAll('a')]
  const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + step]
  if (next) next.focus()
  else if (step < 0) input?.focus()
})
// Press "/" anywhere on a documentation page to search.
document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement
  if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
  event.preventDefault()
  input?.focus()
})
