// A list of links below a search box, which the arrow keys reach and Escape closes.

import { element } from './element.ts'

interface Suggested {
  url: string
  text: string
  /** Where it is, if the text does not say it. */
  place?: string | undefined
}

/** `find` answers undefined where the list stays as it is. `onChoose` replaces opening the link. */
export const startSuggestions = (
  form: HTMLFormElement,
  find: (typed: string) => Promise<readonly Suggested[] | undefined>,
  { pauseMs = 0, onChoose }: { pauseMs?: number; onChoose?(input: HTMLInputElement, text: string): void } = {},
): HTMLInputElement | undefined => {
  const input = form.querySelector<HTMLInputElement>('input[type=search]')
  const list = form.querySelector<HTMLElement>('[data-suggestions]')
  if (!input || !list) return undefined
  const itemOf = ({ url, text, place }: Suggested) => {
    const link = element('a', { href: url }, text)
    if (onChoose)
      link.addEventListener('click', (event) => {
        event.preventDefault()
        onChoose(input, text)
      })
    return element('li', {}, link, ...(place ? [element('small', {}, place)] : []))
  }
  const suggest = async () => {
    const typed = input.value
    const found = await find(typed)
    if (!found || typed !== input.value) return
    list.replaceChildren(...found.map(itemOf))
    list.hidden = found.length === 0
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(suggest, pauseMs)
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !list.hidden) {
      // The field of a search clears itself on this key.
      event.preventDefault()
      list.hidden = true
      input.focus()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || list.hidden) return
    event.preventDefault()
    const stops = [input, ...list.querySelectorAll('a')]
    stops[stops.indexOf(document.activeElement as HTMLInputElement) + step]?.focus()
  })
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget as Node | null)) list.hidden = true
  })
  return input
}
