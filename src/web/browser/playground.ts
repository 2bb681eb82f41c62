// Sends the form as the call it stands for and shows what came back, refusals and all.
import { answerTable } from './answer-table.ts'
import { codeSample, type Language } from './code-samples.ts'
import { type FieldValue, requestOf } from './request-of.ts'
import { copyText } from './site.ts'
import { startTabs } from './tabs.ts'

/** Of this tab alone: session storage ends with it. */
const keySlot = 'lotline-key'

for (const list of document.querySelectorAll<HTMLElement>('[role=tablist]')) startTabs(list)
const form = document.querySelector<HTMLFormElement>('[data-call]')
if (form) start(form)

function start(call: HTMLFormElement): void {
  const { method = 'GET', path = '', base = '', access = 'key', op = '' } = call.dataset
  const ownKey = call.querySelector<HTMLInputElement>('[data-own-key]')
  const choice = (value: string) => call.querySelector<HTMLInputElement>(`[name=lotline-key][value=${value}]`)
  const kept = sessionStorage.getItem(keySlot)
  if (ownKey && kept) {
    ownKey.value = kept
    choice('own')!.checked = true
  }
  ownKey?.addEventListener('input', () => {
    sessionStorage.setItem(keySlot, ownKey.value.trim())
    choice('own')!.checked = true
  })
  const usesOwn = () => choice('own')?.checked === true
  const keyUsed = () => (access === 'open' ? undefined : usesOwn() ? (ownKey?.value.trim() ?? '') : 'demo')
  const request = () => requestOf(method, `${location.origin}${base}`, path, fieldsOf(call))

  const showSamples = () => {
    const { url, body } = request()
    // A key of one's own is not written into code that may be copied about.
    const key = usesOwn() ? 'YOUR_KEY' : keyUsed()
    for (const sample of document.querySelectorAll<HTMLElement>('[data-sample]'))
      sample.textContent = codeSample(sample.dataset.sample as Language, { method, url, key, body })
  }
  call.addEventListener('input', showSamples)
  showSamples()

  const share = call.querySelector<HTMLButtonElement>('[data-share]')!
  share.disabled = false
  share.addEventListener('click', () => {
    const query = new URLSearchParams({ op })
    for (const { name, text } of fieldsOf(call)) if (text !== '') query.set(name, text)
    history.replaceState(null, '', `/playground?${query}`)
    copyText(share, location.href)
  })

  const send = call.querySelector<HTMLButtonElement>('.send button')!
  send.disabled = false
  call.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { url, body, missing } = request()
    if (missing.length > 0) return
    send.disabled = true
    try {
      const key = keyUsed()
      const began = performance.now()
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
      showAnswer(response, text, performance.now() - began)
    } catch {
      showFailure('No answer: the service could not be reached.')
    } finally {
      send.disabled = false
    }
  })
}

function fieldsOf(call: HTMLFormElement): FieldValue[] {
  const single = [...call.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-type]')].map((input) => ({
    name: input.name,
    place: input.dataset.place as FieldValue['place'],
    type: input.dataset.type as FieldValue['type'],
    text: input.value.trim(),
  }))
  const lists = [...call.querySelectorAll<HTMLElement>('[data-list]')].map((group) => ({
    name: group.dataset.list ?? '',
    place: group.dataset.place as FieldValue['place'],
    type: 'list' as const,
    text: [...group.querySelectorAll<HTMLInputElement>('input:checked')].map((input) => input.value).join(','),
  }))
  return [...single, ...lists]
}

function showAnswer(response: Response, text: string, tookMs: number): void {
  const answer = parsed(text)
  const remaining = response.headers.get('x-ratelimit-remaining')
  const limit = response.headers.get('x-ratelimit-limit')
  const quota = remaining === null ? '' : ` · ${remaining} of ${limit} left`
  showStatus(`${response.status} ${response.ok ? 'OK' : 'refused'} · ${Math.round(tookMs)} ms${quota}`, response.ok)
  document.querySelector('[data-json]')!.textContent = answer === undefined ? text : JSON.stringify(answer, null, 2)
  document.querySelector('[data-table]')!.replaceChildren(answerTable(answer))
  document.querySelector('[data-headers]')!.replaceChildren(
    ...[...response.headers].map(([name, value]) => {
      const row = document.createElement('div')
      row.append(
        Object.assign(document.createElement('dt'), { textContent: name }),
        Object.assign(document.createElement('dd'), { textContent: value }),
      )
      return row
    }),
  )
}

function showFailure(text: string): void {
  showStatus(text, false)
  document.querySelector('[data-json]')!.textContent = ''
  document.querySelector('[data-table]')!.replaceChildren()
  document.querySelector('[data-headers]')!.replaceChildren()
}

function showStatus(text: string, fine: boolean): void {
  document.querySelector<HTMLElement>('[data-answer]')!.hidden = false
  const status = document.querySelector<HTMLElement>('[data-status]')!
  status.textContent = text
  status.className = `status ${fine ? 'fine' : 'refused'}`
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
