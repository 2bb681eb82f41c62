// Inputs that every list shares.
import { Type } from 'typebox'
import examplePlace from '../../../data/examples.json' with { type: 'json' }

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
  Type.String({ format: 'market', maxLength: 60, description: 'Market id; without it, the default market' }),
)

export const city = Type.Optional(
  Type.String({
    maxLength: 500,
    description: `City name or its slug, any case: "${examplePlace.city}", ${examplePlace.citySlug}`,
  }),
)

export const excludeBlockers = Type.Optional(
  Type.Boolean({ description: 'true drops rows with any block reason or blocker' }),
)
