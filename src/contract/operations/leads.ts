import { Type } from 'typebox'
import { AduLead } from '../adu.ts'
import { describe } from '../operation.ts'
import { LeadPagination, listOf } from '../pagination.ts'
import { RedevelopmentLead, redevelopmentClasses } from '../redevelopment.ts'
import { ruleStatuses } from '../rules.ts'
import { Sb9Item } from '../sb9.ts'
import { literals } from '../shape.ts'
import { city, excludeBlockers, page } from './paging.ts'

export const defaultMinScore = 60

/** Matching leads are counted up to this number; counting all of a large market would cost more than the page. */
export const leadCountCap = 10_000

const minScore = Type.Optional(
  Type.Number({ minimum: 0, maximum: 100, description: `Lowest score listed; defaults to ${defaultMinScore}` }),
)

export const listSb9Inventory = describe({
  name: 'list_sb9_inventory',
  title: 'SB 9 inventory',
  tag: 'Leads',
  method: 'GET',
  path: '/v1/sb9-inventory',
  access: 'key',
  shared: true,
  summary:
    'Homes for sale that California SB 9 would let you split or duplex, with block reasons for those it would not.',
  description:
    'Peninsula only. A rule that cannot be tested for want of data keeps a parcel at likely. Not legal advice.',
  input: Type.Object({
    status: Type.Optional(literals([...ruleStatuses, 'any'], { description: 'Defaults to eligible and likely' })),
    minUnits: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'At least this many units possible' }),
    ),
    excludeBlockers,
    city,
    ...page,
  }),
  output: listOf(Sb9Item, LeadPagination),
})

export const listAduLeads = describe({
  name: 'list_adu_leads',
  title: 'Accessory-unit leads',
  tag: 'Leads',
  method: 'GET',
  path: '/v1/adu-leads',
  access: 'key',
  shared: true,
  summary: 'Parcels ranked by how well they take an accessory unit, with estimated units and buildable area.',
  description: 'Peninsula only. Not legal advice.',
  input: Type.Object({ minScore, excludeBlockers, city, ...page }),
  output: listOf(AduLead, LeadPagination),
})

export const listRedevelopmentLeads = describe({
  name: 'list_redevelopment_leads',
  title: 'Redevelopment leads',
  tag: 'Leads',
  method: 'GET',
  path: '/v1/redevelopment-leads',
  access: 'key',
  shared: true,
  summary: 'Underbuilt parcels scored against the building envelope their zoning allows.',
  description: 'Peninsula only. Not legal advice.',
  input: Type.Object({
    minScore,
    class: Type.Optional(literals(redevelopmentClasses, { description: 'One class only' })),
    excludeBlockers,
    city,
    ...page,
  }),
  output: listOf(RedevelopmentLead, LeadPagination),
})
