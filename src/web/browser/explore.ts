// The Explore page: the list and the map follow each other, and the URL keeps the state.

import { startShortlist } from './explore-list.ts'
import { exploreState } from './explore-state.ts'
import { startViews } from './view-switch.ts'

const state = exploreState()

/** Menus and checkboxes submit the form immediately; text fields wait for Enter or the button. */
const submitOnChange = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-filters]')
  form?.addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement
    if (input.name === 'market') {
      form.querySelector<HTMLInputElement>('[name=city]')!.value = ''
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
