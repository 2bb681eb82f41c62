// A list written as text: "a, b".

export const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

/** A list of texts may be given as in a URL. Every other value stays as it is. */
export const listFromText = (schema: { type?: string; items?: { type?: string } }, value: unknown): unknown =>
  schema.type === 'array' && schema.items?.type === 'string' && typeof value === 'string'
    ? commaSeparated(value)
    : value
