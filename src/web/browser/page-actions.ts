// Share and Print, on pages that have them.

/** The URL of the page, or the one that a visitor with own numbers chose. */
const share = async (button: HTMLElement): Promise<void> => {
  const url = button instanceof HTMLAnchorElement ? button.href : location.href
  if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => undefined)
  const words = button.textContent
  // Browsers block the clipboard on pages without TLS.
  try {
    await navigator.clipboard.writeText(url)
    button.textContent = 'Link copied'
  } catch {
    if (url !== location.href) return location.assign(url)
    button.textContent = 'Copy the URL of this page'
  }
  setTimeout(() => {
    button.textContent = words
  }, 2_000)
}

/** On the document, because lists are loaded again. */
export const startPageActions = (): void => {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-share-page], [data-print]')
    if (!button) return
    event.preventDefault()
    'print' in button.dataset ? print() : void share(button)
  })
}

/** Printed pages show their URL, which follows the changes of a visitor. */
export const showUrl = (url: URL): void => {
  history.replaceState(null, '', url)
  const printed = document.querySelector('[data-page-url]')
  if (printed) printed.textContent = `${url.origin}${url.pathname}${url.search}`
}
