// Prepares the text of a permit for classification: lower case, abbreviations spelled out, without the sentences that say nothing
// about the work ("a sign must be posted", "sprinklers under separate permit"), then the forms of one word as one.
import { has, pattern } from './permit-patterns.ts'

export const permitText = (written: string, isType: boolean, ignore: readonly RegExp[] = []) => {
  const replaced: [string, string][] = []
  const rewritten = (text: string, rows: readonly Abbreviation[]) =>
    rows.reduce(
      (rest, [meaning, pattern]) =>
        rest.replace(pattern, (found) => {
          if (meaning.trim()) replaced.push([meaning.trim(), found.trim()])
          return meaning
        }),
      text,
    )
  const lower = written.toLowerCase().replace(/\s+/g, ' ')
  const found = (word: string) => new RegExp(literal(word).replaceAll(' ', ' (?:an? )?')).exec(lower)?.[0]
  const whole = isType
    ? rewritten(separated(written).toLowerCase(), ofTypes)
    : rewritten(written.toLowerCase(), ofDescriptions)
  const work = statedWork(whole, ignore)
  return {
    /** Lower case with abbreviations spelled out. */
    whole,
    /** Of this, what states the work. The rules of a source read it. */
    work,
    /** The work in fewer words: numbers as digits, "(e)" as "existing". The patterns read it. */
    plain: rewritten(work, sameWords).replace(/ {2,}/g, ' ').trim(),
    /** A word of the text as the permit has it, because the words that decided are shown. */
    asWritten: (word: string): string => {
      const undone = replaced.reduceRight(
        (rest, [meaning, short]) =>
          found(rest) ? rest : rest.replace(new RegExp(`\\b${literal(meaning)}(?![a-z0-9])`), short),
        word,
      )
      return found(undone) ?? undone
    },
  }
}

/** A pattern for exactly this text. */
export const literal = (text: string): string => text.replace(/[^a-z0-9 ]/g, '\\$&')

const without = (text: string, ...names: string[]): string =>
  names.reduce((rest, name) => rest.replace(pattern(name, 'g'), ' '), text)

const statedWork = (text: string, ignore: readonly RegExp[]): string => {
  const kept = ignore.reduce((rest, each) => rest.replace(each, ' '), text)
  const spaced = without(kept, 'otherPermit', 'laterWork')
    .replace(/[’`]/g, "'")
    .replace(/\bsq\.? ?ft\.?(?=\W|$)|\bsquare (feet|foot)\b/g, 'sq ft')
    .replace(/\s+/g, ' ')
    .trim()
  const rest = spaced
    .split(/(?<=[^.]{4}\.)\s|;\s*|\*{2,}|…+|\.{3,}/)
    .map((sentence) => without(sentence, 'separatePermit', 'whatRemains', 'duty', 'negation').trim())
    .filter((sentence) => /[a-z]/.test(sentence))
    .join('. ')
    .trim()
  return rest || (has('negation', spaced) ? '' : spaced)
}

/** "RES_NEW" and "ResidentialNew" are two words each. */
const separated = (type: string): string =>
  type
    .replace(/_/g, ' ')
    .replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ')
    .replace(/\br(?=(?:demo|new|addn?|alt|adu)\b)/gi, 'res ')

type Abbreviation = readonly [meaning: string, pattern: RegExp]

/** A meaning and its short forms, which are whole words and stand for nothing else; after " ; " those of types only. */
const table = String.raw`
  story = sty|stry|sto?r(?=[ .])|storey
  family = fam|fmly|fmy
  new single family dwelling = nsfr|nsfd|nsfh
  single family dwelling = (?<=story )single(?= (with|and)\b| ?($|[.,;(&]|w/)) ; s[./]?f[./]?[dr][./]?|sfh|sfdu|sfdwl?g?|1fd|r-?3
  single family = (s|sgle?|sngl?|sing)[. /-]*family ; sf|s/f
  multi family = ; mfd?|mfr|m/f|mfam
  dwelling = dwlg?s?|dwe?ll?(n?g)?|dewe?llings?|dwel(ll)?ings?
  residential = resid|residental|res(?=\.? units?) ; res|resi|resdtl|rsdntl|re?sdl?|reside?n?
  accessory = ac+ess?oi?r?y|accsr?y|acces|acc(?=\.? ?(dw|unit|apt|bldg|build|str|living)) ; acc|access|accs|accy
  attached = ; at?tch?d?|att
  detached = detchd?|dtchd?|detd|det(?=\.? (gar|single|adu|acc|unit|dw|carport|shed)) ; det|dtch
  addition = add'n|add(i?t)?n|addit|addtion|adition ; add(?! circuit)|adds|addns|addt
  addition = (?<=(story|floor|room|rear) )add(?=\.? (to|at|over|on|&|and)(?![a-z])|\.?$)
  alteration = ; alts?|alter|altr|alt/rep
  construct = contruct|const(?=\.? (a|an|new|sfd|sfr|single|of|one|two|1|2)\b)
  garage = gar|garg
  remodel = rmdl|remdl|remod|reno|renov ; rem|rmd|remodl
  townhouse = twnh(se?|ms?)?([0-9]+(of[0-9]+)?)?|townhse|town-?hm|thse
  duplex = dupl|dplx
  dwelling unit = d\.u\.? ; du|d/u|dwl unit
  building = ; bldg?s?|blg
  quarters = qtrs
  new = ; nw|new const|nc
  demolition = ; dem|demol|dmo
  commercial = ; \(c(omm?)?\)|comm?|comm?l|cml
  industrial = ; indl?
`
const abbreviations = (inType: boolean): Abbreviation[] =>
  [...table.matchAll(/(\S.*?) =(.*?)(?: ; (.*))?$/gm)].map(([, meaning, always, ofTypes]) => {
    const forms = [always!.trim(), inType && ofTypes].filter(Boolean).join('|') || '(?!)'
    return [meaning!, new RegExp(`(?<![a-z0-9.])(?:${forms})(?![a-z0-9])\\.?(?=[^a-z0-9]|$)`, 'g')]
  })
const ofDescriptions = abbreviations(false)
/**
 * A type is read more freely than a description: in "NEW SF RES", SF is no area. The census survey of new construction files houses
 * under 101 and 102, buildings with more dwellings under 103 to 105; one- and two-family houses say nothing about the number.
 */
const ofTypes: readonly Abbreviation[] = [
  ['new single family', /\b10[12][0-9]?[ -]*(?:new )?(?:single|one|1)[ -]?family\b/g],
  ['new multi family', /\b10[3-5][0-9]?(?=[ -]*(?:new )?(?:two|three|four|five|[2-5])[ -])/g],
  ['single family', /\b(?:single|one|1)(?:[ -]?family)? ?(?:or|and|&|\/|-|to) ?(?:two|2|duplex)(?:[ -]?fam\w*)?\b/g],
  [' ', /(?<![0-9,])[0-9]{3,4}(?= ?-? ?[a-z]{3})/g],
  ...abbreviations(true),
]

const numbers = `1 one 2 two 3 three 4 four 5 five 6 six 7 seven 8 eight 9 nine 10 ten 11 eleven 12 twelve
  1st first 2nd second 3rd third 4th fourth`
/** Forms of one word, numbers and ordinals. An article says nothing. */
const sameWords: readonly Abbreviation[] = [
  [' new ', /\(n\)/g],
  [' existing ', /\(e\)|\b(?:exist\.?|extg)(?![a-z])/g],
  ['', /\ban? (?=[a-z0-9(])/g],
  ...[...numbers.matchAll(/(\w+) (\w+)/g)].map(
    ([, number, word]): Abbreviation => [number!, new RegExp(`\\b${word}\\b`, 'g')],
  ),
]

/** A text in the words that the patterns read. */
export const plainWords = (text: string): string =>
  sameWords.reduce((rest, [meaning, pattern]) => rest.replace(pattern, meaning), text)
