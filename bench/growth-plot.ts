// Draws how costs grow with the data. Both axes are logarithmic, so a power law is a straight line and its slope the exponent.
import type { Figure } from './figure.ts'

const width = 860
const rowHeight = 22
const plot = { left: 60, top: 24, width: 420, height: 360 }
const colors = [
  '#1b6e5a',
  '#b3541e',
  '#2f5d9b',
  '#8c2f5f',
  '#6b6b1f',
  '#4b3f8f',
  '#9b2f2f',
  '#2f7f8c',
  '#7a5a2f',
  '#555555',
]

export const growthPlot = (figures: readonly Figure[]): string | undefined => {
  const grown = figures.filter(({ growth }) => growth !== undefined)
  if (grown.length === 0) return undefined
  const relative = grown.map(({ growth }) => growth!.costs.map((cost) => cost / growth!.costs[0]!))
  const top = Math.max(16, ...relative.flat())
  const bottom = Math.min(1, ...relative.flat())
  const x = (times: number) => plot.left + (Math.log2(times) / 4) * plot.width
  const y = (cost: number) =>
    plot.top + plot.height - (Math.log2(cost / bottom) / Math.log2(top / bottom)) * plot.height
  const line = (costs: readonly number[], times: readonly number[]) =>
    costs.map((cost, at) => `${x(times[at]!).toFixed(1)},${y(cost).toFixed(1)}`).join(' ')
  const series = grown.map(({ name, growth }, at) => {
    const color = colors[at % colors.length]!
    const dash = at >= colors.length ? ' stroke-dasharray="6 3"' : ''
    const legendY = plot.top + 8 + at * rowHeight
    return `<polyline points="${line(relative[at]!, growth!.times)}" fill="none" stroke="${color}" stroke-width="2"${dash}/>
<line x1="510" x2="534" y1="${legendY - 4}" y2="${legendY - 4}" stroke="${color}" stroke-width="2"${dash}/>
<text x="542" y="${legendY}">${escaped(name.replace(/^growth: /, ''))}: n^${growth!.exponent.toFixed(2)}</text>`
  })
  const times = [1, 2, 4, 8, 16]
  const height = Math.max(plot.top + plot.height + 50, plot.top + 20 + grown.length * rowHeight)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
<title>Cost of each workload at 1, 4 and 16 times the data, relative to the smallest</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${times.map((each) => `<line x1="${x(each)}" x2="${x(each)}" y1="${plot.top}" y2="${plot.top + plot.height}" stroke="#dddddd"/><text x="${x(each)}" y="${plot.top + plot.height + 18}" text-anchor="middle">${each}×</text>`).join('\n')}
${times.map((each) => `<line x1="${plot.left}" x2="${plot.left + plot.width}" y1="${y(each).toFixed(1)}" y2="${y(each).toFixed(1)}" stroke="#dddddd"/><text x="${plot.left - 8}" y="${(y(each) + 4).toFixed(1)}" text-anchor="end">${each}×</text>`).join('\n')}
<polyline points="${line([1, 16], [1, 16])}" fill="none" stroke="#999999" stroke-dasharray="2 4"/>
<text x="${plot.left + plot.width / 2}" y="${plot.top + plot.height + 38}" text-anchor="middle">data; dotted: in proportion</text>
${series.join('\n')}
</svg>
`
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
