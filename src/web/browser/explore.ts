// The Explore page: the list and the map follow each other, and the URL keeps the state.

import { startShortlist } from './explore-list.ts'
import { exploreState } from './explore-state.ts'

const state = exploreState()

/** Menus and checkboxes submit the form immediately; text fields wait for Enter or the button. */
const submitOnChange = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-filters]')
  form?.addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement
    if (input.name === 'market') {
      form.querySelector<HTMLSelectElement>('[name=city]')!.value = ''
      form.querySelector('[data-state]')?.replaceChildren()
    }
    if (input.name === 'city') form.querySelector('[data-state] [name=bbox]')?.remove()
    if (['market', 'city', 'status', 'sort'].includes(input.name)) form.requestSubmit()
  })
  // Leave empty fields and the default order out of the URL.
  form?.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData])
      if (value === '' || (name === 'sort' && value === '-rankScore')) formData.delete(name)
  })
}

const panel = document.getElementById('map')
const explore = document.querySelector<HTMLElement>('[data-explore]')
let started = false

/** The map library is loaded when the map can be seen: on a phone, after the switch to the map. */
const startMap = async (): Promise<void> => {
  if (started || !panel || getComputedStyle(panel).display === 'none') return
  started = true
  const { openMap } = await import('./explore-map.ts')
  await openMap(panel, state)
}

const startViews = (): void => {
  const switcher = document.querySelector<HTMLElement>('[data-views]')
  if (!switcher || !explore) return
  switcher.hidden = false
  const show = (view: string) => {
    explore.dataset.view = view
    for (const button of switcher.querySelectorAll<HTMLElement>('[data-view]'))
      button.setAttribute('aria-pressed', String(button.dataset.view === view))
    void startMap()
  }
  show(state.get('view') === 'map' ? 'map' : 'list')
  switcher.addEventListener('click', ({ target }) => {
    const view = (target as HTMLElement).dataset.view
    if (!view) return
    state.set('view', view === 'map' ? 'map' : undefined)
    show(view)
  })
}

submitOnChange()
startShortlist(state)
startViews()
matchMedia('(max-width: 60rem)').addEventListener('change', () => void startMap())
