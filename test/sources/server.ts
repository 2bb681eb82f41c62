// A feed server on a free port whose responses the test defines.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createHttp, type HttpOptions } from '../../src/sources/http.ts'
import type { RawRow, ReadContext, Reading } from '../../src/sources/source.ts'

export interface Asked {
  url: URL
  headers: IncomingMessage['headers']
}

export const feedServer = async (answer: (asked: Asked, response: ServerResponse, nth: number) => void) => {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const each = { url: new URL(request.url ?? '/', 'http://localhost'), headers: request.headers }
    asked.push(each)
    answer(each, response, asked.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url, asked }
}

export const json = (response: ServerResponse, body: unknown, status = 200, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** A read context that records the waits between attempts instead of waiting. */
export const context = (given: Partial<ReadContext> = {}, options: HttpOptions = {}) => {
  const waits: number[] = []
  const http = createHttp({ sleep: async (ms) => waits.push(ms), ...options })
  onTestFinished(() => http.close())
  return { http, folder: '/nowhere', now: new Date('2026-11-15T12:00:00Z'), ...given, waits }
}

export const readAll = async (reading: Reading): Promise<RawRow[]> => {
  const rows: RawRow[] = []
  for await (const page of reading.pages) rows.push(...page)
  return rows
}
