// Pages with a list and a map of it: leads, permits, comparable sales. The map code is loaded when the map comes into view.
import { startViews } from './view-switch.ts'

const open = async (holder: HTMLElement): Promise<void> => {
  const { openPlacesMap } = await import('./places-map.ts')
  await openPlacesMap(holder)
}

const holders = [...document.querySelectorAll<HTMLElement>('[data-places]')]

// The observer ignores hidden elements, so on a phone the map starts after the switch to it.
const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      observer.unobserve(target)
      void open(target as HTMLElement)
    }
  },
  { rootMargin: '200px' },
)
for (const holder of holders) if (!holder.querySelector('[data-open-map]')) observer.observe(holder)

// The home page shows a drawing and loads the map when its button is pressed, so that the page stays small.
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-open-map]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    button.remove()
    void open(holders.find((holder) => holder.dataset.places === button.dataset.openMap)!)
  })
}

startViews({
  view: new URLSearchParams(location.search).get('view'),
  onChange: (view) => {
    const url = new URL(location.href)
    if (view) url.searchParams.set('view', view)
    else url.searchParams.delete('view')
    history.replaceState(null, '', url)
  },
  onShow: () => {},
})
