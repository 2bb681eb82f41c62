// Parses JSON and records the line of each value, so that an error names the line to edit. JSON.parse does not always do so.

export class JsonError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

export interface JsonLines {
  value: unknown
  /** The line of the value at a path such as ["cities", "3", "box"]; that of the deepest part that exists. */
  lineOf(path: readonly string[]): number
}

interface Node {
  at: number
  children?: Map<string, Node>
}

export const jsonLines = (text: string): JsonLines => {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  let at = 0

  const fail = (expected: string): never => {
    const found = at < text.length ? `"${text[at]}"` : 'the end of the file'
    throw new JsonError(lineAt(at), `expected ${expected}, found ${found}`)
  }
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const skipSpace = () => match(/\s*/y)
  const expectText = (token: string) => {
    skipSpace()
    if (!text.startsWith(token, at)) fail(`"${token}"`)
    at += token.length
  }
  const readString = (): string => {
    const found = match(/"(?:[^"\\\n]|\\.)*"/y)
    return found === undefined ? fail('a text in double quotes') : (JSON.parse(found) as string)
  }
  /** The members of an object or the items of an array, up to its closing bracket. */
  const readAll = (close: string, readOne: () => void): void => {
    skipSpace()
    if (text[at] === close) {
      at += 1
      return
    }
    for (;;) {
      readOne()
      skipSpace()
      if (text[at] === close) {
        at += 1
        return
      }
      expectText(',')
    }
  }
  const readValue = (): { value: unknown; node: Node } => {
    skipSpace()
    const node: Node = { at }
    if (text[at] === '{') {
      at += 1
      const entries: [string, unknown][] = []
      const children = new Map<string, Node>()
      readAll('}', () => {
        skipSpace()
        const key = readString()
        expectText(':')
        const member = readValue()
        entries.push([key, member.value])
        children.set(key, member.node)
      })
      return { value: Object.fromEntries(entries), node: { ...node, children } }
    }
    if (text[at] === '[') {
      at += 1
      const items: unknown[] = []
      const children = new Map<string, Node>()
      readAll(']', () => {
        const item = readValue()
        children.set(String(items.length), item.node)
        items.push(item.value)
      })
      return { value: items, node: { ...node, children } }
    }
    if (text[at] === '"') return { value: readString(), node }
    const literal = match(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
    return { value: literal ? (JSON.parse(literal) as unknown) : fail('a value'), node }
  }

  const { value, node } = readValue()
  skipSpace()
  if (at < text.length) fail('the end of the file')
  return {
    value,
    lineOf: (path) => {
      let found = node
      for (const key of path) found = found.children?.get(key) ?? found
      return lineAt(found.at)
    },
  }
}
