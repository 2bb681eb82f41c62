// The words of listing remarks that models may learn from: none describes people or is a proxy for who lives nearby, as school
// ratings are. A test checks the other inputs of every model.

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

/**
 * Beginnings of words about people, religion, origin, family status or schools. Listing remarks contain them; models must
 * not learn from them. Each word of a pair is checked: "family" alone is excluded, "family room" is allowed below.
 */
const excludedStems = wordsOf(`
    school elementar kindergarten preschool academ district api church templ synagog mosqu parish cathol christian
    jewish muslim kosher asian chines korean japanes filipin indian hispan latin mexican african black white
    caucasian ethnic immigr nationalit race racial divers famil child children kid kids toddler adult senior elder
    retire bachelor single couple married newlywed gender male female disab handicap wheelchair section voucher
    exclusive feng prestigi
`)

/** Words and pairs that begin with an excluded stem but describe the house. */
const allowedWords = new Set(
  wordsOf(`
    famili_room family_room white_kitchen white_cabinet white_cabinets
    single_level single_stori single_story singl_level singl_stori raceway
  `),
)

const excludedBeginning = new RegExp(`(?:^|_)(?:${excludedStems.join('|')})`)

export const isPermittedWord = (word: string): boolean => allowedWords.has(word) || !excludedBeginning.test(word)
