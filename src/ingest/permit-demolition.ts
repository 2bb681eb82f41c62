// Reads what a permit tears down: the named things, what each is, and which are only places. "Total demo of home and detached
// garage" is the whole house, "demo garage at residence" is not.
import { anyOf, anyWord, inOrder } from './permit-pattern.ts'
import { accessory, business, house, part, rooms, structure } from './permit-words.ts'

export interface Demolition {
  of: 'house' | 'structure' | 'part' | 'business' | 'unnamed'
  words: readonly string[]
}

export const demolitionWord = anyWord`
  demo(?!graph)('d|ed|ing|s|l\w*)?|raz(e|ed|ing)|wreck(ing|ed)?|tear(ing)?[- ]?downs?|torn down|deconstruct\w*|dismantl\w+
`
const demolitions = new RegExp(String.raw`${demolitionWord.source}(?! permits? ?(?:no\.? ?)?#?[0-9])`, 'g')

/** Words that narrow a demolition to a part of a building. */
const narrow = anyOf`
  partial(ly)?|par[it]{1,3}al|partialdemo\w*|portions?|part of (the |an? |\(?e\)? |existing )*(house|home|residence|building|structure)
  (back|rear|front|side|corner|half) (half |part |section )?of
  (first|second|third|1st|2nd|3rd|upper|top|lower|ground) (floor|level|story) of|(rear|front|side) ([a-z0-9]+ )?(story|floor)
  selective|select|soft|non[- ]?structural|non[- ]?load|exploratory|gut|interior|(?<!(\b(and|with|plus)|[.,;&]) )exterior|int\b\.?|inside
`
const narrowing = new RegExp(`\\b${narrow}(?![a-z])`)

/** Ends the list of what is torn down: the text goes on to what is built, or to the reason. */
const next = anyOf`construct(?!ion|ed)|build(?!ings?)|rebuild|erect|new|replac\w+|install|remodel(?!ed)|renovate|repair|prepare|later`

/** Each thing and each word that changes its role. The first that matches decides: accessory buildings come before houses. */
const token = new RegExp(
  anyOf`
    (?<stop>\b${next}(?![a-z])|\(n\))
    (?<place>\b(of|in|at|on|from|within|to|behind|under|near|adjacent|between|that|which|sitting|located|separate|serving|for)(?![a-z]))
    (?<narrow>\b${narrow}(?![a-z]))
    (?<part>\b${accessory}(?![a-z]))
    (?<business>\b${business}(?![a-z]))
    (?<house>\b${house}(?![a-z]))
    (?<piece>\b(${rooms}|${part})(?![a-z]))
    (?<structure>\b${structure}(?![a-z]))
    (?<next>[,&+/]|\b(and|plus|also)\b)
    (?<end>\.(?= |$))
  `,
  'g',
)

/** The demolition a text describes, or undefined when it describes none. */
export const demolitionIn = (text: string): Demolition | undefined => {
  // Later mentions are conditions ("demolition waste"), history, or another permit ("house demo permit 17-2000").
  const verbs = [...text.matchAll(demolitions)].filter(({ index }) => index < 250)
  const found = verbs.map(({ 0: verb, index }, at) => {
    const last = verbs[at - 1]
    return demolitionAt(
      verb,
      text.slice(last ? last.index + last[0].length : 0, index),
      text.slice(index + verb.length, verbs[at + 1]?.index),
    )
  })
  // A permit for a house and its garage may say so in two sentences.
  return (
    found.find(({ of }) => of === 'house') ?? removedHouse(text) ?? found.find(({ of }) => of !== 'unnamed') ?? found[0]
  )
}

const demolitionAt = (verb: string, before: string, after: string): Demolition => {
  const clause = before.split(/(?<=[^.]{4})\.|;|\band\b|,/).at(-1)!
  const narrowed = narrowing.exec(clause.split(' ').slice(-5).join(' '))
  if (narrowed) return { of: 'part', words: [narrowed[0].trim(), verb] }
  const isOwn = /^ (?:the|existing|old|\(e\)) [a-z]/.test(after)
  const named = thingsIn(after, false) ?? (isOwn ? undefined : thingsIn(before.split(/(?<=[^.]{4})\.|;/).at(-1)!, true))
  return { of: named?.of ?? 'unnamed', words: [verb, ...(named?.words ?? [])] }
}

/** What a text names when the type of the permit already says demolition: "House, pool, shed", "Garage". */
export const demolishedThings = (text: string): Demolition | undefined => {
  const narrowed = narrowing.exec(text)
  return narrowed ? { of: 'part', words: [narrowed[0].trim()] } : thingsIn(text, false)
}

/** As above, of a project type: each part of it is read alone. "Demolition / Single Detached Dwelling / Accessory Building" is no house. */
export const demolishedByType = (type: string): Demolition | undefined => {
  // "Demolition All Other Buildings": the city has another type for houses.
  const others = /\bother (?:building|structure)s?\b/.exec(type)
  if (others) return { of: 'part', words: [others[0]] }
  const named = type
    .replace(new RegExp(demolitionWord.source, 'g'), ' ')
    .replace(/\b(building|permit)\b(?! ?\/)(?<!(accessory|farm|agricultural) building)/g, ' ')
    .split(' / ')
    .flatMap((each) => demolishedThings(each) ?? [])
  return ['part', 'business', 'house'].map((of) => named.find((each) => each.of === of)).find(Boolean) ?? named[0]
}

/** "Several structures: barn, shed" are only these. "All structures: pool, shed" and "structures, pool" include the house. */
const namedList = /\b(?:structures|buildings) ?:(?<!\b(?:all|existing)\b[^.,;:]*:)/

/** Reads the named things in a list. What follows a preposition is a location: "deck of the house" names a deck. */
const thingsIn = (text: string, isBefore: boolean): Demolition | undefined => {
  const named = new Map<Demolition['of'], string>()
  let isLocation = false
  let isBusiness = false
  let sentences = 0
  for (const { groups, 0: word } of text.matchAll(token)) {
    const kind = Object.keys(groups!).find((name) => groups![name] !== undefined)!
    if (kind === 'stop') {
      if (!isBefore) break
      named.clear()
    } else if (kind === 'end') {
      sentences += 1
      if (named.size > 0 || sentences === 2) break
    } else if (kind === 'next') {
      isLocation = false
      isBusiness &&= word === '/'
    } else if (kind === 'place') isLocation ||= named.size > 0
    else if (kind === 'narrow') {
      if (named.size === 0) return { of: 'part', words: [word.trim()] }
      // "Multi-family residence", "mixed use commercial/residential building".
    } else if (!isLocation && !(kind === 'house' && isBusiness)) {
      const of = (kind === 'piece' ? 'part' : kind) as Demolition['of']
      isBusiness ||= of === 'business'
      if (of === 'part' && namedList.test(text)) named.delete('structure')
      if (!named.has(of)) named.set(of, word.trim())
    }
  }
  // A map keeps the order of its entries: "structure and shed" is the structure, "shed structure" is not.
  const isMixed = named.has('business') && named.get('house')?.startsWith('residential')
  const [first] =
    named.has('house') && !isMixed ? ['house' as const] : named.has('business') ? ['business' as const] : named.keys()
  return first && { of: first, words: [named.get(first)!] }
}

/** "Remove existing house": removal counts only when the house itself is what is removed. */
const removedHouse = (text: string): Demolition | undefined => {
  const removed = removal.exec(text)?.groups
  return removed && { of: 'house', words: [removed.verb!, removed.house!.trim()] }
}
const removal = new RegExp(inOrder`
  \b(?<verb>remov(e|al of|ing)) ((?!(from|in|at|of|to|on|and|${accessory}|${part}|${business})\b)[a-z0-9()]+ ){0,5}(?<house>${house})
  (?= ?($|[.,;&+)]|and |with |w/|at |from |on |plus |including ))
`)
