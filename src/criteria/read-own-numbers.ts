// Reads a caller's own numbers with those for single cities. Apart from own-assumptions.ts, which pure computations use: the cities are
// those of the loaded packs.
import { badRequest } from '../common/errors.ts'
import { didYouMean } from '../common/suggest.ts'
import { jurisdictions } from '../domain/packs/markets.ts'
import { type OwnNumbers, readOwnValues } from './own-assumptions.ts'

/** Checks cities, names and bounds. `field` is the name of the input, for error messages. A retired name is left out: see `retiredIn`. */
export const readOwnNumbers = (
  given: Readonly<Record<string, unknown>>,
  field: string,
  byCityField = `${field}.byCity`,
): OwnNumbers => {
  if (Array.isArray(given)) return readOwnValues(given, field)
  const { byCity, ...values } = given
  const read = readOwnValues(values, field)
  if (byCity === undefined) return read
  if (typeof byCity !== 'object' || byCity === null || Array.isArray(byCity))
    throw badRequest(`${byCityField} must be an object, for example {"springfield-il": {"costPerSqft": 700}}.`)
  const known = jurisdictions().map(({ slug }) => slug)
  const cities = Object.entries(byCity).map(([slug, cityValues]) => {
    if (!known.includes(slug))
      throw badRequest(
        `${byCityField}.${slug.slice(0, 60)} is not a city.${didYouMean(slug, known)} GET /v1/markets lists the slugs.`,
      )
    if (typeof cityValues !== 'object' || cityValues === null)
      throw badRequest(`${byCityField}.${slug} must be an object, for example {"costPerSqft": 700}.`)
    return [slug, readOwnValues(cityValues, `${byCityField}.${slug}`)] as const
  })
  return cities.length === 0 ? read : { ...read, byCity: Object.fromEntries(cities) }
}
