// The Explore page: the list and the map follow each other, and the URL keeps the state.

import { loadResults, startShortlist } from './explore-list.ts'
import { exploreState } from './explore-state.ts'
import { startViews } from './view-switch.ts'

const state = exploreState()

/** Long enough that a person typing does not cause a request per letter. */
const pauseMs = 500

/** Menus of the first line and checkboxes of the status submit the form; every other field updates the list while one types. */
const submitOnChange = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-filters]')
  form?.addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement
    if (input.name === 'market') {
      form.querySelector<HTMLInputElement>('[name=city]')!.value = ''
      form.querySelector('[data-state]')?.replaceChildren()
    }
    if (input.name === 'city') form.querySelector('[data-state] [name=bbox]')?.remove()
    if (['market', 'status', 'sort'].includes(input.name)) form.requestSubmit()
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  form?.addEventListener('input', ({ target }) => {
    // A part of a city or an address is none yet.
    if (['market', 'status', 'sort', 'city', 'address'].includes((target as HTMLInputElement).name)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      state.setForm(new FormData(form))
      // The map, where there is one, loads the list with its own dots.
      if (document.dispatchEvent(new Event('filterschange', { cancelable: true }))) void loadResults(state)
    }, pauseMs)
  })
  form?.addEventListener('submit', () => clearTimeout(timer))
  // Leave empty fields and the default order out of the URL.
  form?.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData])
      if (value === '' || (name === 'sort' && value === '-rankScore')) formData.delete(name)
  })
}

const panel = document.getElementById('map')
let started = false

/** The map library is loaded when the map can be seen: on a phone, after the switch to the map. */
const startMap = async (): Promise<void> => {
  if (started || !panel || getComputedStyle(panel).display === 'none') return
  started = true
  const { openMap } = await import('./explore-map.ts')
  await openMap(panel, state)
}

submitOnChange()
startShortlist(state)
startViews({ view: state.get('view'), onChange: (view) => state.set('view', view), onShow: () => void startMap() })
