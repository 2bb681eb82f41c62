// The assumptions of the pro forma: sliders beside the fields, and figures that follow each change. The service computes them, so that
// the page, its URL and its printout state what the API states.
import { showUrl } from './page-actions.ts'

/** Long enough that a moving slider does not cause a request per step. */
const pauseMs = 200

const start = (form: HTMLFormElement): void => {
  const fields = [...form.querySelectorAll<HTMLInputElement>('input[name]:not([type=hidden])')]
  const sliderOf = (name: string) => form.querySelector<HTMLInputElement>(`[data-slider="${name}"]`)
  const numberIn = (field: HTMLInputElement) => (field.value || field.placeholder).replace(/[$,%\s]/g, '')

  for (const slider of form.querySelectorAll<HTMLInputElement>('[data-slider]')) {
    slider.hidden = false
    slider.addEventListener('input', () => {
      const field = fields.find(({ name }) => name === slider.dataset.slider)!
      field.value = Number(slider.value).toLocaleString('en-US')
      slider.setAttribute('aria-valuetext', field.value)
      later()
    })
  }

  const query = (): URLSearchParams =>
    new URLSearchParams(
      [...form.querySelectorAll<HTMLInputElement>('input[type=hidden][name]'), ...fields].flatMap(({ name, value }) =>
        value.trim() === '' ? [] : [[name, value.trim()]],
      ),
    )

  let latest = 0
  const update = async () => {
    const request = ++latest
    const url = new URL(location.href)
    url.search = query().toString()
    showUrl(url)
    const answer = await fetch(`${url.pathname}/figures${url.search}`).catch(() => undefined)
    if (request !== latest) return
    if (!answer?.ok) return say('The figures could not be computed. Change a number to try again.', false)
    show(new DOMParser().parseFromString(await answer.text(), 'text/html'))
  }
  /** For screen readers what has changed; for everybody what failed. */
  const say = (text: string, hidden = true) => {
    const said = document.querySelector('[data-said]')
    said?.classList.toggle('visually-hidden', hidden)
    if (said) said.textContent = text
  }
  const show = (from: Document) => {
    say(
      [...from.querySelectorAll('.results > div')]
        .slice(0, 2)
        .map((each) => each.textContent)
        .join(', '),
    )
    for (const part of from.querySelectorAll<HTMLElement>('[data-live]'))
      document.querySelector(`[data-live="${part.dataset.live}"]`)?.replaceChildren(...part.childNodes)
    for (const field of fields) {
      const given = from.getElementsByName(field.name)[0] as HTMLInputElement | undefined
      if (given) field.placeholder = given.placeholder
      const slider = sliderOf(field.name)
      if (slider) slider.value = numberIn(field)
    }
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void update(), pauseMs)
  }

  for (const field of fields) {
    field.addEventListener('input', later)
    // A visitor changes the number in use; one that stays the same is no change.
    field.addEventListener('focus', () => {
      if (field.value === '') field.value = field.placeholder
      field.select()
    })
    field.addEventListener('blur', () => {
      if (field.value === field.placeholder && !new URL(location.href).searchParams.has(field.name)) field.value = ''
    })
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    later()
  })
  form.querySelector('[data-reset]')?.addEventListener('click', (event) => {
    event.preventDefault()
    const keepsPrice = form.dataset.scenario === 'own-price'
    for (const field of fields) if (!(keepsPrice && field.name === 'price')) field.value = ''
    later()
  })
}

// Wide screens show every part, so that screen readers also find them open.
if (matchMedia('(min-width: 40.01rem)').matches)
  for (const part of document.querySelectorAll<HTMLDetailsElement>('details.fold')) part.open = true

for (const form of document.querySelectorAll<HTMLFormElement>('[data-scenario]')) start(form)
