// Facts about a city that ordinances change: packs/<id>/facts.json. Each row has its source, day and confidence, so that a fact can
// be seen to be old. A city without a row is unknown, never "no".
import { type Static, Type } from 'typebox'
import { closedObject, flag, list, literals, number, optional, text } from '../../common/shape.ts'
import { yearsBefore } from '../day.ts'
import { confidences, overlayNames } from '../facts.ts'
import { type MarketPack, oncePerPack } from './pack.ts'

const object = <T extends Type.TProperties>(properties: T, description: string) => closedObject(description, properties)
const months = (description: string) => number(description, { minimum: 0 })
const usd = Type.Number({ minimum: 0 })

/** One row per kind of fact: the schema of its value, and its name in a sentence. */
const factTable = {
  aduCondoOptIn: {
    label: 'separate sale of accessory units',
    value: literals(['yes', 'no'], {
      description: 'Whether the city lets an accessory unit be sold apart from the house',
    }),
  },
  transitOrdinance: {
    label: 'local rules for buildings near transit',
    value: object(
      {
        standards: literals(['state', 'local', 'unread'], {
          description:
            'Which standards apply: those of the state law, the city’s own, or the city’s own that were not read',
        }),
        floorAreaRatios: optional.list(Type.Number({ exclusiveMinimum: 0 }), {
          description: 'Local floor-area ratios beside the station, within a quarter mile and within half a mile',
        }),
        exempt: optional.list(literals(overlayNames), { description: 'Parcels with one of these overlays are exempt' }),
        until: optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
      },
      'What the city has decided about the state law on buildings near transit',
    ),
  },
  sizeReview: {
    label: 'size above which a board decides',
    value: object(
      {
        sqft: number('Largest house without the review, in square feet', { minimum: 0 }),
        ratio: optional.number('Or this share of the lot, if that is less', { exclusiveMinimum: 0 }),
        garageCounted: flag('The limit includes the garage'),
        body: text('Who decides', { minLength: 1 }),
        approval: literals(['discretionary', 'design_review'], {
          description: 'discretionary: may be refused. design_review: of the look, not of the size',
        }),
        months: months('What the review adds'),
      },
      'A size above which a new house needs a hearing or a review. Not a limit',
    ),
  },
  impactFeePerUnitUsd: {
    label: 'impact fees for a net new unit',
    value: object({ usd, low: optional(usd), high: optional(usd) }, 'Impact fees for one more home on the lot'),
  },
  demolitionDelay: {
    label: 'demolition delay',
    value: object(
      {
        months: months('Usual wait before a house may be demolished'),
        mostMonths: optional(months('Longest wait')),
        body: text('Who decides', { minLength: 1 }),
      },
      'A wait that the city requires before a demolition',
    ),
  },
  basementOutsideFloorArea: {
    label: 'basements outside the floor area',
    value: literals(['yes', 'no'], { description: 'Whether a basement does not count as floor area' }),
  },
} as const

type FactTable = typeof factTable
export type CityFactName = keyof FactTable
export const cityFactNames = Object.keys(factTable) as CityFactName[]
type FactValue<Name extends CityFactName> = Static<FactTable[Name]['value']>

/** A fact with where it comes from, since when it is known and how well. */
export type CityFact<Name extends CityFactName = CityFactName> = Omit<
  Static<ReturnType<typeof row>>,
  'fact' | 'value'
> & {
  fact: Name
  value: FactValue<Name>
}
export type AnyCityFact = { [Name in CityFactName]: CityFact<Name> }[CityFactName]

const row = (name: CityFactName) =>
  closedObject({
    fact: Type.Literal(name),
    cities: optional.list(Type.String(), {
      minItems: 1,
      description: 'City slugs. Absent: every other city of the market',
    }),
    value: factTable[name].value,
    source: Type.String({ minLength: 1 }),
    asOf: text('Day on which the source was current', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    confidence: literals(confidences, { description: 'high: official text read' }),
    note: optional(Type.String({ minLength: 1 })),
  })
const anyRow = Type.Unsafe<AnyCityFact>(Type.Union(cityFactNames.map(row)))
export const FactsFile = closedObject({ $schema: optional(Type.String()), facts: list(anyRow) })
export type FactsFile = Static<typeof FactsFile>

const factsByCity = oncePerPack(
  ({ facts }) => new Map(facts.flatMap((each) => (each.cities ?? ['']).map((slug) => [`${each.fact} ${slug}`, each]))),
)

/** The city's own fact, otherwise the one that holds for the rest of its market; undefined where nothing was read. */
export const cityFact = <Name extends CityFactName>(
  pack: MarketPack | undefined,
  slug: string | undefined,
  name: Name,
): CityFact<Name> | undefined => {
  if (!pack) return undefined
  const known = factsByCity(pack)
  return (known.get(`${name} ${slug}`) ?? known.get(`${name} `)) as CityFact<Name> | undefined
}

/** Everything that was read about a city. */
export type CityFacts = { readonly [Name in CityFactName]?: CityFact<Name> }
export const cityFactsOf = (pack: MarketPack | undefined, slug: string | undefined): CityFacts =>
  Object.fromEntries(cityFactNames.map((name) => [name, cityFact(pack, slug, name)]))

export type SizeReview = FactValue<'sizeReview'>
/** The largest house, garage included where the rule counts it, that needs no such review. */
export const sizeWithoutReview = ({ sqft, ratio }: SizeReview, lotSqft: number): number =>
  Math.floor(Math.min(sqft, ratio === undefined ? sqft : ratio * lotSqft) + 1e-6)

/** The facts of a pack that were read more than a year before this day, in words. */
export const outdatedFacts = ({ facts, market }: Pick<MarketPack, 'facts' | 'market'>, on: string): string[] => {
  const { demolitionReview: review } = market
  const yearAgo = yearsBefore(on, 1)
  const dated = [
    ...facts.map(({ fact, cities, asOf }) => ({
      what: `${factTable[fact].label} (${cities?.join(', ') ?? 'market'})`,
      asOf,
    })),
    ...(review ? [{ what: `demolition review (${review.name})`, asOf: review.asOf ?? 'no day' }] : []),
  ]
  return dated.filter(({ asOf }) => asOf < yearAgo || asOf === 'no day').map(({ what, asOf }) => `${what}, ${asOf}`)
}
