// From a filled-in form to the request it stands for. Pure, so that the page can write the same call.

export interface FieldValue {
  name: string
  place: 'path' | 'query' | 'body'
  type: 'string' | 'number' | 'boolean' | 'list'
  /** As typed; an empty one counts as absent. */
  text: string
}

export interface FormRequest {
  url: string
  body?: Record<string, unknown>
  /** Path fields left empty: without them there is no address to call. */
  missing: string[]
}

export const requestOf = (method: string, base: string, path: string, fields: readonly FieldValue[]): FormRequest => {
  const given = fields.filter(({ text }) => text !== '')
  const missing: string[] = []
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const field = given.find((each) => each.place === 'path' && each.name === name)
    if (!field) missing.push(name)
    return field ? encodeURIComponent(field.text) : whole
  })
  const query = new URLSearchParams(
    given.filter(({ place }) => place === 'query').map(({ name, text }) => [name, text] as [string, string]),
  ).toString()
  const inBody = given.filter(({ place }) => place === 'body')
  return {
    url: `${base}${filled}${query ? `?${query}` : ''}`,
    body:
      method === 'POST' && fields.some(({ place }) => place === 'body')
        ? Object.fromEntries(inBody.map((field) => [field.name, typed(field)]))
        : undefined,
    missing,
  }
}

/** What cannot be read as its type goes as it is: the API's own answer says best what is wrong with it. */
const typed = ({ type, text }: FieldValue): unknown => {
  if (type === 'list') return text.split(',')
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  return text
}
