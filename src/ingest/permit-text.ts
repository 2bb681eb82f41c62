// Prepares the text of a permit for classification: lower case, one spacing, and without the sentences that say nothing
// about the work ("a sign must be posted", "debris shall be removed", "sprinklers under separate permit").
import { anyWord, inOrder } from './permit-pattern.ts'

/** `text` has its abbreviations spelled out. */
export const permitText = (text: string, ignore: readonly RegExp[] = []): string => {
  const plain = [...ignore, absentPart, otherPermit, laterWork]
    .reduce((rest, pattern) => rest.replace(pattern, ' '), text)
    .replace(/[’`]/g, "'")
    .replace(/\bsq\.? ?ft\.?(?=\W|$)|\bsquare (feet|foot)\b/g, 'sq ft')
    .replace(/\s+/g, ' ')
    .trim()
  const rest = plain
    .split(/(?<=[^.]{4}\.)\s|;\s*|\*{2,}|…+|\.{3,}|\n/)
    .map(withoutBoilerplate)
    .filter((sentence) => /[a-z]/.test(sentence))
    .join('. ')
    .trim()
  return (
    rest || (/^(?:pursuant|nothing|must|shall|subject to)\b/.test(plain) || plain.search(negation) >= 0 ? '' : plain)
  )
}

/** "Erect 3 stories, no basement single family dwelling": only the part is denied, not what follows. */
const absentPart =
  /\b(?:no|without(?: an?)?) (?:basements?|garages?|sprinklers?|fire ?places?|crawl ?spaces?|attics?|decks?)\b,?/g
/** "Ref PA #2019-123 are ADU": what another permit is for. */
const otherPermit =
  /\b(?:see|ref(?:er(?:ence)?)?)(?:[.:]| to)* ?(?:b?pa|permits?|bp|app(?:l\w*)?) ?(?:no\.? ?)?#[^.;\])]*|\(see\b[^)]*\)/g
/** "Demolition to prepare for an addition": what a later permit is for. */
const laterWork = /\b(?:to |in )?prep(?:are|aration|ping)?(?: (?:the )?(?:lot|site))? (?:for|of|to)\b[^.;]*/g

const withoutBoilerplate = (sentence: string): string => {
  const work = sentence.replace(separatePermit, ' ').replace(whatRemains, ' ')
  const rule = ruleWord.exec(work)
  return (rule ? work.slice(0, rule.index) : work).replace(negation, ' ').trim()
}

/** From here on a sentence states a duty of the permit holder, not the work. */
const ruleWord = anyWord`
  pursuant( to)?|shall|must|hereby|certif(y|ies)|(are|is) required|required by|responsib\w+|subject to|holder of|not to be
  prior to (the )?(start|issuance|final|demo\w*|any|construction)|nothing (is|will|to|shall)|no construction|does not (authorize|include)
  (not|no) (responsible|authoriz\w+)|call (811|for|before)|(all|any) (debris|waste|work|construction and)|this permit (expires|is|does)
  for every \d|site frontage|work (per|on|under) this|to be cancel\w+
`
/** Work that another permit covers. */
const separatePermit = new RegExp(
  inOrder`
    ([^\s,.;()&*]+ ){0,8}\b(under|by|on|per|in|requires?|with)? ?(a |an |another )?
    (sep(a|e)?ra?ted?|sep\.?|other|different) (building |bldg )?(permits?|pmts?|application)\b[^,.;)]*
  `,
  'g',
)
/** "Detached garage to remain": the parts that stay are not demolished. */
const whatRemains = new RegExp(
  inOrder`
    (\b(existing|\(e\)|the|main|detached|attached|concrete|rear|front|all|other) )*
    ((?<=^|[,;(] ?)(house|home|residence)|(?!home|house|residence)\b[a-z]+)( (and|&) [a-z]+)?[ ]
    (to|will|is to|are to|shall) (remain|stay|be (kept|retained|saved))\b
  `,
  'g',
)
/** What is denied: "no new units", "not to be an accessory dwelling". A number ("no. 4") and a limit deny nothing. */
const negation = new RegExp(
  inOrder`
    \bno changes? (in|to) (the )?(original|existing) [a-z]+
    |\b(no|without|excluding|excludes?|not including|except|never|not|isn't|doesn't|does not|will not|cannot)\b
    (?!\.|:| ?#| ?\d| to exceed| required| limited to| yet| and | more than)
    [ ]?((?!\b(but|only)\b)[^,.;()])*(\([a-z]{3,}\))?
  `,
  'g',
)
