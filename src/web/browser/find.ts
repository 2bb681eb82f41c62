// Suggestions below the address boxes. Without JavaScript the form opens the results page.

interface Suggestion {
  address: string
  city: string
  url: string
}

/** Long enough that a person typing does not cause a request per letter. */
const pauseMs = 300

const startFind = (form: HTMLFormElement): void => {
  const input = form.querySelector<HTMLInputElement>('input[type=search]')
  const list = form.querySelector<HTMLElement>('[data-suggestions]')
  if (!input || !list) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    list.hidden = true
  }
  const suggest = async () => {
    const asked = input.value.trim()
    // A house number alone matches too many homes.
    if (!/\d.*[a-z]{2}|\d{6}|[a-z]{4}/i.test(asked)) return hide()
    const response = await fetch(`/find.json?address=${encodeURIComponent(asked)}`).catch(() => undefined)
    if (!response?.ok || asked !== input.value.trim()) return
    const found = (await response.json()) as { properties: Suggestion[] }
    // A city cannot be filled in as a home.
    const properties = found.properties.filter(({ url }) => !form.dataset.find || url.startsWith('/properties/'))
    list.replaceChildren(
      ...properties.map(({ address, city, url }) => {
        const link = Object.assign(document.createElement('a'), { href: url, textContent: `${address}, ${city}` })
        if (form.dataset.find === 'fill')
          link.addEventListener('click', (event) => {
            event.preventDefault()
            input.value = `${address}, ${city}`
            form.requestSubmit()
          })
        const item = document.createElement('li')
        item.append(link)
        return item
      }),
    )
    list.hidden = properties.length === 0
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(suggest, pauseMs)
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !list.hidden) {
      // The field of a search clears itself on this key.
      event.preventDefault()
      hide()
      input.focus()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || list.hidden) return
    event.preventDefault()
    const stops = [input, ...list.querySelectorAll('a')]
    stops[stops.indexOf(document.activeElement as HTMLInputElement) + step]?.focus()
  })
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget as Node | null)) hide()
  })
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-find]')) startFind(form)
