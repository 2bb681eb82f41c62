// Sends the request of the playground form and shows the response.
import { isRecord, parsedJson } from '../../common/typed.ts'
import { codeSample, type Language } from './code-samples.ts'
import { element } from './element.ts'
import { type FieldValue, requestOf } from './request-of.ts'
import { copyText } from './site.ts'

const responseTable = (body: unknown): HTMLElement => {
  const rows = rowsOf(body)
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0) return element('p', {}, 'This response cannot be shown as a table.')
  const cell = (value: unknown) =>
    element('td', { className: typeof value === 'number' ? 'num' : '' }, value === undefined ? '' : String(value))
  const head = element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, column)))
  const lines = rows.map((row) => element('tr', {}, ...columns.map((column) => cell(row[column]))))
  return element('table', { className: 'data' }, element('thead', {}, head), element('tbody', {}, ...lines))
}

type Row = Record<string, unknown>

const rowsOf = (body: unknown): Row[] => {
  const data = isRecord(body) && 'data' in body ? body.data : body
  return (Array.isArray(data) ? data : [data]).filter(isRecord).map((item) => flatten(item))
}

/** Nested objects become dotted columns; a list of objects becomes its length. */
const flatten = (item: Row, prefix = ''): Row =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => {
      const path = `${prefix}${name}`
      if (Array.isArray(value))
        return [[path, value.every((each) => typeof each !== 'object') ? value.join(', ') : `${value.length} items`]]
      if (isRecord(value)) return Object.entries(flatten(value, `${path}.`))
      return [[path, value]]
    }),
  )

// Tabs that follow the ARIA authoring practices: arrow keys select, and only the selected tab is in the tab order.
const startTabs = (list: HTMLElement): void => {
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

/** Session storage belongs to one tab and is cleared when the tab closes. */
const keySlot = 'lotline-key'

const start = (form: HTMLFormElement): void => {
  const { method = 'GET', path = '', base = '', access = 'key', op = '' } = form.dataset
  const ownKey = form.querySelector<HTMLInputElement>('[data-own-key]')
  const choice = (value: string) => form.querySelector<HTMLInputElement>(`[name=lotline-key][value=${value}]`)
  const storedKey = sessionStorage.getItem(keySlot)
  if (ownKey && storedKey) {
    ownKey.value = storedKey
    choice('own')!.checked = true
  }
  ownKey?.addEventListener('input', () => {
    sessionStorage.setItem(keySlot, ownKey.value.trim())
    choice('own')!.checked = true
  })
  const usesOwnKey = () => choice('own')?.checked === true
  const currentKey = () => (access === 'open' ? undefined : usesOwnKey() ? (ownKey?.value.trim() ?? '') : 'demo')
  const currentRequest = () => requestOf(method, `${location.origin}${base}`, path, fieldsOf(form))

  const showSamples = () => {
    const { url, body } = currentRequest()
    // The user's own key is not put into code that may be copied and shared.
    const key = usesOwnKey() ? 'YOUR_KEY' : currentKey()
    for (const sample of document.querySelectorAll<HTMLElement>('[data-sample]'))
      sample.textContent = codeSample(sample.dataset.sample as Language, { method, url, key, body })
  }
  form.addEventListener('input', showSamples)
  showSamples()

  const share = form.querySelector<HTMLButtonElement>('[data-share]')!
  share.disabled = false
  share.addEventListener('click', () => {
    const query = new URLSearchParams({ op })
    for (const { name, text } of fieldsOf(form)) if (text !== '') query.set(name, text)
    history.replaceState(null, '', `/playground?${query}`)
    void copyText(share, location.href)
  })

  const send = form.querySelector<HTMLButtonElement>('.send button')!
  send.disabled = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { url, body, missing } = currentRequest()
    if (missing.length > 0) return
    send.disabled = true
    try {
      const key = currentKey()
      const sentAt = performance.now()
      const response = await fetch(url, {
        method,
        headers: {
          'x-lotline-client': 'playground',
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        body: body && JSON.stringify(body),
        cache: 'no-store',
      })
      const text = await response.text()
      showResponse(response, text, performance.now() - sentAt)
    } catch {
      showFailure('The service could not be reached. Check your connection and try again.')
    } finally {
      send.disabled = false
      // On a phone the response is below the form.
      const status = document.querySelector('[data-status]')!
      if (status.getBoundingClientRect().top > innerHeight / 2) status.scrollIntoView()
    }
  })
}

const fieldsOf = (form: HTMLFormElement): FieldValue[] => {
  const single = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-type]')].map((input) => ({
    name: input.name,
    location: input.dataset.location as FieldValue['location'],
    type: input.dataset.type as FieldValue['type'],
    text: input.value.trim(),
  }))
  const lists = [...form.querySelectorAll<HTMLElement>('[data-list]')].map((group) => ({
    name: group.dataset.list ?? '',
    location: group.dataset.location as FieldValue['location'],
    type: 'list' as const,
    text: [...group.querySelectorAll<HTMLInputElement>('input:checked')].map((input) => input.value).join(','),
  }))
  return [...single, ...lists]
}

const showResponse = (response: Response, text: string, tookMs: number): void => {
  const body = parsedJson(text)
  const remaining = response.headers.get('x-ratelimit-remaining')
  const limit = response.headers.get('x-ratelimit-limit')
  const quota = remaining === null ? '' : ` · ${remaining} of ${limit} requests left`
  showStatus(`${response.status} ${response.ok ? 'OK' : 'Error'} · ${Math.round(tookMs)} ms${quota}`, response.ok)
  document.querySelector('[data-json]')!.textContent = body === undefined ? text : JSON.stringify(body, null, 2)
  document.querySelector('[data-table]')!.replaceChildren(responseTable(body))
  document
    .querySelector('[data-headers]')!
    .replaceChildren(
      ...[...response.headers].map(([name, value]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, value)),
      ),
    )
}

const showFailure = (text: string): void => {
  showStatus(text, false)
  document.querySelector('[data-json]')!.textContent = ''
  document.querySelector('[data-table]')!.replaceChildren()
  document.querySelector('[data-headers]')!.replaceChildren()
}

const showStatus = (text: string, ok: boolean): void => {
  document.querySelector<HTMLElement>('[data-response]')!.hidden = false
  const status = document.querySelector<HTMLElement>('[data-status]')!
  status.textContent = text
  status.className = `status ${ok ? 'ok' : 'failed'}`
}

for (const list of document.querySelectorAll<HTMLElement>('[role=tablist]')) startTabs(list)
const callForm = document.querySelector<HTMLFormElement>('[data-call]')
if (callForm) start(callForm)
