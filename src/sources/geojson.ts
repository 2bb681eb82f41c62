// GeoJSON from a file or URL, one feature at a time. Properties become fields, and the shape becomes `geometry`.
import { sourceOfText } from './file.ts'
import { layerShape, type Position, type Ring, type Shape, shapeFacts } from './geometry.ts'
import { type RawRow, SourceError } from './source.ts'

export const geojson = sourceOfText(async function* (text, row, { url, spatialReference }, { box }) {
  for await (const each of jsonObjects(text, 'features', url)) {
    const feature = each as unknown as Feature
    if (box) yield { ...row({ id: feature.id, ...feature.properties }), shape: featureShape(feature, spatialReference) }
    else yield row(featureFields(feature, spatialReference))
  }
})

const featureShape = ({ geometry }: Feature, reference: string | undefined): RawRow['shape'] => {
  if (!geometry) return undefined
  const { type, coordinates } = geometry
  if (!Array.isArray(coordinates))
    return { ...layerShape('point', [], reference), unreadable: `a ${type} cannot be read` }
  switch (type) {
    case 'MultiPoint':
      return layerShape('point', [(coordinates as Position[]).map((position) => [position])], reference)
    case 'LineString':
      return layerShape('line', [[coordinates as Ring]], reference)
    case 'MultiLineString':
      return layerShape('line', [coordinates as Ring[]], reference)
    default:
      return layerShape(type === 'Point' ? 'point' : 'area', geoJsonShape(geometry), reference)
  }
}

interface Feature {
  id?: string | number
  properties?: Record<string, unknown> | null
  geometry?: { type: string; coordinates?: unknown } | null
}

export const featureFields = (
  { id, properties, geometry }: Feature,
  reference: string | undefined,
): Record<string, unknown> => ({
  ...(id === undefined ? {} : { id }),
  ...properties,
  ...(geometry ? { geometry: shapeFacts(geoJsonShape(geometry), reference) ?? { unreadable: geometry.type } } : {}),
})

export const geoJsonShape = ({ type, coordinates }: { type: string; coordinates?: unknown }): Shape => {
  switch (type) {
    case 'Point':
      return [[[coordinates as Position]]]
    case 'MultiPoint':
      return [[(coordinates as Position[]).slice(0, 1)]]
    case 'Polygon':
      return [coordinates as Ring[]]
    case 'MultiPolygon':
      return coordinates as Ring[][]
    default:
      return []
  }
}

// Reads the objects of one list in a JSON document of any length, one at a time: the parcels of a county do not fit in
// memory. Only the brackets and strings are scanned; each object is then parsed by JSON.parse.
/** The longest single object. A document with a longer one is broken or hostile. */
const maxObjectChars = 32 * 2 ** 20

/** Objects of the list `name` of the top-level object. Throws when there is no such list or the text ends within it. */
export async function* jsonObjects(
  text: AsyncIterable<string>,
  name: string,
  url: string,
): AsyncGenerator<Record<string, unknown>> {
  /** Text not yet used up, and the position in it. */
  let buffer = ''
  let at = 0
  /** Open braces and brackets. */
  let depth = 0
  let inString = false
  /** Where the object or the top-level string under way starts in `buffer`; -1 outside. */
  let start = -1
  /** The last string at the top level, and whether a colon made it a key. */
  let lastString = ''
  let isKey = false
  let inList = false
  let ended = false
  let beginning = ''
  for await (const chunk of text) {
    buffer += chunk
    beginning ||= buffer.trimStart().slice(0, 60)
    if (beginning.startsWith('<')) throw new SourceError('html', `${url} returned HTML instead of JSON: ${beginning}`)
    for (; at < buffer.length && !ended; at += 1) {
      const code = buffer.charCodeAt(at)
      if (inString) {
        if (code === backslash) {
          // The escaped character may be in the next chunk.
          if (at + 1 >= buffer.length) break
          at += 1
        } else if (code === quote) {
          inString = false
          if (depth === 1) {
            lastString = buffer.slice(start + 1, at)
            start = -1
          }
        }
      } else if (code === quote) {
        inString = true
        if (depth === 1) {
          start = at
          isKey = false
        }
      } else if (code === colon) isKey ||= depth === 1
      else if (code === openBrace || code === openBracket) {
        if (code === openBracket && depth === 1 && isKey && lastString === name) inList = true
        else if (code === openBrace && depth === 2 && inList) start = at
        depth += 1
      } else if (code === closeBrace || code === closeBracket) {
        depth -= 1
        if (inList && depth === 2 && start !== -1) {
          yield parsed(buffer.slice(start, at + 1), url)
          start = -1
        }
        ended = inList && depth === 1
      }
    }
    const keepFrom = start === -1 ? at : start
    buffer = buffer.slice(keepFrom)
    at -= keepFrom
    if (start !== -1) start = 0
    if (buffer.length > maxObjectChars)
      throw new SourceError('too_large', `${url} contains an object of more than ${maxObjectChars} characters.`)
  }
  if (!inList)
    throw new SourceError('not_rows', `${url} has no list "${name}"${beginning ? `; it begins ${beginning}` : ''}.`)
  if (!ended) throw new SourceError('truncated', `${url} ends in the middle of its list "${name}".`)
}

const [quote, backslash, colon, openBrace, closeBrace, openBracket, closeBracket] = [...'"\\:{}[]'].map((character) =>
  character.charCodeAt(0),
) as [number, number, number, number, number, number, number]

const parsed = (text: string, url: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw new SourceError('not_json', `${url} contains broken JSON: ${text.slice(0, 80)}`, { cause })
  }
}
