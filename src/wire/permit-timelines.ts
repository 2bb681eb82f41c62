// How long permits take: from application to issue, and from issue to the final inspection.
import type { Static } from 'typebox'
import { integer, object, optional, text } from '../common/shape.ts'
import { permitClasses } from '../domain/facts.ts'
import { sample } from '../domain/provenance.ts'

export const timelineGroups = ['city', 'permitClass', 'year'] as const
export type TimelineGroup = (typeof timelineGroups)[number]

/** Groups with fewer permits show their number only. */
export const fewestPermits = 30

const quantile = (percent: number) => optional.integer(`Days until ${percent}% were; absent if never reached`)
const Quantiles = object('PermitDays', `Kaplan–Meier estimate in days; absent below ${fewestPermits} permits`, {
  n: integer('Permits'),
  p25: quantile(25),
  p50: quantile(50),
  p80: quantile(80),
  p90: quantile(90),
})

export const PermitTimeline = object('PermitTimeline', {
  city: optional.text('City name, grouped by city'),
  citySlug: optional.text('City slug, grouped by city'),
  permitClass: optional.literals(permitClasses, 'Kind of work, grouped by permitClass'),
  year: optional.integer('Year of application, grouped by year'),
  n: integer('Permits'),
  open: optional.integer('Applications that are neither issued nor ended'),
  toIssue: optional(Quantiles),
  toFinal: optional(Quantiles),
  stalledPct: optional.number(
    'Percent of issued permits not finaled after three years; absent where none was observed that long',
  ),
  neverIssuedPct: optional.number(
    'Percent of applications not issued after three years; absent where none was observed that long',
  ),
  basis: optional(
    object('PermitTimelineBasis', {
      text: text('In words'),
      withoutApplicationDate: integer('Permits without an application date, which are not in toIssue'),
      invalidDates: integer('Permits issued before their application or finaled before their issue, left out'),
      observedTo: optional.date('Newest date in the records; open permits count up to the newest of their city'),
    }),
  ),
  sample,
})
export type PermitTimeline = Static<typeof PermitTimeline>
