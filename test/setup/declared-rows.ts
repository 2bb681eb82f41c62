// The row that each statement of src/store declares (`rowsOf<Row>(db)`…``), read by the compiler once for the whole test run.
// check-rows.ts compares it with what the database returns.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Node, SourceFile, TaggedTemplateExpression } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isTaggedTemplateExpression,
} from 'typescript/unstable/ast/is'
import { API, type Checker, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync'
import type { TestProject } from 'vitest/node'

/** What a value may be. `any` is a type that only the caller of a generic function knows. */
export type Kind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | 'undefined'
  | 'Date'
  | 'bytes'
  | 'array'
  | 'object'
  | 'any'

export interface Declared {
  kinds: Kind[]
  /** Of the elements, if it is an array. */
  elements?: Kind[]
}

export interface Statement {
  /** File and line. */
  at: string
  /** The texts between the values of the template. */
  texts: string[]
  /** The type of each column, or of the only one; nothing where no row is read. */
  row?: Record<string, Declared>
  value?: Declared
}

declare module 'vitest' {
  interface ProvidedContext {
    statements: string
  }
}

const root = join(import.meta.dirname, '../..')
const rowFunctions = ['rowsOf', 'knownRows', 'firstRow', 'onlyRow', 'sql']
const valueFunctions = ['valuesOf', 'firstValue', 'onlyValue']
const otherFunctions = ['anyRow', 'execute']

export default function setup(project: TestProject) {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const path of globSync('src/**/*.ts', { cwd: root }).sort()) hash.update(readFileSync(join(root, path)))
  const path = join(root, 'node_modules/.cache/lotline-rows', `${hash.digest('hex').slice(0, 16)}.json`)
  if (!existsSync(path)) {
    rmSync(dirname(path), { recursive: true, force: true })
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(declaredStatements()))
  }
  project.provide('statements', path)
}

const declaredStatements = (): Statement[] => {
  const api = new API({ cwd: root })
  const project = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()[0]!
  const found = project.program
    .getSourceFileNames()
    .filter((name) => name.startsWith(join(root, 'src/store/')))
    .flatMap((name) => statementsIn(project.program.getSourceFile(name)!, project.checker))
  api.close()
  return found
}

const statementsIn = (file: SourceFile, checker: Checker): Statement[] => {
  const found: Statement[] = []
  const visit = (node: Node): void => {
    if (isTaggedTemplateExpression(node)) {
      const statement = statementOf(node, checker)
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      if (statement) found.push({ at: `${file.fileName.slice(root.length + 1)}:${line}`, ...statement })
    }
    node.forEachChild(visit)
  }
  file.forEachChild(visit)
  return found
}

const statementOf = ({ tag, typeArguments, template }: TaggedTemplateExpression, checker: Checker) => {
  const call = isCallExpression(tag)
    ? { name: tag.expression, types: tag.typeArguments }
    : { name: tag, types: typeArguments }
  const name = isIdentifier(call.name) ? call.name.text : ''
  if (!call.types && (name === 'sql' || ![...rowFunctions, ...otherFunctions].includes(name))) return undefined
  const type = call.types && checker.getTypeFromTypeNode(call.types[0]!)
  const texts = isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
  if (!/\w/.test(texts.join(''))) return undefined
  if (type && rowFunctions.includes(name)) return { texts, row: rowOf(type, checker, name === 'knownRows') }
  if (!type || !valueFunctions.includes(name)) return { texts }
  const value = declaredOf(type, checker)
  return { texts, value: name === 'firstValue' ? orNull(value) : value }
}

const rowOf = (type: Type, checker: Checker, deletesNulls: boolean): Record<string, Declared> =>
  Object.fromEntries(
    checker.getPropertiesOfType(type).map((property) => {
      const declared = declaredOf(checker.getTypeOfSymbol(property)!, checker)
      return [property.name, deletesNulls && declared.kinds.includes('undefined') ? orNull(declared) : declared]
    }),
  )

const orNull = (declared: Declared): Declared => ({ ...declared, kinds: [...declared.kinds, 'null'] })

const declaredOf = (type: Type, checker: Checker): Declared => {
  const parts = partsOf(type)
  const elements = parts
    .filter((part) => checker.isArrayType(part))
    .flatMap((part) => checker.getTypeArguments(part as TypeReference))
  const kinds = [...new Set(parts.map((part) => kindOf(part, checker)))]
  return {
    kinds,
    ...(elements.length > 0 && { elements: elements.flatMap((each) => declaredOf(each, checker).kinds) }),
  }
}

const partsOf = (type: Type): readonly Type[] => (type.isUnionType() ? type.getTypes().flatMap(partsOf) : [type])

const kindOf = (type: Type, checker: Checker): Kind => {
  const flag = kindsByFlag.find(([flags]) => type.flags & flags)
  if (flag) return flag[1]
  if (checker.isArrayType(type) || checker.isTupleType(type)) return 'array'
  if (!(type.flags & (TypeFlags.Object | TypeFlags.NonPrimitive | TypeFlags.Intersection))) return 'any'
  const name = type.getSymbol()?.name
  return name === 'Date' ? 'Date' : name === 'Buffer' || name === 'Uint8Array' ? 'bytes' : 'object'
}

const kindsByFlag: readonly (readonly [number, Kind])[] = [
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined, 'undefined'],
]
