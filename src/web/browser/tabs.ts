// Tabs that follow the ARIA authoring practices: arrow keys select, and only the selected tab is in the tab order.

export const startTabs = (list: HTMLElement): void => {
  const tabs = [...list.querySelectorAll<HTMLButtonElement>('[role=tab]')]
  const select = (selected: HTMLButtonElement, focus: boolean) => {
    for (const tab of tabs) {
      const on = tab === selected
      tab.setAttribute('aria-selected', String(on))
      tab.tabIndex = on ? 0 : -1
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
      if (panel) panel.hidden = !on
    }
    if (focus) selected.focus()
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => select(tab, false))
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      const next = step && tabs[(index + step + tabs.length) % tabs.length]
      if (next) select(next, true)
    })
  }
}
