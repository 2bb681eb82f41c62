// Inputs that every list shares.
import { Type } from 'typebox'
import { marketIds } from '../facts.ts'
import { literals } from '../shape.ts'

export const defaultLimit = 25
export const maxOffset = 9_999

export const limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: `Items per page; defaults to ${defaultLimit}, capped at the plan's maximum`,
  }),
)
export const offset = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: maxOffset,
    description: `Results to skip, up to ${maxOffset}; beyond that, narrow the search`,
  }),
)
export const page = { limit, offset }

export const market = Type.Optional(
  literals([...marketIds, 'peninsula'], {
    description: 'sf-peninsula (also peninsula; the default) or nantucket',
  }),
)

export const city = Type.Optional(
  Type.String({ maxLength: 500, description: 'City name or its slug, any case: "Palo Alto", palo-alto' }),
)

export const excludeBlockers = Type.Optional(
  Type.Boolean({ description: 'true drops rows with any block reason or blocker' }),
)
