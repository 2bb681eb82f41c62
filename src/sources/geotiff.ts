// Slope from an elevation grid: a GeoTIFF file, a folder of them, or a URL. Each row is a block of cells of about 17 feet with the
// slope in half percents, so that a county is small enough to keep and new parcels need no second look at the grid.
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fromFile, type GeoTIFFImage } from 'geotiff'
import { messageOf } from '../common/typed.ts'
import { slopeStep, unknownSlope } from '../domain/layers.ts'
import type { Where } from '../domain/packs/source-config.ts'
import type { ShapeBox } from '../domain/shapes.ts'
import { openBytes } from './file.ts'
import { degreeFeet, fromDegrees, knowsReference, type Position } from './geometry.ts'
import {
  isAddress,
  type RawRow,
  type ReadContext,
  type ReadState,
  rowNumberer,
  SourceError,
  sourceOfPages,
} from './source.ts'

const cellDeg = 5e-5
const cellsPerBlock = 64
const blocksPerWindow = 8
/** Pixels in memory at once. A finer grid is read at a lower resolution. */
const mostPixels = 12e6
/** Slope is the rise over this distance to each side: less would measure curbs and hedges. */
const reachFt = 8

export const geotiff = sourceOfPages(async function* (where, context, state) {
  const { files, done } = await filesOf(where, context, state)
  const row = rowNumberer()
  try {
    for (const file of files) {
      const tiff = await fromFile(file).catch((cause) => {
        throw new SourceError('not_geotiff', `${where.url} cannot be read as GeoTIFF: ${messageOf(cause)}`, { cause })
      })
      try {
        yield* slopeBlocks(await tiff.getImage(), where, context.box!, row)
      } finally {
        await tiff.close()
      }
    }
  } finally {
    await done()
  }
})

const filesOf = async (where: Where, context: ReadContext, state: ReadState) => {
  const done = async () => {}
  if (isAddress(where.url)) {
    const bytes = await openBytes(where, context, state)
    if (!bytes) return { files: [], done }
    const folder = await mkdtemp(join(tmpdir(), 'lotline-grid-'))
    const file = join(folder, 'grid.tif')
    await pipeline(Readable.from(bytes), createWriteStream(file))
    return { files: [file], done: () => rm(folder, { recursive: true, force: true }) }
  }
  const path = isAbsolute(where.url) ? where.url : join(context.folder, where.url)
  const stats = await stat(path).catch((cause) => {
    throw new SourceError('no_file', `There is no file or folder ${path}.`, { cause })
  })
  if (stats.isFile()) return { files: [path], done }
  const files = (await readdir(path)).filter((name) => /\.tiff?$/i.test(name)).sort()
  if (files.length === 0) throw new SourceError('no_file', `The folder ${path} has no .tif file.`)
  return { files: files.map((name) => join(path, name)), done }
}

async function* slopeBlocks(
  image: GeoTIFFImage,
  where: Where,
  box: ShapeBox,
  row: ReturnType<typeof rowNumberer>,
): AsyncGenerator<readonly RawRow[]> {
  const toPixels = pixelsOf(image, where)
  const size = cellDeg * cellsPerBlock * blocksPerWindow
  const [width, height] = [image.getWidth(), image.getHeight()]
  for (let south = Math.floor(box[1] / size); south * size < box[3]; south += 1)
    for (let west = Math.floor(box[0] / size); west * size < box[2]; west += 1) {
      const corners = [0, 1].flatMap((x) => [0, 1].map((y) => toPixels([(west + x) * size, (south + y) * size])))
      const margin = 3 + reachFt
      const [left, right] = [Math.min, Math.max].map((pick) => pick(...corners.map(([x]) => x))) as [number, number]
      const [top, bottom] = [Math.min, Math.max].map((pick) => pick(...corners.map(([, y]) => y))) as [number, number]
      const window = [
        Math.max(0, Math.floor(left) - margin),
        Math.max(0, Math.floor(top) - margin),
        Math.min(width, Math.ceil(right) + margin),
        Math.min(height, Math.ceil(bottom) + margin),
      ] as const
      const [columns, lines] = [window[2] - window[0], window[3] - window[1]]
      if (!(columns > 2 && lines > 2)) continue
      const scale = Math.min(1, Math.sqrt(mostPixels / (columns * lines)))
      const [wide, high] = [Math.max(1, Math.round(columns * scale)), Math.max(1, Math.round(lines * scale))]
      const [values] = await image.readRasters({ window: [...window], width: wide, height: high, samples: [0] })
      const grid: Grid = { ...elevations(image, where), values: values as ArrayLike<number>, wide, high }
      const at = (place: Position): Position => {
        const [x, y] = toPixels(place)
        return [((x - window[0]) * wide) / columns - 0.5, ((y - window[1]) * high) / lines - 0.5]
      }
      const rows: RawRow[] = []
      for (let block = 0; block < blocksPerWindow ** 2; block += 1) {
        const corner: Position = [
          west * size + (block % blocksPerWindow) * cellDeg * cellsPerBlock,
          south * size + Math.floor(block / blocksPerWindow) * cellDeg * cellsPerBlock,
        ]
        const bytes = slopesOf(grid, at, corner)
        if (!bytes) continue
        const side = cellDeg * cellsPerBlock
        const bounds: ShapeBox = [corner[0], corner[1], corner[0] + side, corner[1] + side]
        const cells = { columns: cellsPerBlock, rows: cellsPerBlock, bytes }
        rows.push({ ...row({}), shape: { kind: 'grid', rings: [], box: bounds, cells } })
      }
      yield rows
    }
}

interface Grid {
  values: ArrayLike<number>
  wide: number
  high: number
  missing: number | undefined
  feetPerUnit: number
}

/** Undefined where the grid has no elevation. Within a block the projection counts as linear. */
const slopesOf = (grid: Grid, at: (place: Position) => Position, [west, south]: Position): Uint8Array | undefined => {
  const side = cellDeg * cellsPerBlock
  const [x0, y0] = at([west, south])
  const [x1, y1] = at([west + side, south])
  const [x2, y2] = at([west, south + side])
  const [eastX, eastY, northX, northY] = [(x1 - x0) / side, (y1 - y0) / side, (x2 - x0) / side, (y2 - y0) / side]
  const [east, north] = degreeFeet(south + side / 2)
  const pixelFt = Math.min(east / Math.hypot(eastX, eastY), north / Math.hypot(northX, northY))
  const reach = Math.max(reachFt, pixelFt)
  const [dx, dy] = [reach / east, reach / north]
  const height = (lng: number, lat: number) =>
    between(grid, x0 + lng * eastX + lat * northX, y0 + lng * eastY + lat * northY)
  const bytes = new Uint8Array(cellsPerBlock ** 2).fill(unknownSlope)
  let known = 0
  for (let line = 0; line < cellsPerBlock; line += 1)
    for (let column = 0; column < cellsPerBlock; column += 1) {
      const [lng, lat] = [(column + 0.5) * cellDeg, (cellsPerBlock - line - 0.5) * cellDeg]
      const rise = Math.hypot(
        height(lng + dx, lat) - height(lng - dx, lat),
        height(lng, lat + dy) - height(lng, lat - dy),
      )
      if (Number.isNaN(rise)) continue
      const pct = (100 * rise * grid.feetPerUnit) / (2 * reach)
      bytes[line * cellsPerBlock + column] = Math.min(unknownSlope - 1, Math.round(pct / slopeStep))
      known += 1
    }
  return known > 0 ? bytes : undefined
}

/** Between four pixels; NaN beyond the grid and where it has no value. */
const between = ({ values, wide, high, missing }: Grid, x: number, y: number): number => {
  const [column, line] = [Math.floor(x), Math.floor(y)]
  if (!(column >= 0 && line >= 0 && column < wide - 1 && line < high - 1)) return Number.NaN
  const pixel = (dx: number, dy: number) => {
    const value = values[(line + dy) * wide + column + dx]!
    return value === missing || value < -15_000 ? Number.NaN : value
  }
  const [right, down] = [x - column, y - line]
  return (
    (1 - down) * ((1 - right) * pixel(0, 0) + right * pixel(1, 0)) +
    down * ((1 - right) * pixel(0, 1) + right * pixel(1, 1))
  )
}

/** Feet and US survey feet by their EPSG codes; other grids, such as those of the Geological Survey, are in meters. */
const elevations = (image: GeoTIFFImage, { elevationUnit }: Where): Pick<Grid, 'missing' | 'feetPerUnit'> => {
  const unit = elevationUnit ?? ([9002, 9003].includes(image.getGeoKeys()?.VerticalUnitsGeoKey) ? 'ft' : 'm')
  return { missing: image.getGDALNoData() ?? undefined, feetPerUnit: unit === 'ft' ? 1 : 3.280_84 }
}

const pixelsOf = (image: GeoTIFFImage, where: Where): ((place: Position) => Position) => {
  const keys = image.getGeoKeys()
  const code = keys?.ProjectedCSTypeGeoKey ?? keys?.GeographicTypeGeoKey
  const name = where.spatialReference ?? (code === undefined ? undefined : `EPSG:${code}`)
  if (name === undefined || !knowsReference(name))
    throw new SourceError(
      'reference',
      `${where.url} ${name ? `uses ${name}, which is not known` : 'does not say which coordinates it uses'}. Set where.spatialReference, for example "EPSG:26910".`,
    )
  const [left, top] = image.getOrigin() as [number, number]
  const [stepX, stepY] = image.getResolution() as [number, number]
  return (place) => {
    const [x, y] = fromDegrees(place, name)
    return [(x - left) / stepX, (y - top) / stepY]
  }
}
