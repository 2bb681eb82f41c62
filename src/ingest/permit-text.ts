// Prepares the text of a permit for classification: lower case, abbreviations spelled out, without the sentences that say nothing
// about the work ("a sign must be posted", "sprinklers under separate permit"), then the forms of one word as one.
import { has, pattern } from './permit-patterns.ts'

interface PermitText {
  /** Lower case with abbreviations spelled out. */
  whole: string
  /** Of this, what states the work. The rules of a source read it. */
  work: string
  /** The work in fewer words: numbers as digits, "(e)" as "existing". The patterns read it. */
  plain: string
  /** A word of the text as the permit has it, because the words that decided are shown. */
  asWritten: (word: string) => string
}

/** A type is read more freely than a description: in "NEW SF RES", SF is no area. */
export const permitText = (written: string, isType: boolean, ignore: readonly RegExp[] = []): PermitText => {
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
    ? rewritten(separated(written).toLowerCase(), [...typeAbbreviations, ...abbreviations])
    : rewritten(written.toLowerCase(), abbreviations)
  const work = statedWork(whole, ignore)
  return {
    whole,
    work,
    plain: rewritten(work, sameWords).replace(/ {2,}/g, ' ').trim(),
    asWritten: (word) => {
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
/** Each line is a meaning and its short forms, which are whole words and stand for nothing else in a permit. */
const table = (text: TemplateStringsArray): Abbreviation[] =>
  text.raw[0]!.trim()
    .split('\n')
    .map((line) => {
      const [meaning, forms] = line.trim().split(' = ')
      return [meaning!, new RegExp(`(?<![a-z0-9.])(?:${forms})(?![a-z0-9])\\.?(?=[^a-z0-9]|$)`, 'g')]
    })

const abbreviations: readonly Abbreviation[] = [
  ...table`
    story = sty|stry|sto?r(?=[ .])|storey
    family = fam|fmly|fmy
    new single family dwelling = nsfr|nsfd|nsfh
    single family = (s|sgle?|sngl?|sing)[. /-]*family
    dwelling = dwlg?s?|dwe?ll?(n?g)?|dwllng|dwelng|dwelings?|dwellign|dewelings?|dewe?llings?|dwelllings?
    residential = resid|resdl|resdntl|resident(?=ial)|residental|res(?=\.? units?)
    accessory = acc'y|ac+ess?oi?r?y|as+es+ory|accsessory|accsr?y|accss?ry|accy|acces|acc(?=\.? ?(dw|unit|apt|bldg|build|str|living))
    detached = detchd?|dtchd?|detd|det(?=\.? (gar|single|adu|acc|unit|dw|carport|shed))
    addition = add'n|addn|addtn|addit|additn|addtion|adition|(?<=(story|floor|room|rear) )add(?=\.? (to|at|over|on|&|and)(?![a-z])|\.?$)
    construct = cnstrct|contruct|const(?=\.? (a|an|new|sfd|sfr|single|of|one|two|1|2)\b)
    garage = gar|garg|grge
    remodel = rmdl|remdl|remod|reno|renov
    townhouse = twnh(se?|ms?)?([0-9]+(of[0-9]+)?)?|townhse|town-?hm|thse
    duplex = dupl|dplx
    dwelling unit = d\.u\.?
  `,
  ['single family dwelling', /(?<=story )single(?= (?:with|and)\b| ?(?:$|[.,;(&]|w\/))/g],
]

const typeAbbreviations: readonly Abbreviation[] = [
  // Codes: "R- 329 Structures", "434 - Addition". The census survey of new construction files houses under 101 and 102, buildings
  // with more dwellings under 103 to 105. A category of one- and two-family houses says nothing about the number.
  ...table`
    new single family = 10[12][0-9]?[ -]*(?:new )?(?:single|one|1)[ -]?family
    new multi family = 10[3-5][0-9]?(?=[ -]*(?:new )?(?:two|three|four|five|[2-5])[ -])
    single family = (?:single|one|1)[ -]?(?:family)?[ -]?(?:dwelling)? ?(?:or|and|&|\/|-|to) ?(?:two|2|duplex)[ -]?(?:fam\w*)?
    commercial = \(c(?:omm?)?\)
  `,
  [' ', /(?<![0-9,])[0-9]{3,4}(?= ?-? ?[a-z]{3})/g],
  ...table`
    single family dwelling = s[./]?f[./]?d[./]?|s[./]?f[./]?r[./]?|sfh|sfdu|sfdwl?g?|1fd|r-?3
    single family = sf|s/f
    multi family = mf|mfd|mfr|m/f|mfam
    residential = res|resi|resdtl|rsdntl|rsdl|rsd|reside?n?
    building = bldg?s?|bldng|blg|bld
    new = nw|new const|nc
    accessory = acc|access|accs
    attached = at?tch?d?|att
    detached = de?te?c?h?d?
    addition = add(?! circuit)|adds|addns?|addt
    alteration = alts?|alter|altr|alt/rep
    remodel = rem|rmd|remodl
    demolition = dem|demol|dmo|demoltn
    commercial = com|comm|coml|comml|cml
    industrial = indl?
    dwelling unit = du|d/u|dwl unit
  `,
]

/** Forms of one word, numbers and ordinals. An article says nothing. */
const sameWords: readonly Abbreviation[] = [
  [' new ', /\(n\)/g],
  [' existing ', /\(e\)|\b(?:exist\.?|extg)(?![a-z])/g],
  ['', /\ban? (?=[a-z0-9(])/g],
  ...'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, at): Abbreviation => [String(at + 1), new RegExp(`\\b${word}\\b`, 'g')]),
  ...['first', 'second', 'third', 'fourth'].map(
    (word, at): Abbreviation => [['1st', '2nd', '3rd', '4th'][at]!, new RegExp(`\\b${word}\\b`, 'g')],
  ),
]

/** A text in the words that the patterns read. */
export const plainWords = (text: string): string =>
  sameWords.reduce((rest, [meaning, pattern]) => rest.replace(pattern, meaning), text)
