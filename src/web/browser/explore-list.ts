// The list of the Explore page: loads it again after the map has moved, and keeps the shortlist in the URL.
import { element } from './element.ts'
import type { ExploreState } from './explore-state.ts'
import { type Place, placesIn } from './place-markers.ts'

const results = (): HTMLElement => document.querySelector<HTMLElement>('[data-results]')!

export const homesInList = (): Place[] => placesIn(results())

const maxPicks = 6

let latest = 0

/** False when a newer request has replaced this one, or the server rejected it. */
export const loadResults = async (state: ExploreState): Promise<boolean> => {
  const request = ++latest
  const holder = results()
  holder.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(`/explore/results?${state.text()}`)
    const text = await response.text()
    if (request !== latest) return false
    if (!response.ok)
      return say(
        response.status === 429
          ? 'Too many moves in a minute. Wait a moment.'
          : 'The list could not be loaded. Try again.',
      )
    holder.innerHTML = text
    markPicks(state)
    keepFormState(state)
    return true
  } catch {
    return request === latest && say('The service did not respond. Try again.')
  } finally {
    if (request === latest) holder.removeAttribute('aria-busy')
  }
}

const say = (message: string): false => {
  const line = results().querySelector('.result-line')
  if (line) line.textContent = message
  return false
}

const picksOf = (state: ExploreState): string[] => (state.get('pick') ?? '').split(',').filter(Boolean)

const markPicks = (state: ExploreState): void => {
  const picks = picksOf(state)
  for (const box of results().querySelectorAll<HTMLInputElement>('[name=pick]')) {
    box.checked = picks.includes(box.value)
    box.disabled = !box.checked && picks.length >= maxPicks
  }
  const bar = document.querySelector<HTMLElement>('#compare')
  const button = bar?.querySelector('button')
  if (!bar || !button) return
  const most = picks.length >= maxPicks ? ', the most' : ''
  button.textContent = picks.length > 0 ? `Compare ${picks.length} selected${most}` : 'Compare selected'
  bar.hidden = picks.length === 0
}

/** So that the form keeps the area and the shortlist when a filter changes. */
const keepFormState = (state: ExploreState): void => {
  const holder = document.querySelector('[data-state]')
  holder?.replaceChildren(
    ...['bbox', 'area', 'lat', 'lng', 'radiusMi', 'follow', 'pick', 'numbers'].flatMap((name) => {
      const value = state.get(name)
      return value === null ? [] : [element('input', { type: 'hidden', name, value })]
    }),
  )
}

/** Checked homes stay selected when the list changes, up to six. */
export const startShortlist = (state: ExploreState): void => {
  markPicks(state)
  results().addEventListener('change', ({ target }) => {
    const box = target as HTMLInputElement
    if (box.name !== 'pick') return
    const others = picksOf(state).filter((id) => id !== box.value)
    const picks = box.checked ? [...others, box.value] : others
    state.set('pick', picks.length > 0 ? picks.join(',') : undefined)
    markPicks(state)
    keepFormState(state)
  })
  // Of all pages of the list, with the assumptions in the form.
  document.querySelector<HTMLFormElement>('#compare')?.addEventListener('formdata', ({ formData }) => {
    formData.set('pick', picksOf(state).join(','))
  })
}
