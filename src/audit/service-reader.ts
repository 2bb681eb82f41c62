// Reads a service over HTTP at the speed its limits allow: uses the keys in turn and waits as long as Retry-After says.
import { setTimeout as pause } from 'node:timers/promises'
import { OperatorError } from '../common/operator-error.ts'
import { retryAfterSeconds } from '../common/retry-after.ts'

export interface ServiceReader {
  /** The JSON body; undefined where the service has nothing at the path (400, 403 or 404). With `sent`, a POST of it. */
  json(path: string, sent?: Readonly<Record<string, unknown>>): Promise<Body | undefined>
  /** The text of a page without markup; undefined for an error page. */
  page(path: string): Promise<Page | undefined>
  /** What an agent tool answers at /mcp; undefined where the service has no such tool. */
  tool(name: string, args: Readonly<Record<string, unknown>>): Promise<Page | undefined>
}

/** A page of the website, or what an agent tool answers. */
export interface Page {
  readonly text: string
  /** The properties it lists, in order. */
  readonly ids: readonly string[]
}

/** An answer of the API; `data` is checked by the rules. */
interface Body {
  readonly data?: unknown
  readonly asOf?: string
  readonly pagination?: {
    readonly total?: number
    readonly nextOffset?: number | null
    readonly nextCursor?: string | null
  }
}

export class AuditError extends OperatorError {}

const attempts = 40

export const serviceReader = (url: string, keys: readonly string[]): ServiceReader => {
  const base = url.replace(/\/+$/, '').replace(/\/api$/, '')
  let turn = 0
  const read = async (path: string, headers: () => Record<string, string>, body?: string) => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const sent = body === undefined ? {} : { method: 'POST', body }
      const response = await fetch(`${base}${path}`, { ...sent, headers: headers(), redirect: 'error' }).catch(
        (cause: unknown) => {
          throw new AuditError(`${base} cannot be reached. Start the service or correct --url.`, { cause })
        },
      )
      if (response.ok) return response
      await response.body?.cancel()
      if (response.status === 401) throw new AuditError('The service rejects the key. Pass a Pro key with --key.')
      if (response.status !== 429 && response.status !== 503) return undefined
      const seconds = retryAfterSeconds(response.headers.get('retry-after'), Date.now()) ?? 1
      // With several keys the next one may be free at once.
      await pause(attempt < Math.min(3, keys.length - 1) ? 10 : Math.min(60, seconds) * 1000)
    }
    throw new AuditError(`${path} was answered with 429 or 503 ${attempts} times.`)
  }
  return {
    json: async (path, sent) => {
      const type = sent && { 'content-type': 'application/json' }
      const headers = () => ({ ...type, 'x-api-key': keys[turn++ % keys.length]! })
      const response = await read(`/api/v1${path}`, headers, sent && JSON.stringify(sent))
      return response && ((await response.json()) as Body)
    },
    page: async (path) => {
      const response = await read(path, () => ({}))
      return response && pageOf(await response.text())
    },
    tool: async (name, args) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
      const headers = () => ({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-api-key': keys[turn++ % keys.length]!,
      })
      const response = await read('/mcp', headers, JSON.stringify(call))
      return response && toolAnswerOf(await response.text())
    },
  }
}

/** The result of a call: a JSON body, or the data line of an event stream. */
export const toolAnswerOf = (body: string): Page | undefined => {
  const { result } = JSON.parse(body.match(/^data: (.*)$/m)?.[1] ?? body) as {
    result?: {
      isError?: boolean
      content?: { text?: string }[]
      structuredContent?: { items?: { id?: string }[] }
    }
  }
  if (!result || result.isError) return undefined
  return {
    text: (result.content ?? []).flatMap(({ text }) => text ?? []).join('\n'),
    ids: (result.structuredContent?.items ?? []).flatMap(({ id }) => id ?? []),
  }
}

const pageOf = (html: string): Page => {
  const body = html.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, ' ')
  const listed = [...body.matchAll(/<li[^>]*\bdata-id="([^"]+)"/g)].map((match) => match[1]!)
  return { ids: listed, text: unescaped(body.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ') }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)
