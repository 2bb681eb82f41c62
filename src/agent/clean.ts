// Cleans text from feeds, which anyone may have written: removes invisible characters, truncates long text, and escapes markup in
// tables.

/** Maximum code points of a permit description. The full text is at its permitUrl. */
const maxTextLength = 400

const maxArrayLength = 200
const maxDepth = 8

// CSI and OSC sequences are removed completely: without the escape character, their letters would remain.
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
const terminalSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// Control, format (zero-width, bidi, tags), private-use and lone surrogates; then whatever else draws nothing (fillers,
// joiners, variation selectors), and the blank Braille cell that passes for a space.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

export const cleanText = (text: string, maxLength = maxTextLength): string => {
  // Truncated first, so that the regular expressions do not process text that is cut anyway.
  const seen = text.length > maxLength * 8 ? text.slice(0, maxLength * 8) : text
  const clean = seen.replace(terminalSequences, '').replace(/\s+/g, ' ').replace(invisible, '').trim()
  if (clean.length <= maxLength) return clean
  const points = [...clean]
  return points.length <= maxLength ? clean : `${points.slice(0, maxLength - 1).join('')}…`
}

/** Cleans every string and field name of a value and keeps its shape. */
export const cleanData = <T>(value: T, maxLength = maxTextLength): T => cleaned(value, maxLength, 0) as T

const cleaned = (value: unknown, maxLength: number, depth: number): unknown => {
  if (typeof value === 'string') return cleanText(value, maxLength)
  if (Array.isArray(value)) {
    if (depth >= maxDepth) return []
    return value.slice(0, maxArrayLength).map((item) => cleaned(item, maxLength, depth + 1))
  }
  if (typeof value === 'object' && value !== null) {
    if (depth >= maxDepth) return {}
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [cleanText(name, 80), cleaned(item, maxLength, depth + 1)]),
    )
  }
  return value
}

const lookalikes: Record<string, string> = { '|': '¦', '<': '‹', '>': '›', '`': 'ʼ', '[': '(', ']': ')', '#': '＃' }

/** Text for a table cell, without markup, links and cell borders. */
export const cellText = (text: string, maxLength = 80): string =>
  cleanText(text, maxLength).replace(/[|<>`[\]#]/g, (character) => lookalikes[character]!)

/** Redacts every secret in a value. The demo key "demo" is not a secret. */
export const withoutSecrets = <T>(value: T, secrets: readonly string[]): T => {
  const hidden = secrets.filter((secret) => secret.length >= 6)
  if (hidden.length === 0) return value
  const blot = (item: unknown): unknown => {
    if (typeof item === 'string') return hidden.reduce((text, secret) => text.replaceAll(secret, '[key]'), item)
    if (Array.isArray(item)) return item.map(blot)
    if (typeof item === 'object' && item !== null)
      return Object.fromEntries(Object.entries(item).map(([name, inner]) => [blot(name), blot(inner)]))
    return item
  }
  return blot(value) as T
}
