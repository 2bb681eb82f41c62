// The signature checker of the webhooks page. Nothing leaves the page.

const form = document.querySelector<HTMLFormElement>('[data-signature]')
const verdict = form?.querySelector<HTMLOutputElement>('[data-verdict]')
const button = form?.querySelector('button')
if (form && verdict && button) {
  button.disabled = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const fields = new FormData(form)
    const given = String(fields.get('signature')).trim()
    if (!crypto.subtle) {
      verdict.textContent = 'This browser only computes signatures on secure pages.'
      return
    }
    const expected = await signatureOf(
      String(fields.get('secret')).trim(),
      String(fields.get('body')).replaceAll('\r\n', '\n'),
    )
    verdict.className = expected === given ? 'right' : 'wrong'
    verdict.textContent = expected === given ? 'The signature is right.' : `It does not match. It would be ${expected}`
  })
}

async function signatureOf(secret: string, body: string): Promise<string> {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(body)))
  return `sha256=${[...mac].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
