// State laws as an answer names them. The laws themselves are in src/laws.
import { type Static, Type } from 'typebox'
import { text } from '../../common/shape.ts'

/** What a law lets an owner do. Each kind has a list of leads. */
export const leadKinds = ['lot_split', 'accessory_unit'] as const
export type LeadKind = (typeof leadKinds)[number]

export const LawReference = Type.Object(
  {
    id: text('Law id, as in GET /v1/markets'),
    title: text('What the law is about'),
    asOf: text('Day of the text that the rules follow'),
    url: text('Where the law can be read'),
  },
  { $id: 'LawReference', description: 'The law that a lead follows from' },
)
export type LawReference = Static<typeof LawReference>
