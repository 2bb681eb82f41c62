// Tabs by the ARIA authoring practices: arrows move, one tab stop, panels follow.

export function startTabs(list: HTMLElement): void {
  const tabs = [...list.querySelectorAll<HTMLButtonElement>('[role=tab]')]
  const choose = (chosen: HTMLButtonElement, focus: boolean) => {
    for (const tab of tabs) {
      const on = tab === chosen
      tab.setAttribute('aria-selected', String(on))
      tab.tabIndex = on ? 0 : -1
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
      if (panel) panel.hidden = !on
    }
    if (focus) chosen.focus()
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(tab, false))
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      const next = step && tabs[(index + step + tabs.length) % tabs.length]
      if (next) choose(next, true)
    })
  }
}
