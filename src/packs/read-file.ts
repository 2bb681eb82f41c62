// Reads one JSON file of a pack and checks it against its schema.
import { readFileSync } from 'node:fs'
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { OperatorError } from '../common/operator-error.ts'
import { codeOf, messageOf, valueAt } from '../common/typed.ts'
import { JsonError, type JsonLines, jsonLines } from './json-lines.ts'

/** Why a pack was not loaded: where to look and what to change. */
export class BrokenPack extends OperatorError {
  readonly file: string
  readonly line: number | undefined
  readonly reason: string
  /** Mistakes in other files of the pack. */
  readonly others: readonly BrokenPack[]

  constructor(file: string, line: number | undefined, reason: string, others: readonly BrokenPack[] = []) {
    super(
      [`${file}${line === undefined ? '' : `:${line}`}: ${reason}`, ...others.map((each) => each.message)].join('\n'),
    )
    this.file = file
    this.line = line
    this.reason = reason
    this.others = others
  }
}

export type Mistake = [path: readonly (string | number)[], reason: string]

/** `before` finds mistakes that it can explain better than the schema, also in a file that does not fit it. */
export const readPackFile = <T extends TSchema>(
  file: string,
  schema: T,
  before: (value: unknown) => Mistake[] = () => [],
) => {
  const { value, lineOf } = parsed(file)
  const lineAt = (path: Mistake[0]) => lineOf(path.map(String))
  /** An error at a value of this file. */
  const error = (...[path, reason]: Mistake) => new BrokenPack(file, lineAt(path), reason)
  const refuse = ([first, ...others]: readonly Mistake[]) => {
    if (!first) return
    const more = others.slice(0, 9).map(([path, reason]) => `line ${lineAt(path)}: ${reason}`)
    throw error(first[0], [first[1], ...more].join('; '))
  }
  const explained = before(value)
  const shape = valueAt(shapes, schema, () => Compile(schema))
  if (!shape.Check(value)) {
    // The deepest error is the nearest to the mistake: an outer one only says that no form of a union matched.
    const [, errors] = shape.Errors(value)
    const found = errors
      .map((each) => ({ path: pathOf(each.instancePath), said: sentence(each) }))
      .sort((a, b) => b.path.length - a.path.length)
    const places = found.filter(({ path }, at) => !found.slice(0, at).some((deeper) => startsWith(deeper.path, path)))
    const rest = places
      .filter(
        ({ path }) => !explained.some(([at]) => startsWith(at.map(String), path) || startsWith(path, at.map(String))),
      )
      .map(({ path, said }): Mistake => [path, `${path.join('.') || 'the file'} ${said}`])
    refuse([...explained, ...rest])
    throw error([], 'does not fit its schema')
  }
  return {
    value: value as Static<T>,
    error,
    /** Throws all mistakes, with those found before, as one error. */
    refuse: (mistakes: readonly Mistake[]) => refuse([...explained, ...mistakes]),
  }
}

const shapes = new Map<TSchema, Validator>()

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((part, at) => path[at] === part)

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new BrokenPack(file, undefined, codeOf(error) === 'ENOENT' ? 'the file is missing' : messageOf(error))
  }
}

const parsed = (file: string): JsonLines => {
  try {
    return jsonLines(textOf(file))
  } catch (error) {
    if (error instanceof JsonError) throw new BrokenPack(file, error.line, `is not JSON: ${error.message}`)
    throw error
  }
}

const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

const sentence = ({ keyword, message, params }: { keyword: string; message: string; params: object }): string => {
  const { requiredProperties, allowedValues } = params as {
    requiredProperties?: string[]
    allowedValues?: unknown[]
  }
  if (keyword === 'boolean') return 'is not a field of this file'
  if (keyword === 'required' && requiredProperties) return `lacks ${requiredProperties.join(', ')}`
  if (keyword === 'enum' && allowedValues) return `must be one of ${allowedValues.join(', ')}`
  return message
}
