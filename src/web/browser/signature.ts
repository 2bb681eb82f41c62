// The signature checker on the webhooks page. It runs in the browser and sends nothing.

const signatureOf = async (secret: string, body: string): Promise<string> => {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(body)))
  return `sha256=${[...mac].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const form = document.querySelector<HTMLFormElement>('[data-signature]')
const result = form?.querySelector<HTMLOutputElement>('[data-result]')
const button = form?.querySelector('button')
if (form && result && button) {
  button.disabled = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const fields = new FormData(form)
    const given = String(fields.get('signature')).trim()
    if (!crypto.subtle) {
      result.textContent = 'This browser computes signatures only on pages served over HTTPS.'
      return
    }
    const expected = await signatureOf(
      String(fields.get('secret')).trim(),
      String(fields.get('body')).replaceAll('\r\n', '\n'),
    )
    result.className = expected === given ? 'valid' : 'invalid'
    result.textContent =
      expected === given ? 'The signature is valid.' : `The signature does not match. Expected ${expected}`
  })
}
