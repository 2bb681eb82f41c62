// Parses JSON and finds the line of a value, so that an error names the line to edit. JSON.parse does not always do so.
import { findNodeAtLocation, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { messageOf } from '../common/typed.ts'

export class JsonError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

export type JsonLines = ReturnType<typeof jsonLines>

export const jsonLines = (file: string) => {
  const text = file.replace(/^\uFEFF/, '')
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  return {
    value: parsed(text, lineAt),
    /** The line of the value at a path such as ["cities", "3", "box"]; that of the deepest part that exists. */
    lineOf: (path: readonly string[]) => {
      let found = parseTree(text)!
      for (const key of path) found = findNodeAtLocation(found, [found.type === 'array' ? Number(key) : key]) ?? found
      return lineAt(found.offset)
    },
  }
}

const parsed = (text: string, lineAt: (offset: number) => number): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const errors: ParseError[] = []
    parseTree(text, errors, { disallowComments: true })
    const [first] = errors
    if (!first) throw new JsonError(1, messageOf(cause))
    // "ValueExpected" → "value expected"
    const problem = printParseErrorCode(first.error)
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase()
    const found = text.slice(first.offset, first.offset + Math.min(first.length, 20))
    throw new JsonError(lineAt(first.offset), `${problem}, found ${found || 'the end of the file'}`)
  }
}
