// Text from feeds is data that anyone may have written. What a reader cannot see is taken out, long text is cut,
// and in tables nothing is left that could pass for markup.

/** Code points a permit description has room for; the rest stands behind its permitUrl. */
export const maxTextLength = 400

const maxArrayLength = 200
const maxDepth = 8

// CSI and OSC sequences go whole: without the escape character their letters would stay behind as noise.
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
const terminalSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// Control, format (zero-width, bidi, tags), private-use and lone surrogates; then whatever else draws nothing (fillers,
// joiners, variation selectors), and the blank Braille cell that passes for a space.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

export const cleanText = (text: string, maxLength = maxTextLength): string => {
  // Beyond this nothing can survive the cut, and regular expressions need not see it.
  const seen = text.length > maxLength * 8 ? text.slice(0, maxLength * 8) : text
  const clean = seen.replace(terminalSequences, '').replace(/\s+/g, ' ').replace(invisible, '').trim()
  if (clean.length <= maxLength) return clean
  const points = [...clean]
  return points.length <= maxLength ? clean : `${points.slice(0, maxLength - 1).join('')}…`
}

/** Every string and name in a value from the service, cleaned; its shape stays. */
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

/** A cell of a table: no markup, no link, no cell border of its own. */
export const cellText = (text: string, maxLength = 80): string =>
  cleanText(text, maxLength).replace(/[|<>`[\]#]/g, (character) => lookalikes[character]!)

/** The same value with every secret in it blotted out. The word "demo" is no secret. */
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
