// Sends one request to the service under test, as an outside client would.
import type { InjectOptions } from 'fastify'
import type { Service } from './service.ts'

export interface Answer {
  status: number
  headers: Record<string, string | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests read any response
  body: any
  text: string
}

export interface Asking {
  key?: string
  method?: InjectOptions['method']
  headers?: Record<string, string>
  body?: unknown
  /** The request body, sent without JSON encoding. */
  raw?: string
  ip?: string
}

export const ask = async (service: Pick<Service, 'app'>, path: string, asking: Asking = {}): Promise<Answer> => {
  const { key, headers = {}, body, raw, ip, method = body === undefined && raw === undefined ? 'GET' : 'POST' } = asking
  const response = await service.app.inject({
    method,
    url: path.startsWith('/v1') ? `/api${path}` : path,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined && raw === undefined ? {} : { payload: raw ?? JSON.stringify(body) }),
    ...(ip ? { remoteAddress: ip } : {}),
  })
  const text = response.body
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = undefined
  }
  return { status: response.statusCode, headers: response.headers as Answer['headers'], body: parsed, text }
}
