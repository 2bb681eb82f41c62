import type { Static } from 'typebox'
import { integer, literals, object, optional, text } from '../common/shape.ts'
import { sourceUses } from './packs/source-uses.ts'

/** Of a row that is built on generated data; absent for real data. */
export const sample = optional.flag('True for generated sample data')

export const Provenance = object('Provenance', 'Where a record came from', {
  source: text('Identifier of the source'),
  title: optional.text('Name of the source'),
  licence: optional.text('License of the source'),
  url: optional.text('Web address of the record or its source'),
  collectedAt: optional.dateTime('When it was collected'),
  uses: optional.list(literals(sourceUses), {
    description:
      'Where the source permits photos, links and the URL of the record. A record without photos and links has it only if something is not permitted',
  }),
  sample,
})
export type Provenance = Static<typeof Provenance>

export const Withheld = object('Withheld', { count: integer('Rows left out'), reason: text('Why they are left out') })

export const exportWithheld = 'The license of their source does not permit exports.'

/** The field of an answer, absent if every row may be exported. */
export const withheldRows = (count: number): { withheld?: Static<typeof Withheld> } =>
  count > 0 ? { withheld: { count, reason: exportWithheld } } : {}
