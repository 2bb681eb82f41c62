// Formats numbers, dates and codes for pages. An unknown value is a dash, never a zero.

import { dollarsShort, roundedDown } from '../common/dollars.ts'
import type { ListingStatus, PermitClass, PermitStatus } from '../domain/facts.ts'

export const unknownMark = '–'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export const count = (value: number | null | undefined): string => (value == null ? unknownMark : whole.format(value))

export const usd = (value: number | null | undefined): string =>
  value == null ? unknownMark : dollars.format(value).replace('-', '−')

export const usdExact = (value: number | null | undefined): string =>
  value == null ? unknownMark : Number.isInteger(value) ? dollars.format(value) : cents.format(value)

/** $3.42M, $2.6M, $880K: for table cells, where exact dollars are hard to compare. */
export const usdShort = (value: number | null | undefined): string =>
  value == null ? unknownMark : dollarsShort(value)

/** The most that a use is worth, as decisions name it: never more than earns its target. */
export const offerShort = (value: number | null | undefined): string =>
  value == null ? unknownMark : dollarsShort(roundedDown(value))

export const sqft = (value: number | null | undefined): string =>
  value == null ? unknownMark : `${whole.format(value)} sq ft`

export const percent = (value: number | null | undefined, digits = 1): string =>
  value == null ? unknownMark : `${value.toFixed(digits).replace('-', '−')}%`

/** "a 15%", "an 18%". */
export const aPercent = (value: number): string => `${/^(8|1[18](?!\d))/.test(String(value)) ? 'an' : 'a'} ${value}%`

export const signedUsd = (value: number | null | undefined): string =>
  value == null ? unknownMark : `${value > 0 ? '+' : ''}${usdShort(value)}`

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** 2026-03-09 → Mar 9, 2026. */
export const day = (date: string | null | undefined): string => {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(date ?? '')
  return match ? `${months[Number(match[2]) - 1]} ${Number(match[3])}, ${match[1]}` : unknownMark
}

export const month = (date: string): string => `${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`

export const dateAndTime = (instant: string | null | undefined): string =>
  instant ? `${day(instant)}, ${instant.slice(11, 16)} UTC` : unknownMark

export const statusWords: Record<ListingStatus, string> = {
  active: 'Active',
  coming_soon: 'Coming soon',
  pending: 'Pending',
  sold: 'Sold',
  withdrawn: 'Withdrawn',
}

export const permitStatusWords: Record<PermitStatus, string> = {
  applied: 'Applied',
  in_review: 'In review',
  approved: 'Approved',
  issued: 'Issued',
  inspections: 'Inspections',
  finaled: 'Finaled',
  expired: 'Expired',
  cancelled: 'Canceled',
  unknown: 'Status unknown',
}

export const permitClassWords: Record<PermitClass, string> = {
  new_house: 'New house',
  adu: 'ADU',
  whole_house_demolition: 'Demolition',
  partial_demolition: 'Partial demolition',
  multifamily: 'Apartments or townhouses',
  addition: 'Addition',
  remodel: 'Remodel',
  solar: 'Solar',
  pool: 'Pool',
  roof: 'Roof',
  other: 'Other',
}

/** Turns a code into words: lotSqft → lot sqft, new_house → new house. */
export const codeInWords = (name: string): string =>
  name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const plural = (number: number, singular: string): string =>
  `${whole.format(number)} ${singular}${number === 1 ? '' : 's'}`
