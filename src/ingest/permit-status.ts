// Maps a city's permit status to ours. An unrecognized status becomes `unknown` and is counted: guessing `issued` or
// `finaled` would report construction that may not exist. Sources: BLDS StatusCurrentMapped, DataSF, eTRAKiT, Accela.
import type { PermitStatus } from '../domain/facts.ts'

export const permitStatus = (raw: string | undefined): PermitStatus => {
  if (!raw) return 'unknown'
  const word = raw
    .trim()
    .toLowerCase()
    .replace(/[\s_/-]+/g, ' ')
    .replace(/^permit (?=.)/, '')
  return words.get(word) ?? byPart(word)
}

/** Separated by commas. */
const vocabulary: Readonly<Record<Exclude<PermitStatus, 'unknown'>, string>> = {
  applied: `applied, received, submitted, filed, open, new, pending, intake, accepted, application, incomplete, triage,
    application accepted, application received, online application received`,
  in_review: `in review, under review, review, plan check, plancheck, plan review, in plan check, fees payment, fees due, corrections,
    corrections required, resubmitted, resubmittal, routed, on hold, hold, appeal, suspend, suspended, awaiting corrections,
    ready for review, additional info required`,
  approved: `approved, ready to issue, ready for issuance, fees paid, approved with conditions, upheld, plans approved, ready`,
  issued: 'issued, reinstated, active, reissued, issued permit, extended, renewed',
  inspections: `inspections, inspection, inspection phase, under inspection, in inspection, under construction, construction,
    temporary occupancy, tco issued`,
  finaled: `finaled, finalled, final, complete, completed, closed, occupancy, co issued, coo issued, c of o issued,
    certificate of occupancy, finaled with conditions, closed finaled, closed completed, work complete, signed off`,
  expired: 'expired, application expired, closed expired, lapsed',
  cancelled: `cancelled, canceled, void, voided, withdrawn, revoked, disapproved, denied, abandoned, abandon, rejected,
    closed withdrawn, record created in error, created in error, entered in error, deleted`,
}
const words = new Map(
  Object.entries(vocabulary).flatMap(([status, list]) =>
    list.split(/,\s+/).map((word) => [word, status as PermitStatus] as const),
  ),
)

/** San José lists a status per trade ("B-Complete, E-4. Complete"); it counts only if all trades that apply agree. */
const byPart = (word: string): PermitStatus => {
  if (!/^[a-z] /.test(word)) return 'unknown'
  const parts = word.split(',').map((part) => part.trim().replace(/^[a-z] ?(?:\d+\. ?)?/, ''))
  const states = new Set(parts.filter((part) => !/^(?:\*?n a)?$/.test(part)).map((part) => words.get(part)))
  return (states.size === 1 && [...states][0]) || 'unknown'
}
