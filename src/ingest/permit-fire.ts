// Fire systems. A permit for sprinklers or detectors names the rooms and the other work that they serve.
import { accessoryUnit } from './permit-accessory-unit.ts'
import { anyOf, inOrder } from './permit-pattern.ts'

/**
 * A fire system that the description starts with, and the rest of the description. "Addition of 73 duct detectors" and "install
 * sprinkler system, remodel area only" have no other work; "install sprinklers and 450 sf addition" has.
 */
export const fireSystemIn = (
  scope: string,
  isWork: (text: string) => boolean,
): { words: string; otherWork: string } | undefined => {
  const system = fireSystem.exec(scope)
  if (!system) return undefined
  // "New detached ADU with fire sprinklers": the system is part of the other work.
  const before = system.groups!.before!
  if (accessoryUnit.test(before) || isWork(before)) return undefined
  const rest = scope.slice(system[0].length).replace(reference, '').replace(servedPlace, '').replace(servedArea, ' ')
  const [first, ...later] = rest.split('. ')
  // A later sentence describes the system further ("piping above new ceiling in bathroom") unless it starts with other work.
  const others = later.filter((sentence) => isWork(sentence.slice(0, 25)))
  return { words: system[0], otherWork: [first, ...others].join('. ') }
}
const fireSystem = new RegExp(inOrder`
  ^(install\w*|additions? of|add(ing)?|relocat\w*|replac\w*|modif\w*|new)\b
  (?<before>((?!\b(bed|bath|room|stor|kitchen|house|home|garage|unit|dwell|roof|sq|sf|addition|remodel))[^.;,&]){0,40})
  \b(fire (sprinklers?|alarms?)|sprinkler(s| system| heads?)?|(smoke|duct|heat) detectors?)\b
`)
/** "Ref. pa #2013…", "t.i. app #2005…": the permit of the building work that the system belongs to. */
const reference = /\b(?:ref(?:er(?:en)?\w*)?[ .#]|(?:t\.i\.|pa|bpa) ?(?:app|ref|pa|#|[0-9])).*$/
const otherWorkAfter = inOrder`
  (?!( and| with| plus| ?&) (an? |also )*
  (remodel|renovat|add|build\b|construct|convert|creat|legaliz|replac|re-?roof|demo|[0-9]))
`
/** "For new ADU", "in kitchen and bath remodel": where the system is installed. A verb or a number after "and" starts other work. */
const servedPlace = new RegExp(inOrder`
  ^( (?!and\b|with\b|plus\b)[^ .;,&+]+){0,3}?
  [ ](for|in|at|to|on|of|within|serving|through-?( ?out)?|inside|due|per)\b
  (${otherWorkAfter}(?!\. )[^;,])*
`)
/** "Remodel area only", "addition of one power supply". */
const servedArea = new RegExp(
  anyOf`
    \b(additions?|remodel\w*|renovat\w*|alterations?|tenant improvement|t\.i\.) (areas?|spaces?|only)\b
    \badditions? of (one|two|three|four|[0-9]+)\b(?! ?(sq|sf|bed|bath|room|stor))
  `,
  'g',
)
