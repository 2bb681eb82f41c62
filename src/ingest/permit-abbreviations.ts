// Spells out the abbreviations of permits, so that the rules need only the words themselves. The words that decided are
// translated back, because they are shown as they occur in the permit.
import { anyOf } from './permit-pattern.ts'

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
  const text = all.reduce((held, [meaning, pattern]) => expand(held, pattern, meaning), plain)
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

const glued =
  /\b(?=[a-z]{5,}\b)(?:res|resid|residential|bldg|bld|building|new|sfr|sfd|sf|adu|demo|addn|alt|remodel|const|constr|com|comm|acc|det|att)+\b/gi
const gluedWord =
  /residential|resid|res|bldg|bld|building|new|sfr|sfd|sf|adu|demo|addn|alt|remodel|constr|const|comm|com|acc|det|att/gi

/** "RES_NEW", "ResidentialNew" and "RESNEW" are two words each. */
const separated = (type: string): string =>
  type
    .replace(/_/g, ' ')
    .replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ')
    .replace(/\br(?=(?:demo|new|addn?|alt|adu)\b)/gi, 'res ')
    .replace(glued, (word) =>
      word.match(gluedWord)?.join('').length === word.length ? word.match(gluedWord)!.join(' ') : word,
    )

const short = (text: TemplateStringsArray): RegExp =>
  new RegExp(`(?<![a-z0-9.])${anyOf(text)}(?![a-z0-9])\\.?(?=[^a-z0-9]|$)`, 'g')

/** Meaning and pattern. Only forms that stand for nothing else in a permit. */
const abbreviations: readonly (readonly [string, RegExp])[] = [
  ['story', short`sty|stry|sto?r(?=[ .])|storey`],
  ['stories', short`storeys`],
  ['theater', short`theatre`],
  ['single', short`singel|sinlge|sinle|signle`],
  ['family', short`fam(?!ily)[a-z]{1,4}y`],
  ['deconver', /\b(?:de|down)[- ]conver/g],
  ['apartment', short`appartment|app?artement|aparment`],
  ['commercial', short`commerical|commercail|comercial|commerial`],
  ['multi', short`mutli|mulit|mult`],
  [
    'single family',
    short`
      (sgle?|sngl?|sing|s)[. /-]*(fam|fmly|fmy|family)|single[. /-]*(fam|fmly|fmy)
      (1|one)[. /-]*(fam|fmly|fmy)
    `,
  ],
  ['single family dwelling', /(?<=story )single(?= (?:with|and)\b| ?(?:$|[.,;(&]|w\/))/g],
  ['new single family dwelling', short`nsfr|nsfd|nsfh`],
  ['two family', short`(2|two)[. /-]*(fam|fmly|fmy)`],
  ['multi family', short`mult?i?[. /-]*(fam|fmly|fmy)`],
  ['dwelling', short`dwlg?s?|dwe?ll?(n?g)?|dwllng|dwelng|dwelings?|dwellign|dewelings?|dewe?llings?|dwelllings?`],
  ['residence', short`resdnce|resd|rsdnc|residnce`],
  ['residential', short`resid|resdl|resdntl|resident(?=ial)|residental|res(?=\.? units?)`],
  [
    'accessory',
    short`
      acc'y|ac+ess?oi?r?y|as+es+ory|accsessory|accsr?y|accss?ry|accy|acces
      acc(?=\.? ?(dw|unit|apt|bldg|build|str|living))
    `,
  ],
  ['attached', short`attchd?|attd|att(?=\.? (gar|single|adu|acc|unit|dw|carport))`],
  ['detached', short`detchd?|dtchd?|detd|det(?=\.? (gar|single|adu|acc|unit|dw|carport|shed))`],
  [
    'addition',
    short`
      add'n|addn|addtn|addit|additn|addtion|adition
      (?<=(story|floor|level|room|rear) )add(?=\.? (to|at|over|on)\b|\.?$)
      (?<=(story|room|rear) )add(?=\.? (&|and)(?![a-z]))
    `,
  ],
  ['construction', short`constr|cnstr|cnst|constrctn|construct?ion`],
  ['construct', short`cnstrct|contruct|const(?=\.? (a|an|new|sfd|sfr|single|of|one|two|1|2)\b)`],
  ['structure', short`strctr?e?|struct|strc`],
  ['garage', short`gar|garg|grge`],
  ['remodel', short`rmdl|remdl|remod`],
  ['renovation', short`reno|renov`],
  ['townhouse', short`twnh(se?|ms?)?([0-9]+(of[0-9]+)?)?|townhse|town-?hm|thse`],
  ['duplex', short`dupl|dplx`],
  ['dwelling unit', short`d\.u\.?`],
  ['enlarge', short`enl`],
  ['sunroom', short`sunrm`],
  ['manufactured', short`mfd|mfgd?|manuf`],
]

const typeAbbreviations: readonly (readonly [string, RegExp])[] = [
  // The classes of the census survey of new construction: 101 and 102 houses, 103 to 105 buildings with more dwellings.
  ['new single family', /(?<![0-9])10[12][0-9]?[ -]*(?:new )?(?:single|one|1)[ -]?family/g],
  ['new multi family', /(?<![0-9])10[3-5][0-9]?[ -]*(?:new )?(?=(?:two|three|four|five|[2-5])[ -])/g],
  // Other codes: "R- 329 Structures", "434 - Addition".
  [' ', /(?<![0-9,])[0-9]{3,4}(?= ?-? ?[a-z]{3})/g],
  // A category of one- and two-family houses says nothing about the number.
  [
    'single family',
    /(?<![a-z0-9])(?:single|one|1)[ -]?(?:family)?[ -]?(?:dwelling|residential)? ?(?:or|and|&|\/|-|to) ?(?:two|2|duplex)[ -]?(?:family|fam)?(?![a-z])/g,
  ],
  ['single family dwelling', short`s[./]?f[./]?d[./]?|s[./]?f[./]?r[./]?|sfh|sfdu|sfdwl?g?|1fd|r-?3`],
  ['single family', short`sf|s/f`],
  ['multi family', short`mf|mfd|mfr|m/f|mfam`],
  ['residential', short`res|resi|resdtl|rsdntl|rsdl|rsd|reside?n?`],
  ['building', short`bldg?s?|bldng|blg|bld`],
  ['new', short`nw|new const|nc`],
  ['accessory', short`acc|access|accs`],
  ['attached', short`att|attch|attd|atch`],
  ['detached', short`det|detch|dtch|detd`],
  ['addition', short`add(?! circuit)|adds|addns?|addt`],
  ['alteration', short`alts?|alter|altr|alt/rep`],
  ['remodel', short`rem|rmd|remodl`],
  ['demolition', short`dem|demol|dmo|demoltn`],
  ['commercial', /\(c(?:omm?)?\)/g],
  ['commercial', short`com|comm|coml|comml|cml`],
  ['construction', short`const|cons|con`],
  ['structure', short`str|strs`],
  ['dwelling unit', short`du|d/u|dwl unit`],
  ['electrical', short`ele|elec|elect|elc|(?<=^ *)e(?=[ -]+(new|res|com|sf))`],
  ['mechanical', short`mech|mch|(?<=^ *)m(?=[ -]+(new|res|com|sf))`],
  ['plumbing', short`plbg|plb|plmb|plumb|plm|(?<=^ *)p(?=[ -]+(new|res|com|sf))`],
]
