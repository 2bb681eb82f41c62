// Structured logs without keys: `apiKey` is removed from URLs, and every line is searched for keys before it is written.
import { type DestinationStream, type Logger, pino } from 'pino'

export const openLogger = (level: string, out: DestinationStream = process.stdout): Logger =>
  pino(
    {
      level,
      base: undefined,
      redact: {
        paths: [
          'req.headers',
          'err.client',
          'headers["x-api-key"]',
          'headers.authorization',
          '*.apiKey',
          '*.signingSecret',
          '*.secret',
        ],
        remove: true,
      },
      serializers: {
        req: (request: { method: string; url: string; id: string }) => ({
          id: request.id,
          method: request.method,
          url: redactedUrl(request.url),
        }),
      },
    },
    { write: (line: string) => void out.write(redactSecrets(line)) },
  )

/** A key or a signing secret. Two keys in one path are two matches: the letters of a key include no separator. */
const keyLike = /ll_(?:free|pro)_[0-9a-z]+|whsec_[0-9a-z+/=]+/gi

/** A part of a text, for example a URL. Quotes and spaces end it, so that a log line stays valid JSON without it. */
const part = /[^\s"\\]+/g

const redacted = (secret: string): string => `${/^(?:ll_(?:free|pro)_|whsec_)/i.exec(secret)![0]}[redacted]`

/** The text without keys, also percent-encoded ones: a part that contains an encoded key is removed completely. */
export const redactSecrets = (text: string): string =>
  (text.includes('%') ? text.replace(part, (each) => (hidesKey(each) ? '[redacted]' : each)) : text).replace(
    keyLike,
    redacted,
  )

const hidesKey = (text: string): boolean =>
  text.includes('%') && decoded(text.replace(keyLike, '')).search(keyLike) >= 0

/** No identifier in our URLs has this many letters and digits in a row; half a key has. */
const longRun = /[0-9a-z]{24,}/gi

/** The URL without the value of apiKey, in any spelling of the name, and without anything else that may be part of a key. */
export const redactedUrl = (url: string): string => {
  if (!url.includes('?')) return withoutKey(url)
  const [path, query] = url.split(/\?(.*)/s)
  const pairs = query!.split('&').map((pair) => {
    const name = pair.split('=', 1)[0]!
    return /^api[-_]?key/i.test(decoded(name)) ? `${withoutKey(name)}=[redacted]` : withoutKey(pair)
  })
  return `${withoutKey(path!)}?${pairs.join('&')}`
}

/** A text that only shows its key once decoded is logged decoded. */
const withoutKey = (text: string): string => {
  const plain = decoded(text)
  const clean = plain.replace(keyLike, redacted).replace(longRun, '[redacted]')
  return clean === plain ? text : clean
}

/**
 * Decodes every valid percent-encoding and skips invalid ones, until nothing is left to decode: proxies may encode a text more
 * than once. A text that is encoded more often than any proxy would is taken for a hidden key.
 */
const decoded = (text: string): string => {
  for (let rounds = 0; rounds < maxRounds; rounds++) {
    const next = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (next === text) return text
    text = next
  }
  return 'll_pro_'.concat('0'.repeat(36))
}

const maxRounds = 10
