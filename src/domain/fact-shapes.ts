// The served shape of each fact of domain/fact-table.ts.
import type { Type } from 'typebox'
import { flag, integer, literals, number, optional, text } from '../common/shape.ts'
import { tableOf } from '../common/typed.ts'
import { type FactName, factNames, factTable } from './fact-table.ts'
import { type FactValue, propertyTypes } from './facts.ts'

const shapes = {
  number,
  integer,
  year: integer,
  boolean: flag,
  text,
  propertyType: (description: string) => literals(propertyTypes, { description }),
}

export const factShapes = tableOf(factNames, (name) => {
  const { type, description } = factTable[name]
  return optional(shapes[type](description) as Type.TSchema)
}) as { [Name in FactName]: Type.TOptional<Type.TUnsafe<FactValue<Name>>> }
