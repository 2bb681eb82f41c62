// Turns the fields of a playground form into a request. Used by the server and the browser.

export interface FieldValue {
  name: string
  location: 'path' | 'query' | 'body'
  type: 'string' | 'number' | 'boolean' | 'list'
  /** As typed; an empty field is left out. */
  text: string
}

export const requestOf = (method: string, base: string, path: string, fields: readonly FieldValue[]) => {
  const filledIn = fields.filter(({ text }) => text !== '')
  const missing: string[] = []
  const filledPath = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const field = filledIn.find((each) => each.location === 'path' && each.name === name)
    if (!field) missing.push(name)
    return field ? encodeURIComponent(field.text) : whole
  })
  const query = new URLSearchParams(
    filledIn.filter(({ location }) => location === 'query').map(({ name, text }) => [name, text] as [string, string]),
  ).toString()
  const inBody = filledIn.filter(({ location }) => location === 'body')
  return {
    url: `${base}${filledPath}${query ? `?${query}` : ''}`,
    body:
      (method === 'POST' || method === 'PUT') && fields.some(({ location }) => location === 'body')
        ? Object.fromEntries(inBody.map((field) => [field.name, typed(field)]))
        : undefined,
    /** Path fields that are empty; without them there is no URL to call. */
    missing,
  }
}

/** Text that does not match its type is sent unchanged, so that the API explains the error. */
const typed = ({ type, text }: FieldValue): unknown => {
  if (type === 'list') return text.split(',')
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  return text
}
