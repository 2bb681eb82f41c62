// A family of things that a key owns: one way to list, read, save, change and delete them. Its texts are passed in.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { optional, succeeded, text } from '../../common/shape.ts'
import { describe, type Operation } from '../operation.ts'
import { listOf, singleOf } from '../pagination.ts'
import { asOf, listExample } from './examples.ts'
import { cursor, page } from './paging.ts'

interface Family<Row extends TSchema> {
  tag: string
  path: string
  /** In the names of operations: `get_watch`, `list_watches`. */
  one: string
  many: string
  /** Describes the id. */
  id: string
  row: Row
  example: Static<Row> & { id: string }
}

type Texts = Pick<Operation, 'title' | 'summary'> &
  Partial<Omit<Operation, 'title' | 'summary' | 'input' | 'output' | 'wideOutput' | 'example'>>

/** What an operation of the family has beside the common parts. */
type Own<Input extends TProperties, Output extends TSchema> = Texts & {
  input: Input
  output: Output
  example: Operation<TObject<Input>, Output>['example']
}

export const ownNote = (description: string) =>
  optional(Type.String({ maxLength: 2_000, description, examples: ['Ask about the easement'], 'x-cleaned': true }))

export const done = Type.Object({ success: succeeded })

export const resource = <Row extends TSchema>({ tag, path, one, many, row, example, ...family }: Family<Row>) => {
  const id = text(family.id, { minLength: 1, maxLength: 64 })
  const common = { tag, path: `${path}/{id}`, access: 'ownKey' } as const
  const byId = Type.Object({ id })
  const single = singleOf(row)
  const singleExample = { success: true as const, data: example, asOf }
  return {
    id,
    single,
    singleExample,
    list: (texts: Texts) =>
      describe({
        ...common,
        ...{ name: `list_${many}`, path },
        input: Type.Object({ ...page, cursor }),
        output: listOf(row),
        example: { input: {}, output: listExample(example, {}) as never },
        ...texts,
      }),
    get: (texts: Texts) =>
      describe({
        ...common,
        ...{ name: `get_${one}`, input: byId, output: single },
        example: { input: { id: example.id }, output: singleExample as never },
        ...texts,
      }),
    create: <Input extends TProperties, Output extends TSchema>({ input, ...texts }: Own<Input, Output>) =>
      describe({
        ...common,
        ...{ name: `create_${one}`, strict: true, method: 'POST', path },
        input: Type.Object(input),
        ...texts,
      }),
    update: <Input extends TProperties, Output extends TSchema>({
      input,
      ...own
    }: Own<Input & { id: typeof id }, Output>) =>
      describe({
        ...common,
        ...{ name: `update_${one}`, strict: true, method: 'PUT' },
        input: Type.Object(input),
        ...own,
      }),
    remove: (texts: Texts) =>
      describe({
        ...common,
        ...{ name: `delete_${one}`, method: 'DELETE', input: byId, output: done },
        example: { input: { id: example.id }, output: { success: true } },
        ...texts,
      }),
    /** POST /v1/watches/{id}/pause. */
    action: (verb: string, texts: Texts) =>
      describe({
        ...common,
        ...{ name: `${verb}_${one}`, method: 'POST', path: `${common.path}/${verb}`, input: byId, output: done },
        example: { input: { id: example.id }, output: { success: true } },
        ...texts,
      }),
    /** An action with an answer of its own. */
    answer: <Output extends TSchema>(verb: string, output: Output, answer: Static<Output>, texts: Texts) =>
      describe({
        ...common,
        ...{ name: `${verb}_${one}`, method: 'POST', path: `${common.path}/${verb}`, input: byId, output },
        example: { input: { id: example.id }, output: answer as never },
        ...texts,
      }),
    /** GET /v1/watches/{id}/matches: what one of them has. `input`: parameters beside those of every list; `asked`: of the example. */
    rows: <Item extends TSchema, Input extends TProperties = Record<never, never>>(
      many: string,
      item: Item,
      {
        example: row,
        input,
        asked,
        ...texts
      }: Texts & { name: string; example: Static<Item>; input?: Input; asked?: object },
    ) =>
      describe({
        ...common,
        ...{ path: `${common.path}/${many}`, output: listOf(item) },
        input: Type.Object({ id, ...(input as Input), ...page, cursor }),
        example: { input: { id: example.id, ...asked } as never, output: listExample(row, {}) as never },
        ...texts,
      }),
  }
}
