import type { Static } from 'typebox'
import { number, object, text } from '../../common/shape.ts'
import type { Confidence } from '../facts.ts'

/** A chosen number that a market pack may set, with its name in words, unit, plausible range, reason and source. */
export interface NamedAssumption {
  label: string
  value: number
  unit: string
  range: readonly [number, number]
  reason: string
  source: string
  confidence: Confidence
}

export const DefaultAssumption = object(
  'DefaultAssumption',
  'An assumption for which the market pack gives no value, so that the default of the program was used',
  {
    name: text('Name of the assumption'),
    label: text('The assumption in words'),
    value: number('The default that was used'),
    unit: text('Unit of the value'),
    text: text('Label and value in words, for example "construction cost $500 per sq ft"'),
    set: text('How to replace the default'),
  },
)
export type DefaultAssumption = Static<typeof DefaultAssumption>

/** "construction cost $500 per sq ft", "soft costs 15% of hard cost", "project duration 24 months". */
export const assumptionText = ({ label, ...one }: Pick<NamedAssumption, 'label' | 'value' | 'unit'>): string =>
  `${label} ${assumptionValue(one)}`

export const assumptionValue = ({ value, unit }: Pick<NamedAssumption, 'value' | 'unit'>): string => {
  const digits = value.toLocaleString('en-US')
  if (unit === 'usd') return `$${digits}`
  if (unit.startsWith('usd/sqft')) return `$${digits} per sq ft${unit.slice('usd/sqft'.length)}`
  if (unit === 'sqft') return `${digits} sq ft`
  return `${digits}${unit.startsWith('%') ? '' : ' '}${unit}`
}

/** The defaults behind an answer, in one sentence. */
export const defaultsSentence = (defaults: readonly Pick<DefaultAssumption, 'text'>[]): string =>
  `Default assumptions, not set for this market: ${defaults.map(({ text: words }) => words).join('; ')}. Use your own values, or set them in assumptions.json of the market pack.`
