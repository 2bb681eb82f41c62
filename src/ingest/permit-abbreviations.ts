// Spells out the abbreviations of permits, so that the rules need only the words themselves. The words that decided are
// translated back, because they are shown as they occur in the permit.

interface SpelledOut {
  text: string
  /** The word as the permit has it. */
  asWritten: (word: string) => string
}

/** Lower case, with abbreviations spelled out. A type is read more freely than a description: in "NEW SF RES", SF is no area. */
export const spelledOut = (written: string, isType: boolean): SpelledOut => {
  const replaced: [string, string][] = []
  const plain = isType ? separated(written).toLowerCase() : written.toLowerCase()
  const expand = (text: string, pattern: RegExp, meaning: string) =>
    text.replace(pattern, (found) => {
      replaced.push([meaning, found])
      return meaning
    })
  const all = isType ? [...typeAbbreviations, ...abbreviations] : abbreviations
  const text = all.reduce((text, [meaning, pattern]) => expand(text, pattern, meaning), plain)
  const lower = written.toLowerCase().replace(/\s+/g, ' ')
  return {
    text,
    asWritten: (word) =>
      lower.includes(word)
        ? word
        : replaced.reduce(
            (held, [meaning, found]) => (lower.includes(held) ? held : held.replace(meaning, found)),
            word,
          ),
  }
}

/** "RES_NEW" and "ResidentialNew" are two words each. */
const separated = (type: string): string =>
  type
    .replace(/_/g, ' ')
    .replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ')
    .replace(/\br(?=(?:demo|new|addn?|alt|adu)\b)/gi, 'res ')

type Abbreviation = readonly [meaning: string, pattern: RegExp]
/** Each line is a meaning and its short forms, which are whole words. */
const table = (text: TemplateStringsArray): Abbreviation[] =>
  text.raw[0]!.trim()
    .split('\n')
    .map((line) => {
      const [meaning, forms] = line.trim().split(' = ')
      return [meaning!, new RegExp(`(?<![a-z0-9.])(?:${forms})(?![a-z0-9])\\.?(?=[^a-z0-9]|$)`, 'g')]
    })

/** Only forms that stand for nothing else in a permit. */
const abbreviations: readonly Abbreviation[] = [
  ...table`
    story = sty|stry|sto?r(?=[ .])|storey
    single family = (sgle?|sngl?|sing|s)[. /-]*(fam|fmly|fmy|family)|(single|1|one)[. /-]*(fam|fmly|fmy)
    new single family dwelling = nsfr|nsfd|nsfh
    two family = (2|two)[. /-]*(fam|fmly|fmy)
    multi family = mult?i?[. /-]*(fam|fmly|fmy)
    dwelling = dwlg?s?|dwe?ll?(n?g)?|dwllng|dwelng|dwelings?|dwellign|dewelings?|dewe?llings?|dwelllings?
    residential = resid|resdl|resdntl|resident(?=ial)|residental|res(?=\.? units?)
    accessory = acc'y|ac+ess?oi?r?y|as+es+ory|accsessory|accsr?y|accss?ry|accy|acces|acc(?=\.? ?(dw|unit|apt|bldg|build|str|living))
    attached = attchd?|attd|att(?=\.? (gar|single|adu|acc|unit|dw|carport))
    detached = detchd?|dtchd?|detd|det(?=\.? (gar|single|adu|acc|unit|dw|carport|shed))
    addition = add'n|addn|addtn|addit|additn|addtion|adition|(?<=(story|floor|room|rear) )add(?=\.? (to|at|over|on|&|and)(?![a-z])|\.?$)
    construction = constr|cnstr|cnst|constrctn|construct?ion
    construct = cnstrct|contruct|const(?=\.? (a|an|new|sfd|sfr|single|of|one|two|1|2)\b)
    garage = gar|garg|grge
    remodel = rmdl|remdl|remod
    renovation = reno|renov
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
    attached = att|attch|attd|atch
    detached = det|detch|dtch|detd
    addition = add(?! circuit)|adds|addns?|addt
    alteration = alts?|alter|altr|alt/rep
    remodel = rem|rmd|remodl
    demolition = dem|demol|dmo|demoltn
    commercial = com|comm|coml|comml|cml
    industrial = ind|indl
    institutional = inst|instl
    construction = const|cons|con
    structure = str|strs
    dwelling unit = du|d/u|dwl unit
    electrical = ele|elec|elect|elc|(?<=^ *)e(?=[ -]+(new|res|com|sf))
    mechanical = mech|mch|(?<=^ *)m(?=[ -]+(new|res|com|sf))
    plumbing = plbg|plb|plmb|plumb|plm|(?<=^ *)p(?=[ -]+(new|res|com|sf))
  `,
]
