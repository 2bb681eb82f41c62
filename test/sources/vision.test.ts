import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { VisionResult } from '../../src/sources/vision.ts'
import {
  createVision,
  photoHash,
  type VisionCache,
  type VisionPhoto,
  type VisionSettings,
} from '../../src/sources/vision.ts'

const key = 'vk-secret-4711'
const photo = (text = 'a kitchen'): VisionPhoto => ({ bytes: Buffer.from(text), mediaType: 'image/jpeg' })

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type Reply = (response: ServerResponse, request: IncomingMessage, body: string) => void

/** A model server that sends the replies in order and then repeats the last one. */
const modelServer = async (...replies: Reply[]) => {
  const asked: { path: string; authorization?: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
    replies[Math.min(asked.length, replies.length) - 1]!(response, request, body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

const says =
  (content: string, usage?: object): Reply =>
  (response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }], usage }))
  }
const good = says('{"condition":"C4","analysis":"Dated kitchen, worn carpet."}')
const status =
  (code: number, body = 'no', headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(code, headers)
    response.end(body)
  }

const memory = (): VisionCache & { kept: Map<string, VisionResult> } => {
  const kept = new Map<string, VisionResult>()
  return { kept, get: async (hash) => kept.get(hash), put: async (hash, result) => void kept.set(hash, result) }
}

const open = (url: string, settings: VisionSettings = {}, cache = memory()) => {
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  return { vision: createVision({ url, key, model: 'eye-1', sleep, ...settings }, cache), waits, cache }
}

describe('the vision client', () => {
  test('sends the photos with the key and returns the grade and the analysis', async () => {
    const { asked, url } = await modelServer(good)
    const { vision } = open(url)
    expect(await vision.analyze([photo(), photo('a roof')])).toEqual({
      kind: 'analyzed',
      cached: false,
      result: { condition: 'C4', analysis: 'Dated kitchen, worn carpet.', model: 'eye-1' },
    })
    expect(asked[0]!.path).toBe('/v1/chat/completions')
    expect(asked[0]!.authorization).toBe(`Bearer ${key}`)
    const sent = JSON.parse(asked[0]!.body)
    const images = sent.messages[1].content.filter((part: { type: string }) => part.type === 'image_url')
    expect(images.map((image: { image_url: { url: string } }) => image.image_url.url)).toEqual([
      `data:image/jpeg;base64,${Buffer.from('a kitchen').toString('base64')}`,
      `data:image/jpeg;base64,${Buffer.from('a roof').toString('base64')}`,
    ])
  })

  test('the same photos are sent once, in any order and also concurrently', async () => {
    const { asked, url } = await modelServer(good)
    const { vision } = open(url)
    await Promise.all([vision.analyze([photo(), photo('b')]), vision.analyze([photo(), photo('b')])])
    const again = await vision.analyze([photo('b'), photo()])
    expect(again).toMatchObject({ kind: 'analyzed', cached: true })
    expect(asked).toHaveLength(1)
    expect(photoHash([photo()], 'eye-1')).not.toBe(photoHash([photo()], 'eye-2'))
  })

  test('without a configuration it names the variable to set and sends no request', async () => {
    const outcome = await createVision({}, memory()).analyze([photo()])
    expect(outcome).toMatchObject({ kind: 'not_configured', message: expect.stringContaining('VISION_URL') })
  })

  test('a run stops at its spend cap, also with concurrent calls', async () => {
    const { asked, url } = await modelServer(good)
    const { vision } = open(url, { maxSpendUsd: 0.025, usdPerCall: 0.01 })
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => vision.analyze([photo(text)])))
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(['analyzed', 'analyzed', 'capped', 'capped'])
    expect(asked).toHaveLength(2)
    expect(vision.spent()).toBe(0.02)
  })

  test('a reply in a code fence is parsed', async () => {
    const { url } = await modelServer(says('```json\n{"condition":"C1","analysis":"Just built."}\n```'))
    expect(await open(url).vision.analyze([photo()])).toMatchObject({ kind: 'analyzed', result: { condition: 'C1' } })
  })

  test.each([
    ['prose', 'The house looks fine.'],
    ['an unknown grade', '{"condition":"C7","analysis":"x"}'],
    ['no analysis', '{"condition":"C3"}'],
    ['a list', '["C3"]'],
    ['null', 'null'],
  ])('%s is rejected after the maximum of attempts, and nothing is cached', async (_, content) => {
    const { asked, url } = await modelServer(says(content))
    const { vision, cache } = open(url)
    expect(await vision.analyze([photo()])).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('3 tries'),
    })
    expect(asked).toHaveLength(3)
    expect(cache.kept.size).toBe(0)
  })

  test('a 429 is retried after its Retry-After', async () => {
    const { url } = await modelServer(status(429, 'slow down', { 'retry-after': '7' }), status(503), good)
    const { vision, waits } = open(url)
    expect(await vision.analyze([photo()])).toMatchObject({ kind: 'analyzed' })
    expect(waits).toEqual([7000, 2000])
  })

  test('a Retry-After of a day fails without a retry', async () => {
    const { asked, url } = await modelServer(status(429, 'tomorrow', { 'retry-after': '86400' }))
    expect(await open(url).vision.analyze([photo()])).toMatchObject({ kind: 'failed' })
    expect(asked).toHaveLength(1)
  })

  test('a rejected key is not retried and not shown, even when the server echoes it', async () => {
    const { asked, url } = await modelServer(status(401, `bad key ${key}`))
    const outcome = await open(url).vision.analyze([photo()])
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('401') })
    expect(JSON.stringify(outcome)).not.toContain(key)
    expect(asked).toHaveLength(1)
  })

  test('a server that does not respond times out', async () => {
    const { url } = await modelServer(() => {})
    const outcome = await open(url, { timeoutMs: 50, attempts: 2 }).vision.analyze([photo()])
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('did not respond within 50 ms') })
  })

  test('a reply over the size limit is cut off', async () => {
    const { asked, url } = await modelServer((response) => response.end('x'.repeat(300_000)))
    const outcome = await open(url).vision.analyze([photo()])
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('more than 262144 bytes') })
    expect(asked).toHaveLength(1)
  })

  test('a redirect is not followed, so the key and photos are not sent elsewhere', async () => {
    const other = await modelServer(good)
    const { url } = await modelServer(status(307, '', { location: `${other.url}/chat/completions` }))
    expect(await open(url, { attempts: 1 }).vision.analyze([photo()])).toMatchObject({ kind: 'failed' })
    expect(other.asked).toHaveLength(0)
  })

  test('oversized and empty photos are skipped, and having none left is reported', async () => {
    const { asked, url } = await modelServer(good)
    const { vision } = open(url, { maxPhotoBytes: 10 })
    expect(await vision.analyze([photo('far too large a photo'), photo('')])).toMatchObject({ kind: 'no_photos' })
    await vision.analyze([photo('far too large a photo'), photo('small')])
    expect(JSON.parse(asked[0]!.body).messages[1].content).toHaveLength(2)
  })
})
