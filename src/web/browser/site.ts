// Loaded by every page: styles, the theme toggle, copy buttons, and forms that show their result in place.
import type { Suggestion } from '../pages/find.ts'
import { element } from './element.ts'
import { startPageActions } from './page-actions.ts'
import '@fontsource-variable/newsreader/wght.css'
import '@fontsource-variable/public-sans/wght.css'
import './style/base.css'
import './style/parts.css'
import './style/lists.css'
import './style/home.css'
import './style/explore.css'
import './style/docs.css'
import './style/charts.css'
import './style/property.css'
import './style/workbench.css'
import './style/account.css'
import './style/narrow.css'
import './style/print.css'
import { startSuggestions } from './suggestions.ts'

const addCopyButton = (block: HTMLElement): void => {
  const holder = element('div', { className: 'copy-holder' })
  block.replaceWith(holder)
  const button = element('button', { type: 'button', className: 'copy' }, 'Copy')
  button.addEventListener('click', () => copyText(button, block.innerText))
  holder.append(block, button)
}

/** Browsers block the clipboard on pages without TLS. Then the text is selected, so that the user can press Ctrl+C. */
export const copyText = async (button: HTMLButtonElement, text: string): Promise<void> => {
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    const block = button.parentElement?.querySelector('pre')
    if (block) getSelection()?.selectAllChildren(block)
    button.textContent = block ? 'Selected' : label
  }
  setTimeout(() => {
    button.textContent = label
  }, 1600)
}

const startThemeToggle = (toggle: HTMLButtonElement): void => {
  toggle.hidden = false
  toggle.addEventListener('click', () => {
    const root = document.documentElement
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, so that the next page has the same theme
    document.cookie = `theme=${root.dataset.theme};path=/;max-age=31536000;samesite=lax`
    document.dispatchEvent(new Event('themechange'))
  })
}

/** Until the browser is closed: generated figures must not be taken for real ones on another day. */
const startClosing = (button: HTMLButtonElement): void => {
  button.hidden = document.querySelector('main')?.previousElementSibling !== button.parentElement
  button.addEventListener('click', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, so that the next page is the same
    document.cookie = 'notice=closed;path=/;samesite=lax'
    document.querySelector('.foot')?.before(button.parentElement!)
    button.hidden = true
  })
}

const newKey = (body: Record<string, unknown>): HTMLElement => {
  const key = element('pre', { className: 'code key' }, element('code', {}, String(body.key)))
  const link = element('a', { href: '/playground' }, 'Use it in the playground')
  link.addEventListener('click', () => sessionStorage.setItem('lotline-key', String(body.key)))
  const mailed = document.querySelector('[data-mailed]') ? ' We also sent it to your email address.' : ''
  const copy = element('p', {}, `Copy your key now. It won’t be shown again.${mailed}`)
  const result = element('div', {}, copy, key, element('p', { className: 'hint' }, link))
  addCopyButton(key)
  return result
}

const failed = (text: string): HTMLElement => element('p', { className: 'form-error' }, text)

/** Sends a form to the API as JSON and shows the result below the form. */
const submitInPlace = (selector: string, url: string, show: (body: Record<string, unknown>) => HTMLElement): void => {
  const form = document.querySelector<HTMLFormElement>(selector)
  const outcome = form?.querySelector<HTMLElement>('[data-outcome]')
  if (!form || !outcome) return
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('button')
    if (button) button.disabled = true
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(new FormData(form))),
      })
      const body = (await response.json()) as Record<string, unknown>
      outcome.replaceChildren(response.ok ? show(body) : failed(String(body.error)))
    } catch {
      outcome.replaceChildren(failed('The service did not respond. Try again.'))
    } finally {
      if (button) button.disabled = false
    }
  })
}

const themeToggle = document.querySelector<HTMLButtonElement>('[data-theme-toggle]')
if (themeToggle) startThemeToggle(themeToggle)
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-close-notice]')) startClosing(button)
for (const { form, nextElementSibling: button } of document.querySelectorAll<HTMLSelectElement>('[data-send-choice]')) {
  button?.remove()
  form?.addEventListener('change', () => form.requestSubmit())
}
for (const block of document.querySelectorAll<HTMLElement>('[data-copy]')) addCopyButton(block)
submitInPlace('[data-sign-up]', '/api/v1/keys', newKey)
submitInPlace('[data-subscribe]', '/api/v1/subscribe', () =>
  element('p', {}, document.querySelector<HTMLElement>('[data-subscribe]')!.dataset.subscribe!),
)
startPageActions()

/** Long enough that a person typing does not cause a request per letter. */
const pauseMs = 300

const startFind = (form: HTMLFormElement): void => {
  const find = async (typed: string) => {
    const asked = typed.trim()
    // A house number alone matches too many homes.
    if (!/\d.*[a-z]{2}|\d{6}|[a-z]{4}/i.test(asked)) return []
    const response = await fetch(`/find.json?address=${encodeURIComponent(asked)}`).catch(() => undefined)
    if (!response?.ok) return undefined
    const { properties } = (await response.json()) as { properties: Suggestion[] }
    // A city cannot be filled in as a home.
    return properties
      .filter(({ url }) => !form.dataset.find || url.startsWith('/properties/'))
      .map(({ address, city, url }) => ({ url, text: `${address}, ${city}` }))
  }
  const fill = (input: HTMLInputElement, text: string) => {
    input.value = text
    form.requestSubmit()
  }
  startSuggestions(form, find, { pauseMs, ...(form.dataset.find === 'fill' && { onChoose: fill }) })
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-find]')) startFind(form)
