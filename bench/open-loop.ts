// Requests at a fixed rate, sent when they are due whether or not earlier ones were answered, from a process of its own.
// Told what to send by message; answers with what became of each.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'

export interface OpenLoad {
  url: string
  paths: string[]
  keys: string[]
  perSecond: number
  seconds: number
}

/** `[status, milliseconds]` of each; status 0 where the connection failed. */
export type Outcome = [status: number, ms: number]

const { url, paths, keys, perSecond, seconds } = JSON.parse(readFileSync(0, 'utf8')) as OpenLoad
const agent = new Agent({ connections: 400, pipelining: 1 })
// Opened before the clock starts: what is measured is requests, not the opening of connections.
for (let open = 20; open <= 400; open += 20)
  await Promise.all(
    Array.from({ length: open }, async () => (await request(`${url}/healthz`, { dispatcher: agent })).body.dump()),
  )
const outcomes: Outcome[] = []
const total = perSecond * seconds
const begun = performance.now()
let sent = 0
let withoutRetryAfter = 0

const send = async (n: number) => {
  const due = performance.now()
  try {
    const { statusCode, body, headers } = await request(`${url}${paths[n % paths.length]}`, {
      dispatcher: agent,
      headers: { 'x-api-key': keys[n % keys.length]! },
    })
    await body.dump({ limit: 1e9 })
    if (statusCode === 503 && headers['retry-after'] === undefined) withoutRetryAfter++
    outcomes.push([statusCode, performance.now() - due])
  } catch {
    outcomes.push([0, performance.now() - due])
  }
  if (outcomes.length === total) {
    process.stdout.write(JSON.stringify({ outcomes, withoutRetryAfter }), () => process.exit())
  }
}

const timer = setInterval(() => {
  for (; sent < total && performance.now() - begun >= (sent / perSecond) * 1000; sent++) void send(sent)
  if (sent === total) clearInterval(timer)
}, 5)
