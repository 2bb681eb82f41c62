// Share and Print, on pages that have them.

const share = async (button: HTMLButtonElement): Promise<void> => {
  if (navigator.share) return navigator.share({ title: document.title, url: location.href }).catch(() => undefined)
  const words = button.textContent
  // Browsers block the clipboard on pages without TLS.
  try {
    await navigator.clipboard.writeText(location.href)
    button.textContent = 'Link copied'
  } catch {
    button.textContent = 'Copy the URL of this page'
  }
  setTimeout(() => {
    button.textContent = words
  }, 2_000)
}

/** On the document, because lists are loaded again. */
export const startPageActions = (): void => {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('[data-share-page], [data-print]')
    if (button) 'print' in button.dataset ? print() : void share(button)
  })
}

/** Printed pages show their URL, which follows the changes of a visitor. */
export const showUrl = (url: URL): void => {
  history.replaceState(null, '', url)
  const printed = document.querySelector('[data-page-url]')
  if (printed) printed.textContent = `${url.origin}${url.pathname}${url.search}`
}
