// Suggestions below the address boxes. Without JavaScript the form opens the results page.
import { startSuggestions } from './suggestions.ts'

interface Suggestion {
  address: string
  city: string
  url: string
}

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
