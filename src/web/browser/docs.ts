// Suggestions below the documentation search box. Without JavaScript the form opens the results page.
import { type DocsSection, searchDocs } from './docs-search.ts'
import { startSuggestions } from './suggestions.ts'

let loading: Promise<DocsSection[]> | undefined
const sections = (): Promise<DocsSection[]> => {
  loading ??= fetch('/docs/search-index.json').then((response) => (response.ok ? response.json() : []))
  return loading
}

const find = async (query: string) => {
  const matches = query.trim().length < 2 ? [] : searchDocs(await sections(), query).slice(0, 6)
  return matches.map(({ page, heading, url }) => ({ url, text: heading ?? page, place: heading && page }))
}

const form = document.querySelector<HTMLFormElement>('[data-docs-search]')
const input = form && startSuggestions(form, find)
input?.addEventListener('focus', () => void sections())
// Press "/" anywhere on a documentation page to search.
document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement
  if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
  event.preventDefault()
  input?.focus()
})
