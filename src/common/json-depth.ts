// How deeply a JSON text may be nested. Code that walks a value recursively, of our own or of a library, would overflow the
// stack on a deeper one.

export const maxJsonDepth = 32

/** Reads the text once, before it is parsed. */
export const isTooDeep = (json: string): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const letter = json.charCodeAt(at)
    if (inString) {
      if (letter === backslash) at++
      else if (letter === quote) inString = false
    } else if (letter === quote) inString = true
    else if (letter === openBracket || letter === openBrace) {
      if (++depth > maxJsonDepth) return true
    } else if (letter === closeBracket || letter === closeBrace) depth--
  }
  return false
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [...'"\\[]{}'].map((letter) =>
  letter.charCodeAt(0),
)
