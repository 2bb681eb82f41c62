// Reads what a permit tears down: the named things, what each is, and which are only places. "Total demo of home and detached
// garage" is the whole house, "demo garage at residence" is not.
import { has, pattern, wordsOf } from './permit-patterns.ts'

export interface Demolition {
  of: 'house' | 'structure' | 'part' | 'business' | 'unnamed'
  words: readonly string[]
}

export const demolitionIn = (text: string): Demolition | undefined => {
  // Later mentions are conditions ("demolition waste"), history, or another permit ("house demo permit 17-2000").
  const verbs = [...text.matchAll(pattern('demolishes', 'g'))].filter(({ index }) => index < 250)
  const found = verbs.map(({ 0: verb, index }, at) =>
    demolitionAt(verb, text.slice(0, index), text.slice(index + verb.length, verbs[at + 1]?.index)),
  )
  // "Remove existing house": removal counts only when the house itself is what is removed.
  const removed = pattern('removal').exec(text)?.groups
  return (
    // A permit for a house and its garage may say so in two sentences.
    found.find(({ of }) => of === 'house') ??
    (removed && { of: 'house', words: [removed.verb!, removed.house!.trim()] }) ??
    found.find(({ of }) => of !== 'unnamed') ??
    found[0]
  )
}

const demolitionAt = (verb: string, before: string, after: string): Demolition => {
  const narrowed = wordsOf('narrowing', before.split(' ').slice(-5).join(' '))
  if (narrowed) return { of: 'part', words: [narrowed.trim(), verb] }
  const isOwn = /^ (?:the|existing|old) [a-z]/.test(after)
  const named = thingsIn(after) ?? (isOwn ? undefined : thingsIn(before.split(/(?<=[^.]{4})\.|;|\bnew\b/).at(-1)!))
  return { of: named?.of ?? 'unnamed', words: [verb, ...(named?.words ?? [])] }
}

/** What a text names when the type of the permit already says demolition: "House, pool, shed", "Garage". */
export const demolishedThings = (text: string): Demolition | undefined => {
  const narrowed = wordsOf('narrowing', text)
  return narrowed ? { of: 'part', words: [narrowed.trim()] } : thingsIn(text)
}

/** As above, of a project type, each part of it alone: "Demolition / Single Detached Dwelling / Accessory Building" is no house. */
export const demolishedByType = (type: string): Demolition | undefined => {
  const named = type
    .replace(pattern('demolition', 'g'), ' ')
    .split(' / ')
    .flatMap((each) => demolishedThings(each) ?? [])
  return ['part', 'business', 'house'].map((of) => named.find((each) => each.of === of)).find(Boolean) ?? named[0]
}

/** Reads the named things in a list. What follows a preposition is a location: "deck of the house" names a deck. */
const thingsIn = (text: string): Demolition | undefined => {
  const named = new Map<Demolition['of'], string>()
  let isLocation = false
  let ends = 0
  for (const { groups, 0: word } of text.matchAll(pattern('thing', 'g'))) {
    const kind = Object.keys(groups!).find((name) => groups![name] !== undefined)!
    if (kind === 'stop' || (kind === 'end' && (named.size > 0 || ++ends === 2))) break
    if (kind === 'next') isLocation = false
    else if (kind === 'place') isLocation ||= named.size > 0
    else if (kind === 'narrow') {
      if (named.size === 0) return { of: 'part', words: [word.trim()] }
      // "Multi-family residence", "mixed use commercial/residential building".
    } else if (kind !== 'end' && !isLocation && !(kind === 'house' && named.has('business'))) {
      const of = (kind === 'piece' ? 'part' : kind) as Demolition['of']
      if (of === 'part' && has('namedList', text)) named.delete('structure')
      if (!named.has(of)) named.set(of, word.trim())
    }
  }
  // A map keeps the order of its entries: "structure and shed" is the structure, "shed structure" is not.
  const isMixed = named.has('business') && named.get('house')?.startsWith('residential')
  const [first] =
    named.has('house') && !isMixed ? ['house' as const] : named.has('business') ? ['business' as const] : named.keys()
  return first && { of: first, words: [named.get(first)!] }
}
