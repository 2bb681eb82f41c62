// The contract as plain TypeScript, so that the published client's types need no schema library.
import type { TSchema } from 'typebox'
import type { Operation } from '../src/wire/operation.ts'
import { operations } from '../src/wire/operations/list.ts'

type Schema = {
  $id?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  description?: string
}

/** Declares `operations`, each with the types of its input and output, and the resources they share by name. */
export const operationTypes = (): { text: string; resources: string[] } => {
  const named = new Map<string, string>()
  const lines = Object.entries(operations).map(
    ([name, { summary, input, output, wideOutput = output }]: [string, Operation]) =>
      `${comment(summary, 1)}  ${name}: { input: ${typeOf(plain(input), 2, named)}; output: ${typeOf(plain(output), 2, named)}; wideOutput: ${typeOf(plain(wideOutput), 2, named)} }`,
  )
  const resources = [...named].map(([name, body]) =>
    body.startsWith('{') ? `export interface ${name} ${body}\n` : `export type ${name} = ${body}\n`,
  )
  const list = `export declare const operations: {\n${lines.join('\n')}\n}\n`
  return {
    text: `${resources.join('')}${list}export type OperationName = keyof typeof operations\n`,
    resources: [...named.keys()],
  }
}

const plain = (schema: TSchema): Schema => JSON.parse(JSON.stringify(schema)) as Schema

type Named = Map<string, string>

const typeOf = (schema: Schema, depth: number, named: Named): string => {
  const { $id, ...bare } = schema
  if ($id) {
    if (!named.has($id)) {
      named.set($id, '')
      named.set($id, typeOf(bare, 1, named))
    }
    return $id
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...bare, type }, depth, named)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((member) => typeOf(member, depth, named)).join(' | ')
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {}, depth, named)})[]`
  if (schema.type === 'object' || schema.properties) return objectType(schema, depth, named)
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type
  throw new Error(`no type for ${JSON.stringify(schema).slice(0, 200)}`)
}

const objectType = (schema: Schema, depth: number, named: Named): string => {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema
  const indent = '  '.repeat(depth)
  const open = additionalProperties === true || patternProperties !== undefined
  const values = patternProperties ? Object.values(patternProperties)[0]! : {}
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(schema.description, depth)}${indent}${JSON.stringify(name)}${mark}: ${typeOf(schema, depth + 1, named)}`
  })
  if (open) fields.push(`${indent}[name: string]: ${fields.length > 0 ? 'unknown' : typeOf(values, depth + 1, named)}`)
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n${'  '.repeat(depth - 1)}}`
}

const comment = (text: string | undefined, depth: number): string =>
  text ? `${'  '.repeat(depth)}/** ${text.replaceAll('*/', '* /')} */\n` : ''
