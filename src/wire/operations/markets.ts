import { Type } from 'typebox'
import {
  date,
  dateTime,
  flag,
  integer,
  list,
  literals,
  number,
  object,
  optional,
  orNull,
  text,
  texts,
} from '../../common/shape.ts'
import { datasets } from '../../domain/facts.ts'
import { LawReference, leadKinds } from '../../domain/findings/laws.ts'
import { rankingRules } from '../../domain/packs/market-pack.ts'
import { describe } from '../operation.ts'
import { listOf } from '../pagination.ts'
import { asOf, exampleLaw, examplePlace, listExample } from './examples.ts'

const box = object('MarketBox', {
  south: number('Degrees'),
  north: number('Degrees'),
  west: number('Degrees'),
  east: number('Degrees'),
})

export const MarketItem = object('Market', {
  id: text('Market identifier'),
  name: text('Display name'),
  aliases: texts('Other names that the market parameter accepts'),
  default: flag('True for the market that a request without market uses'),
  country: text('Two letters'),
  state: text('Two letters'),
  timeZone: text('IANA time zone'),
  box,
  ranking: literals(rankingRules, 'Rule that orders the list of listings'),
  laws: list(
    object('MarketLaw', {
      ...LawReference.properties,
      leads: literals(leadKinds, 'The list that depends on it'),
      since: date('In force since'),
    }),
    'State laws that apply. A list that depends on another law is empty and says why',
  ),
  cities: list(
    object('MarketCity', {
      name: text('City name'),
      slug: text('City slug'),
      county: text('County'),
      aliases: texts('Other names'),
      incorporated: flag('False for an unincorporated county'),
    }),
  ),
  dataSets: list(
    object('MarketDataSet', {
      dataset: literals(datasets, 'What the rows are'),
      rows: integer('Rows stored'),
      newestRecord: orNull(Type.String({ format: 'date' }), 'Date of the newest record'),
      sample: flag('True when generated sample data is among the rows'),
    }),
  ),
  assessment: object('MarketAssessment', {
    state: literals(
      ['no_data', 'not_assessed', 'assessed'],
      'not_assessed: data is loaded, but values, scores and leads have not been computed yet',
    ),
    assessedAt: optional.dateTime('When the last assessment of the whole market finished'),
    asOf: optional.date('The day the market is assessed for, if its data ends in the past'),
    startedAt: optional.dateTime('When the first assessment started, while it runs'),
    progressPct: optional.integer('Share of the properties that the first assessment has done, in percent'),
  }),
  defaultAssumptions: texts(
    'Assumptions of the pro forma and the flip for which the market has no value of its own, so that the default is used',
  ),
  packVersion: text('Version of the market pack'),
  asOf: dateTime('When the data of the market was last updated'),
})

export const listMarkets = describe({
  name: 'list_markets',
  title: 'Markets',
  tag: 'Trust',
  path: '/v1/markets',
  shared: true,
  sharedSeconds: 60,
  summary: 'The loaded markets: cities, data sets, laws that apply, ranking rule and whether they are assessed.',
  input: Type.Object({}),
  output: listOf(MarketItem),
  example: {
    input: {},
    output: listExample(
      {
        id: examplePlace.market,
        name: examplePlace.marketName,
        aliases: [],
        default: true,
        country: 'US',
        state: examplePlace.state,
        timeZone: 'America/Los_Angeles',
        box: { south: 37.329, north: 37.709, west: -122.522, east: -122.043 },
        ranking: 'teardown' as const,
        laws: [{ ...exampleLaw, leads: 'lot_split' as const, since: '2022-01-01' }],
        cities: [
          {
            name: examplePlace.city,
            slug: examplePlace.citySlug,
            county: examplePlace.county,
            aliases: [],
            incorporated: true,
          },
        ],
        dataSets: [{ dataset: 'parcels' as const, rows: 10_800, newestRecord: null, sample: true }],
        assessment: { state: 'assessed' as const, assessedAt: asOf },
        defaultAssumptions: [],
        packVersion: '1.0.0',
        asOf,
      },
      {},
    ),
  },
})
