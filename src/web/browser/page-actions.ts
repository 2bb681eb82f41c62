// Share and Print, on pages that have them.

const share = async (button: HTMLButtonElement): Promise<void> => {
  if (navigator.share) return navigator.share({ title: document.title, url: location.href }).catch(() => undefined)
  await navigator.clipboard.writeText(location.href)
  const words = button.textContent
  button.textContent = 'Link copied'
  setTimeout(() => {
    button.textContent = words
  }, 2_000)
}

export const startPageActions = (): void => {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share-page]')) {
    button.hidden = false
    button.addEventListener('click', () => void share(button))
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
    button.hidden = false
    button.addEventListener('click', () => print())
  }
}

/** Printed pages show their URL, which follows the changes of a visitor. */
export const showUrl = (url: URL): void => {
  history.replaceState(null, '', url)
  const printed = document.querySelector('[data-page-url]')
  if (printed) printed.textContent = `${url.origin}${url.pathname}${url.search}`
}
