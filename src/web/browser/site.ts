// What every page has: the look, light and dark, copy buttons, and forms that answer in place.
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
import './style/narrow.css'
import './style/print.css'

const toggle = document.querySelector<HTMLButtonElement>('[data-theme-toggle]')
if (toggle) {
  toggle.hidden = false
  toggle.addEventListener('click', () => {
    const root = document.documentElement
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, so that the next page comes in the right light
    document.cookie = `theme=${root.dataset.theme};path=/;max-age=31536000;samesite=lax`
    document.dispatchEvent(new Event('themechange'))
  })
}

for (const block of document.querySelectorAll<HTMLElement>('[data-copy]')) addCopyButton(block)

export function addCopyButton(block: HTMLElement): void {
  const holder = document.createElement('div')
  holder.className = 'copy-holder'
  block.replaceWith(holder)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => copyText(button, block.innerText))
  holder.append(block, button)
}

/** The clipboard is closed to pages served without TLS; then the text is selected, ready for the keyboard. */
export async function copyText(button: HTMLButtonElement, text: string): Promise<void> {
  const before = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    const block = button.parentElement?.querySelector('pre')
    if (block) getSelection()?.selectAllChildren(block)
    button.textContent = block ? 'Selected' : before
  }
  setTimeout(() => {
    button.textContent = before
  }, 1600)
}

answerInPlace('[data-sign-up]', '/api/v1/keys', (answer) => {
  const key = document.createElement('pre')
  key.className = 'code key'
  key.append(Object.assign(document.createElement('code'), { textContent: String(answer.key) }))
  const said = Object.assign(document.createElement('p'), {
    textContent: document.querySelector('[data-mailed]')
      ? 'Here is your key. It is shown this once, and on its way to your mailbox.'
      : 'Here is your key. It is shown this once: keep it now.',
  })
  const next = Object.assign(document.createElement('p'), { className: 'hint' })
  const link = Object.assign(document.createElement('a'), {
    href: '/playground',
    textContent: 'Use it in the playground',
  })
  link.addEventListener('click', () => sessionStorage.setItem('lotline-key', String(answer.key)))
  next.append(link)
  const shown = document.createElement('div')
  shown.append(said, key, next)
  addCopyButton(key)
  return shown
})

answerInPlace('[data-subscribe]', '/api/v1/subscribe', () =>
  Object.assign(document.createElement('p'), { textContent: 'You are on the list.' }),
)

function answerInPlace(selector: string, url: string, show: (answer: Record<string, unknown>) => HTMLElement): void {
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
      const answer = (await response.json()) as Record<string, unknown>
      outcome.replaceChildren(
        response.ok
          ? show(answer)
          : Object.assign(document.createElement('p'), { className: 'refusal', textContent: String(answer.error) }),
      )
    } catch {
      outcome.replaceChildren(
        Object.assign(document.createElement('p'), {
          className: 'refusal',
          textContent: 'No answer. Please try again.',
        }),
      )
    } finally {
      if (button) button.disabled = false
    }
  })
}
