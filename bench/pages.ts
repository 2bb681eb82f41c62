// Measures response times of pages and the size of the first one, on a running service with data.
//   node bench/pages.ts http://localhost:3000

const base = process.argv[2] ?? 'http://localhost:3000'
const rounds = 20
/** Targets of the portal: HTML with a warm cache, and the first page without the map. */
const limits = { htmlMs: 50, firstPageBytes: 150_000 }

const signals = await fetch(`${base}/api/v1/market-signals?limit=1`, { headers: { 'x-api-key': 'demo' } })
const { data } = (await signals.json()) as { data: { id: string }[] }
const paths = ['/', '/explore', '/permits', '/playground', '/coverage', ...data.map(({ id }) => `/properties/${id}`)]

let failed = false
for (const path of paths) {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const response = await fetch(base + path)
    await response.text()
    if (response.status === 429) {
      // The limit of 60 pages a minute applies to this client too.
      await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000))
      round--
      continue
    }
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]!
  failed ||= median > limits.htmlMs
  console.log(`${path.slice(0, 40).padEnd(40)} median ${median.toFixed(1)} ms of ${limits.htmlMs}`)
}

/** Bytes as sent: the service reports the compressed length. */
const wireBytes = async (path: string): Promise<number> => {
  const response = await fetch(base + path, { headers: { 'accept-encoding': 'br' } })
  const { byteLength } = await response.arrayBuffer()
  return Number(response.headers.get('content-length') ?? byteLength)
}

const home = await (await fetch(base)).text()
const parts = [...home.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
const bytes = (await Promise.all(['/', ...new Set(parts)].map(wireBytes))).reduce((sum, each) => sum + each, 0)
failed ||= bytes > limits.firstPageBytes
console.log(`${'first page over the wire'.padEnd(40)} ${bytes} bytes of ${limits.firstPageBytes}`)
process.exitCode = failed ? 1 : 0
