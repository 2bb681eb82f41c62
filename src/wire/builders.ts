// Who builds: a contractor as permits name it. Two names are the same builder if they are equal when normalized, or if permits give
// them the same license; never because they are similar.
import type { Static } from 'typebox'
import { integer, list, literals, object, optional, text, texts } from '../common/shape.ts'
import { permitClasses } from '../domain/facts.ts'
import { sample } from '../domain/provenance.ts'

/** Sums and shares of fewer permits say more about one project than about a builder. */
export const fewestBuilderPermits = 5

export const Builder = object('Builder', {
  id: text('Builder identifier'),
  name: text('The name on most permits'),
  aliases: texts('Other spellings and names with the same license'),
  role: literals(['contractor'], 'The role in which permits name it'),
  license: optional.text('License number'),
  cities: texts('Cities with its permits, most first'),
  classes: list(literals(permitClasses), 'Kinds of work, most first'),
  permits: integer('Issued permits; for a key with a history window, those within it'),
  permits12m: optional.integer('Issued in the last 12 months; absent for a key with a history window'),
  units12m: optional.integer('Dwelling units added by them, where known'),
  valuation: optional.number('Sum of the valuations, dollars'),
  toFinal: optional(
    object('BuilderToFinal', 'Issue to final inspection, Kaplan–Meier; absent below 5 permits', {
      p50: optional.integer('Days until half were finaled'),
      p90: optional.integer('Days until 90% were'),
    }),
  ),
  finaledPct: optional.number('Percent of its permits that are finaled; absent below 5 permits'),
  lastIssued: optional.date('Newest issue date that the key may read'),
  url: text('Page of the builder'),
  sample,
})
export type Builder = Static<typeof Builder>

/** The normalized name; undefined for a row that names an owner, the applicant himself or nobody. */
export const builderKey = (contractor: string | undefined): string | undefined => {
  // Some feeds write the person who signs after the firm, behind two spaces.
  const [firm = ''] = (contractor ?? '').trim().split(/\s{2,}/)
  const words = firm
    .toUpperCase()
    .normalize('NFKD')
    .replace(/&/g, ' AND ')
    .replace(/[^A-Z0-9 ]+/g, (mark) => (/['’.]/.test(mark) ? '' : ' '))
    .split(' ')
    .filter(Boolean)
  while (words.length > 1 && legalForms.has(words.at(-1)!)) words.pop()
  const key = words.join(' ')
  return key.length < 3 || nobody.test(key) ? undefined : key
}
const legalForms = new Set('INC LLC LLP LP LTD CO CORP COMPANY CORPORATION INCORPORATED'.split(' '))
const nobody =
  /\b(OWNER|OWNERS|HOMEOWNER|HOMEOWNERS|OWNER BUILDER|SELF|APPLICANT|TENANT|LESSEE)\b|^(NONE|N A|NA|NOT APPLICABLE|UNKNOWN|TBD|TO BE DETERMINED|NULL|VARIOUS|PENDING|CONTRACTOR|GENERAL CONTRACTOR)$/

/** Letters and digits. */
export const licenseKey = (license: string | undefined): string | undefined => {
  const key = (license ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '')
  return /\d{3}/.test(key) && !/^0+$/.test(key) ? key : undefined
}

export interface BuilderName {
  nameKey: string
  name: string
  licenses: readonly string[]
  permits: number
}
export interface KnownBuilder {
  nameKey: string
  builderId: string
  hidden: boolean
}

/** Gives names with a license in common the same id. An id that one of them has is kept; a hidden name hides them all. */
export const builderIds = (
  names: readonly BuilderName[],
  known: readonly KnownBuilder[],
  newId: (nameKey: string) => string,
): (BuilderName & KnownBuilder)[] => {
  const before = new Map(known.map((each) => [each.nameKey, each]))
  const parent = new Map<string, string>()
  const root = (key: string): string => {
    const up = parent.get(key)
    if (up === undefined || up === key) return key
    const top = root(up)
    parent.set(key, top)
    return top
  }
  for (const { nameKey, licenses } of names)
    for (const license of licenses) parent.set(root(`license ${license}`), root(nameKey))
  const members = Map.groupBy(names, ({ nameKey }) => root(nameKey))
  return [...members.values()].flatMap((group) => {
    const keys = group.map(({ nameKey }) => nameKey).sort()
    const knownBefore = keys.map((key) => before.get(key)).filter((each) => each !== undefined)
    const builderId = knownBefore.map((each) => each.builderId).sort()[0] ?? newId(keys[0]!)
    const hidden = knownBefore.some((each) => each.hidden)
    return group.map((name) => ({ ...name, builderId, hidden }))
  })
}
