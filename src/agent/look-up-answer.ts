// The answer of look_up_address: the grade of the match, and the candidates with what matched.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { LookupCandidate } from '../wire/lookup.ts'
import { type Answer, dataNote, provenanceOf, toResult } from './answer.ts'
import { cellText, cleanData, cleanText } from './clean.ts'
import type { ToolContext } from './list-answer.ts'
import { propertyLinks } from './property-links.ts'

const meanings = {
  exact: 'one property agrees in every part given',
  unit_missing: 'the building is known, the unit was not given or is not on record: ask which unit',
  ambiguous: 'several properties fit: ask which',
  near: 'nothing is on record at this number or point; the nearest follow',
  fuzzy: 'spelled differently, or parts contradict each other: confirm before using one',
  none: 'nothing similar is on record',
} as const

export const lookUpAnswer = async (context: ToolContext, args: Record<string, unknown>): Promise<CallToolResult> => {
  const { data, asOf } = await context.client.lookUpAddress(
    { ...args, include: ['listing', 'scores'] },
    context.options,
  )
  const { match, candidates, read, covered, note } = data
  const place = covered === false ? ' The place is not covered; this says nothing about the property itself.' : ''
  const answer: Answer & Record<string, unknown> = {
    outcome: match === 'none' ? (covered === false ? 'not_covered' : 'nothing_matched') : 'ok',
    match,
    read: cleanData(read),
    covered,
    items: cleanData(candidates.map(({ source: _, ...candidate }) => candidate)),
    asOf: cleanText(asOf, 40),
    provenance: provenanceOf(context.service, candidates),
    notes: note ? [cellText(note, 200)] : [],
  }
  const text = [
    `Match: ${match} (${meanings[match]}).${place}${note ? ` ${cellText(note, 200)}` : ''}`,
    candidates.map(candidateLine).join('\n'),
    dataNote(answer),
  ]
  return toResult(text.filter((part) => part !== '').join('\n\n'), answer, false, propertyLinks(candidates))
}

const candidateLine = ({ id, address, city, apn, matched, listing, scores }: LookupCandidate): string => {
  const differing = Object.entries(matched).filter(([, fit]) => fit !== 'same' && fit !== 'not_given')
  const facts = [
    `${cellText(address)}, ${cellText(city, 40)}`,
    apn === undefined ? undefined : `APN ${cellText(apn, 30)}`,
    listing && listingWords(listing),
    scores?.teardownScore === undefined ? undefined : `teardown ${scores.teardownScore}`,
    scores?.returnPct === undefined ? undefined : `return ${scores.returnPct}%`,
    scores?.sb9Status && `SB 9 ${scores.sb9Status}`,
    differing.length > 0 ? differing.map(([part, fit]) => `${part} ${fit}`).join(', ') : undefined,
  ]
  return `- ${facts.filter((fact) => fact !== undefined).join('; ')}. id ${cellText(id, 64)}`
}

/** A sold home is stated with its sale price, never with the price it was listed at. */
const listingWords = ({ status, price, soldPrice, soldDate }: NonNullable<LookupCandidate['listing']>): string => {
  const usd = (amount: number) => `$${amount.toLocaleString('en-US')}`
  if (status !== 'sold') return price === undefined ? status : `${status} at ${usd(price)}`
  const sold = `sold${soldPrice === undefined ? '' : ` for ${usd(soldPrice)}`}${soldDate ? ` on ${soldDate}` : ''}`
  return soldPrice === undefined && price !== undefined ? `${sold}, listed at ${usd(price)}` : sold
}
