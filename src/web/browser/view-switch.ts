// On a phone a page shows its list or its map; a switch changes between them, and the URL keeps the choice.

interface ViewSwitch {
  /** The view in the URL. */
  view: string | null
  /** Called with `undefined` for the list, which is the default. */
  onChange(view: 'map' | undefined): void
  /** Called when the map may have become visible. */
  onShow(): void
}

export const startViews = ({ view, onChange, onShow }: ViewSwitch): void => {
  const page = document.querySelector<HTMLElement>('[data-explore]')
  const switcher = document.querySelector<HTMLElement>('[data-views]')
  if (!switcher || !page) return
  switcher.hidden = false
  const show = (shown: string) => {
    page.dataset.view = shown
    for (const button of switcher.querySelectorAll<HTMLElement>('[data-view]'))
      button.setAttribute('aria-pressed', String(button.dataset.view === shown))
    onShow()
  }
  show(view === 'map' ? 'map' : 'list')
  switcher.addEventListener('click', ({ target }) => {
    const chosen = (target as HTMLElement).dataset.view
    if (!chosen) return
    onChange(chosen === 'map' ? 'map' : undefined)
    show(chosen)
  })
  matchMedia('(max-width: 60rem)').addEventListener('change', onShow)
}
