// Tiles of the running sample: how long each takes the first time it is asked for, and how large it is.
// Usage: node bench/tiles.ts http://localhost:3000

const [origin = 'http://localhost:3000'] = process.argv.slice(2)
/** Tiles around the middle of Menlo Park, a few per zoom. */
const around = { lng: -122.18, lat: 37.453 }
const layers = {
  base: [8, 10, 12, 13, 14, 15, 16],
  parcels: [15, 16, 17],
  signals: [8, 10, 12, 14, 16],
  permits: [8, 10, 12, 14, 16],
}
const limitMs = 50
const limitBytes = 500_000

interface Measured {
  tile: string
  ms: number
  bytes: number
}

const measured: Measured[] = []
for (const [layer, zooms] of Object.entries(layers))
  for (const z of zooms) {
    const x = Math.floor(((around.lng + 180) / 360) * 2 ** z)
    const y = Math.floor(((1 - Math.asinh(Math.tan((around.lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z)
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
    ] as const) {
      const tile = `${layer}/${z}/${x + dx}/${y + dy}`
      const begun = performance.now()
      const response = await fetch(`${origin}/tiles/${tile}`, { headers: { 'accept-encoding': 'identity' } })
      const bytes = (await response.arrayBuffer()).byteLength
      if (!response.ok) throw new Error(`${tile} returned ${response.status}.`)
      measured.push({ tile, ms: performance.now() - begun, bytes })
    }
  }
const byTime = measured.toSorted((a, b) => b.ms - a.ms)
const largest = measured.reduce((most, each) => (each.bytes > most.bytes ? each : most))
const median = byTime[Math.floor(byTime.length / 2)]!
console.log(`${measured.length} tiles, median ${median.ms.toFixed(1)} ms`)
for (const { tile, ms, bytes } of byTime.slice(0, 5)) console.log(`  ${ms.toFixed(1)} ms, ${bytes} bytes: ${tile}`)
console.log(`Largest: ${largest.bytes} bytes (${largest.tile}), limit ${limitBytes}`)
const slow = byTime.filter(({ ms }) => ms > limitMs)
if (slow.length > 0 || largest.bytes > limitBytes) {
  console.error(`${slow.length} tiles took more than ${limitMs} ms.`)
  process.exitCode = 1
}
