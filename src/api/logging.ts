// Structured logs without keys: `apiKey` is removed from URLs, and every line is searched for keys before it is written.
import { type DestinationStream, type Logger, pino } from 'pino'

export const openLogger = (level: string, out: DestinationStream = process.stdout): Logger =>
  pino(
    {
      level,
      base: undefined,
      redact: {
        paths: ['req.headers', 'headers["x-api-key"]', '*.apiKey', '*.signingSecret', '*.secret'],
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
    { write: (line: string) => void out.write(scrubbed(line)) },
  )

/** Anything that looks like one of our keys or secrets, also percent-encoded. */
const keyLike = /(ll(?:_|%5f)(?:free|pro)(?:_|%5f)|whsec(?:_|%5f))[0-9a-z%+/=]+/gi

export const scrubbed = (text: string): string => text.replace(keyLike, '$1[redacted]')

/** The URL without the value of apiKey, in any spelling of the name, and without a key anywhere else in it. */
export const redactedUrl = (url: string): string => {
  const mark = url.indexOf('?')
  if (mark < 0) return withoutKey(url)
  const pairs = url
    .slice(mark + 1)
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0]!
      return /^api[-_]?key/i.test(decoded(name)) ? `${withoutKey(name)}=[redacted]` : withoutKey(pair)
    })
  return `${withoutKey(url.slice(0, mark))}?${pairs.join('&')}`
}

/** A key may be percent-encoded: then only the decoded text shows it. */
const withoutKey = (text: string): string => {
  if (!text.includes('%')) return scrubbed(text)
  const plain = decoded(text)
  const clean = scrubbed(plain)
  return clean === plain ? text : clean
}

/** A text may be encoded more than once on its way through proxies. */
const decoded = (text: string): string => {
  for (let i = 0, last = ''; i < 3 && text !== last; i++) {
    last = text
    try {
      text = decodeURIComponent(text)
    } catch {
      return last
    }
  }
  return text
}
